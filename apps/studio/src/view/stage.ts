// SPDX-License-Identifier: MIT
// The 3D scene: what is in it, when it is drawn, and what is under the pointer. It draws only when something moves or changed.
import {
  Color, DirectionalLight, Fog, Group, HemisphereLight, Mesh, MeshBasicMaterial, MeshLambertMaterial, PCFSoftShadowMap, Plane, Raycaster, RingGeometry, Scene, Vector2,
  ConeGeometry, Vector3, WebGLRenderer, BoxGeometry,
} from 'three';
import type { FrameHeader } from '../protocol/frames';
import type { GroundEdit, JsonObject, OverlayAnswer, Point, StudioDocument } from '../protocol/messages';
import { CameraRig } from './camera_rig';
import { kDark, kLight, kPicked, people_palette, type SceneColors } from './colors';
import { Crowd, type ShownPlace } from './crowd';
import { Figures, kMostFigures, type PeopleUniforms } from './figures';
import { layer_at, layers_of, type LayerView, storeys_of } from './floors';
import type { Floor } from './geometry';
import { build_ground, dispose_tree } from './ground';
import { draw_items, type ItemScene } from './item_shapes';
import { spread_labels } from './labels';
import { Marks, type MarkUniforms } from './marks';
import { type Near, NearestChoice } from './nearest';
import { draw_overlay } from './overlay_mesh';
import { StatsKeeper } from './stats';

const kFarthestFigure = 140;
const kChooseEveryMs = 150;
const kPersonHeight = 1.75;
const kLargeScene = 110;
/** Where the processor draws, each frame is taken from the simulation that runs beside it. */
const kSoftwareFrameMs = 110;

export interface GroundHit {
  x: number;
  y: number;
  layer: number;
}

export class Stage {
  readonly rig = new CameraRig();
  readonly crowd = new Crowd();
  readonly stats = new StatsKeeper((x, y, z) => this.on_page(x, y, z));
  layers: LayerView[] = [];
  colors: SceneColors = kLight;
  /** Called before each frame that may be drawn, with seconds since the last. */
  on_tick: ((seconds: number, now: number) => void) | null = null;
  /** Called when a frame is drawn for the first time: of several that came since the last picture, with the newest. */
  on_shown: ((frame: FrameHeader) => void) | null = null;
  full_walls = false;
  private dots_only = false;

  private readonly renderer: WebGLRenderer;
  private readonly scene = new Scene();
  private readonly hemisphere = new HemisphereLight();
  private readonly sun = new DirectionalLight();
  private readonly uniforms: PeopleUniforms;
  private readonly mark_uniforms: MarkUniforms = { focal: { value: 1 }, steep: { value: 0 }, pixel_ratio: { value: 1 }, all_dots: { value: 0 } };
  private readonly figures: Figures;
  private readonly marks: Marks;
  private readonly nearest = new NearestChoice();
  private readonly near: Near = { indices: new Float32Array(kMostFigures), count: 0, distance: 0 };
  private readonly picked_marks: Group;
  private readonly vehicles = new Group();
  private readonly overlays = new Map<string, { group: Group; answer: OverlayAnswer; layer: number }>();
  private ground: Group | null = null;
  private items: Group | null = null;
  private bounds: [number, number, number, number] = [0, 0, 1, 1];
  private document: StudioDocument | null = null;
  private edits: readonly GroundEdit[] = [];
  private cut = Number.POSITIVE_INFINITY;
  private picked = -1;
  private margins: [number, number, number] = [0, 0, 0];
  private dirty = true;
  private unseen: FrameHeader | null = null;
  private labels_stale = true;
  private last = 0;
  private chosen_at = 0;
  private running = true;
  private drawn_at = 0;
  private readonly least_frame_ms: number;

  constructor(private readonly canvas: HTMLCanvasElement) {
    this.renderer = new WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: false });
    this.least_frame_ms = draws_by_software(this.renderer) ? kSoftwareFrameMs : 0;
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFSoftShadowMap;
    this.renderer.shadowMap.autoUpdate = false;
    this.uniforms = { people: { value: this.crowd.texture }, share: { value: 1 }, cut: { value: 1e9 }, near: { value: 0 }, palette: { value: people_palette(false) }, focal: this.mark_uniforms.focal };
    this.figures = new Figures(this.uniforms);
    this.marks = new Marks(this.uniforms, this.mark_uniforms);
    this.picked_marks = picked_marks();
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(2048, 2048);
    this.sun.shadow.bias = -0.0004;
    this.sun.shadow.normalBias = 0.05;
    this.scene.add(this.hemisphere, this.sun, this.sun.target, this.vehicles, this.picked_marks, this.marks.points, ...this.figures.meshes);
    this.last = performance.now();
    requestAnimationFrame((now) => this.frame(now));
  }

  dispose(): void {
    this.running = false;
    this.renderer.dispose();
  }

  invalidate(): void {
    this.dirty = true;
  }

  resize(width: number, height: number): void {
    const ratio = Math.min(2, window.devicePixelRatio);
    this.renderer.setPixelRatio(ratio);
    this.renderer.setSize(width, height, false);
    this.rig.resize(width, height, ...this.margins);
    this.labels_stale = true;
    this.mark_uniforms.pixel_ratio.value = ratio;
    this.dirty = true;
  }

  /** Parts of the window that panels cover: the scene keeps to the middle of the rest. */
  set_margins(left: number, right: number, bottom: number): void {
    if (left === this.margins[0] && right === this.margins[1] && bottom === this.margins[2]) return;
    this.margins = [left, right, bottom];
    this.rig.resize(this.canvas.clientWidth, this.canvas.clientHeight, left, right, bottom);
    this.dirty = true;
  }

  set_theme(dark: boolean): void {
    this.colors = dark ? kDark : kLight;
    this.uniforms.palette.value = people_palette(dark);
    const { colors } = this;
    this.scene.background = new Color(colors.sky);
    this.hemisphere.color.set(colors.hemisphere[0]);
    this.hemisphere.groundColor.set(colors.hemisphere[1]);
    this.hemisphere.intensity = colors.hemisphere[2];
    this.hemisphere.position.set(0, 0, 1);
    this.sun.color.set(colors.sun[0]);
    this.sun.intensity = colors.sun[1];
    this.rebuild_ground();
  }

  // ---- what is shown ----

  set_document(document: StudioDocument, scenario: JsonObject, is_new: boolean): void {
    this.document = document;
    this.bounds = document.bounds;
    if (is_new) {
      const [x0, y0, x1, y1] = document.bounds;
      this.full_walls = Math.max(x1 - x0, y1 - y0) > kLargeScene;
      this.crowd.clear();
      this.unseen = null;
      this.edits = [];
    }
    this.crowd.set_scene([document.bounds[0], document.bounds[1]], document.kinds);
    this.layers = layers_of(document, scenario);
    this.rebuild_ground();
    if (is_new) this.frame_all(true);
  }

  set_edits(edits: readonly GroundEdit[]): void {
    this.edits = edits;
    this.rebuild_ground();
  }

  /** Everybody as a dot, or near ones as figures. */
  set_dots(on: boolean): void {
    this.dots_only = on;
    this.mark_uniforms.all_dots.value = on ? 1 : 0;
    this.chosen_at = 0;
    this.dirty = true;
  }

  set_full_walls(full: boolean): void {
    this.full_walls = full;
    this.rebuild_ground();
  }

  set_items(scene: Omit<ItemScene, 'floor' | 'is_visible' | 'colors' | 'metres_per_pixel'>): void {
    if (this.items) dispose_tree(this.items);
    this.items = draw_items({
      ...scene,
      floor: (layer) => this.floor(layer),
      is_visible: (layer) => (this.layers[layer]?.base ?? 0) <= this.cut,
      colors: this.colors,
      metres_per_pixel: this.metres_per_pixel(),
    });
    this.scene.add(this.items);
    this.labels_stale = true;
    this.dirty = true;
  }

  set_overlay(name: string, answer: OverlayAnswer | null, layer: number): void {
    const before = this.overlays.get(name);
    if (before) {
      dispose_tree(before.group);
      this.overlays.delete(name);
      delete this.stats.stats.overlays[name];
    }
    if (answer) {
      const drawn = draw_overlay(answer, this.floor(layer), this.layers[layer], this.overlays.size, this.colors.halo, this.metres_per_pixel());
      this.overlays.set(name, { group: drawn.group, answer, layer });
      this.stats.stats.overlays[name] = drawn.count;
      this.scene.add(drawn.group);
    }
    this.dirty = true;
  }

  set_cut(height: number): void {
    this.cut = height;
    this.uniforms.cut.value = Math.min(1e9, height);
    for (const child of this.ground?.children ?? []) child.visible = (child.userData['base'] as number) <= height;
    this.renderer.shadowMap.needsUpdate = true;
    this.dirty = true;
  }

  set_picked(number: number): void {
    this.picked = number;
    this.dirty = true;
  }

  receive(bytes: ArrayBuffer): void {
    const start = performance.now();
    const header = this.crowd.receive(bytes, start);
    this.draw_vehicles();
    this.stats.decoded(performance.now() - start, bytes.byteLength, header.count);
    Object.assign(this.stats.stats, { people: header.count, time: header.time, branch: header.branch, step: header.step });
    this.unseen = header;
    this.dirty = true;
  }

  // ---- camera ----

  frame_all(jump: boolean): void {
    this.rig.frame_box(this.bounds, this.layers[0]?.base ?? 0, jump);
    this.dirty = true;
  }

  frame_box(box: [number, number, number, number], z: number): void {
    this.rig.frame_box(box, z, false);
  }

  person_place(number: number, now: number): ShownPlace | null {
    const index = number < 0 ? -1 : this.crowd.decoder.index_of(number);
    return index < 0 ? null : this.crowd.shown(index, now, { x: 0, y: 0, z: 0, heading: 0 });
  }

  // ---- under the pointer ----

  private ray(px: number, py: number): Raycaster {
    const box = this.canvas.getBoundingClientRect();
    const caster = new Raycaster();
    caster.setFromCamera(new Vector2(((px - box.left) / box.width) * 2 - 1, 1 - ((py - box.top) / box.height) * 2), this.rig.camera);
    return caster;
  }

  /** The person under the pointer, the nearest to the camera: its number. */
  pick_person(px: number, py: number): number | null {
    const { ray } = this.ray(px, py);
    const now = performance.now();
    this.crowd.update(now);
    const place: ShownPlace = { x: 0, y: 0, z: 0, heading: 0 };
    const foot = new Vector3();
    const head = new Vector3();
    const on_ray = new Vector3();
    let best: number | null = null;
    let best_depth = Infinity;
    for (let i = 0; i < this.crowd.count; i++) {
      this.crowd.shown(i, now, place);
      if (place.z >= this.cut) continue;
      foot.set(place.x, place.y, place.z);
      head.set(place.x, place.y, place.z + kPersonHeight);
      const squared = ray.distanceSqToSegment(foot, head, on_ray);
      const depth = on_ray.distanceTo(ray.origin);
      const reach = Math.max(0.3, (depth * 5) / this.mark_uniforms.focal.value);
      if (squared < reach * reach && depth < best_depth) {
        best = this.crowd.decoder.people.number[i] as number;
        best_depth = depth;
      }
    }
    return best;
  }

  /** The visible ground under the pointer; on `layer` alone, also beside its ground, where one is given. */
  pick_ground(px: number, py: number, layer?: number): GroundHit | null {
    const { ray } = this.ray(px, py);
    if (layer !== undefined) {
      const point = this.hit_floor(ray.origin, ray.direction, this.layers[layer]);
      return point && { x: point[0], y: point[1], layer };
    }
    let best: GroundHit | null = null;
    let nearest = Infinity;
    for (const one of this.layers) {
      if (one.base > this.cut) continue;
      const point = this.hit_floor(ray.origin, ray.direction, one);
      if (!point || layer_at([one], point[0], point[1], this.cut) === null) continue;
      const depth = ray.origin.distanceTo(new Vector3(point[0], point[1], one.floor(point[0], point[1])));
      if (depth < nearest) {
        nearest = depth;
        best = { x: point[0], y: point[1], layer: one.index };
      }
    }
    return best;
  }

  /** A floor is a plane, which three heights of it tell, unless it is uneven. */
  private hit_floor(origin: Vector3, direction: Vector3, layer: LayerView | undefined): Point | null {
    const floor: Floor = layer?.floor ?? (() => 0);
    if (floor.grain !== undefined) return hit_uneven(origin, direction, floor, floor.range ?? [0, 0]);
    const height = floor(0, 0);
    const normal = new Vector3(-(floor(1, 0) - height), -(floor(0, 1) - height), 1).normalize();
    const plane = new Plane().setFromNormalAndCoplanarPoint(normal, new Vector3(0, 0, height));
    const along = plane.normal.dot(direction);
    if (Math.abs(along) < 1e-6) return null;
    const t = -(origin.dot(plane.normal) + plane.constant) / along;
    return t <= 0 ? null : [origin.x + direction.x * t, origin.y + direction.y * t];
  }

  /** Where a place of the ground is on the page, in pixels. */
  on_page(x: number, y: number, z: number): { x: number; y: number } {
    const box = this.canvas.getBoundingClientRect();
    const seen = new Vector3(x, y, z).project(this.rig.camera);
    return { x: box.left + ((seen.x + 1) / 2) * box.width, y: box.top + ((1 - seen.y) / 2) * box.height };
  }

  floor(layer: number): Floor {
    return this.layers[layer]?.floor ?? (() => 0);
  }

  storeys(): { name: string; elevation: number }[] {
    return storeys_of(this.layers);
  }

  metres_per_pixel(): number {
    const camera = this.rig.camera;
    const middle = new Vector3((this.bounds[0] + this.bounds[2]) / 2, (this.bounds[1] + this.bounds[3]) / 2, 0);
    const distance = Math.max(3, camera.position.distanceTo(middle));
    return (distance * 2 * Math.tan((camera.fov * Math.PI) / 360)) / Math.max(200, this.canvas.clientHeight);
  }

  picture(): Promise<Blob | null> {
    this.render();
    return new Promise((resolve) => this.canvas.toBlob(resolve, 'image/png'));
  }

  // ---- drawing ----

  private rebuild_ground(): void {
    if (this.ground) dispose_tree(this.ground);
    if (!this.document) return;
    this.ground = build_ground(this.layers, { colors: this.colors, full_walls: this.full_walls, edits: this.edits, bounds: this.bounds });
    this.scene.add(this.ground);
    this.set_cut(this.cut);
    const [x0, y0, x1, y1] = this.bounds;
    const size = Math.max(x1 - x0, y1 - y0, 8);
    const middle = new Vector3((x0 + x1) / 2, (y0 + y1) / 2, 0);
    this.sun.target.position.copy(middle);
    this.sun.position.copy(middle).add(new Vector3(-0.55, -0.55, 0.95).multiplyScalar(size));
    const shadow = this.sun.shadow.camera;
    shadow.left = shadow.bottom = -size * 0.78;
    shadow.right = shadow.top = size * 0.78;
    shadow.near = 0.1;
    shadow.far = size * 3.2;
    shadow.updateProjectionMatrix();
    this.scene.fog = new Fog(this.colors.fog, size * 2.2, size * 9);
    this.renderer.shadowMap.needsUpdate = true;
    for (const [name, { answer, layer }] of [...this.overlays]) this.set_overlay(name, answer, layer);
    this.dirty = true;
  }

  private draw_vehicles(): void {
    const vehicles = this.crowd.decoder.vehicles;
    while (this.vehicles.children.length > vehicles.length) this.vehicles.children.pop();
    vehicles.forEach((vehicle, i) => {
      let mesh = this.vehicles.children[i] as Group | undefined;
      if (!mesh) {
        mesh = vehicle_mesh();
        this.vehicles.add(mesh);
      }
      mesh.position.set(this.bounds[0] + vehicle.x, this.bounds[1] + vehicle.y, vehicle.z);
      mesh.visible = vehicle.z < this.cut;
      mesh.rotation.z = vehicle.heading;
      mesh.scale.set(vehicle.length, vehicle.width, 1);
    });
  }

  private choose_figures(now: number): void {
    if (now - this.chosen_at < kChooseEveryMs) return;
    this.chosen_at = now;
    const farthest = this.rig.steepness > 0.9 ? kFarthestFigure * 0.6 : kFarthestFigure;
    if (this.dots_only) {
      this.figures.show(this.near.indices, 0);
      this.stats.stats.figures = 0;
      this.stats.stats.goals = this.crowd.with_goal();
      return;
    }
    this.nearest.choose(this.crowd.decoder.people, [this.bounds[0], this.bounds[1]], this.rig.camera.position, farthest, this.near);
    this.figures.show(this.near.indices, this.near.count);
    this.uniforms.near.value = this.near.distance;
    this.stats.stats.figures = this.near.count;
    this.stats.stats.goals = this.crowd.with_goal();
  }

  private frame(now: number): void {
    if (!this.running) return;
    requestAnimationFrame((next) => this.frame(next));
    const start = performance.now();
    const seconds = Math.min(0.1, Math.max(0, (now - this.last) / 1000));
    this.last = now;
    this.on_tick?.(seconds, start);
    const has_turned = this.rig.update(seconds);
    if (has_turned) this.labels_stale = true;
    if (has_turned || this.crowd.is_moving(start)) this.dirty = true;
    this.stats.stats.at_rest = !this.dirty;
    if (!this.dirty || start - this.drawn_at < this.least_frame_ms) return;
    this.dirty = false;
    this.drawn_at = start;
    const news = this.unseen;
    this.unseen = null;
    if (news) this.on_shown?.(news);
    this.crowd.update(start);
    this.choose_figures(start);
    this.uniforms.people.value = this.crowd.texture;
    this.uniforms.share.value = this.crowd.share(start);
    this.marks.show(this.crowd.count);
    const height = this.renderer.domElement.height;
    this.mark_uniforms.focal.value = height / (2 * Math.tan((this.rig.camera.fov * Math.PI) / 360));
    this.mark_uniforms.steep.value = this.rig.steepness;
    const place = this.person_place(this.picked, start);
    this.picked_marks.visible = place !== null;
    if (place) this.picked_marks.position.set(place.x, place.y, place.z);
    if (this.items && this.labels_stale) spread_labels(this.items, this.rig.camera);
    this.labels_stale = false;
    const ready = performance.now();
    this.render();
    this.stats.drew(ready - start, performance.now() - ready);
  }

  private render(): void {
    this.renderer.render(this.scene, this.rig.camera);
  }
}

/** A ring at the feet, and a pointer over the head that no crowd hides. */
function picked_marks(): Group {
  const group = new Group();
  const ring = new Mesh(new RingGeometry(0.36, 0.46, 40), new MeshBasicMaterial({ color: kPicked, transparent: true, depthWrite: false, polygonOffset: true, polygonOffsetFactor: -6 }));
  ring.position.z = 0.03;
  const pointer = new Mesh(new ConeGeometry(0.16, 0.42, 12).rotateX(-Math.PI / 2), new MeshBasicMaterial({ color: kPicked, transparent: true, depthTest: false }));
  pointer.position.z = 2.15;
  group.add(ring, pointer);
  for (const mesh of group.children) mesh.renderOrder = 6;
  group.visible = false;
  return group;
}

/** Where a ray comes from above to below uneven ground first. */
function hit_uneven(origin: Vector3, direction: Vector3, floor: Floor, [low, high]: readonly [number, number]): Point | null {
  const above = (t: number) => origin.z + direction.z * t - floor(origin.x + direction.x * t, origin.y + direction.y * t);
  if (direction.z > -1e-6) return null;
  const pieces = 200;
  const begin = Math.max(0, (origin.z - high) / -direction.z);
  const end = (origin.z - low + 0.01) / -direction.z;
  for (let k = 0, from = begin; k < pieces; k++) {
    const to = begin + ((end - begin) * (k + 1)) / pieces;
    if (above(to) <= 0) {
      let [a, b] = [from, to];
      for (let i = 0; i < 30; i++) {
        const middle = (a + b) / 2;
        if (above(middle) > 0) a = middle;
        else b = middle;
      }
      return [origin.x + direction.x * b, origin.y + direction.y * b];
    }
    from = to;
  }
  return null;
}

function draws_by_software(renderer: WebGLRenderer): boolean {
  const gl = renderer.getContext();
  const names = gl.getExtension('WEBGL_debug_renderer_info');
  return /swiftshader|llvmpipe|software/i.test(String(gl.getParameter(names ? names.UNMASKED_RENDERER_WEBGL : gl.RENDERER)));
}

function vehicle_mesh(): Group {
  const group = new Group();
  const body = new Mesh(new BoxGeometry(1, 1, 0.75).translate(0, 0, 0.62), new MeshLambertMaterial({ color: '#b8433a' }));
  const cabin = new Mesh(new BoxGeometry(0.55, 0.86, 0.5).translate(-0.05, 0, 1.22), new MeshLambertMaterial({ color: '#1f2933' }));
  const under = new Mesh(new BoxGeometry(0.94, 0.94, 0.3).translate(0, 0, 0.17), new MeshLambertMaterial({ color: '#11161b' }));
  group.add(body, cabin, under);
  return group;
}
