// SPDX-License-Identifier: MIT
// Floors and walls as meshes, one group a layer. Quiet: people are what one should see.
import { type BufferGeometry, DoubleSide, Group, Mesh, MeshBasicMaterial, MeshLambertMaterial, PlaneGeometry } from 'three';
import type { GroundEdit, Point, Polygon, Ring } from '../protocol/messages';
import { rgba, type SceneColors } from './colors';
import type { LayerView } from './floors';
import { distance_to_path, in_ring, MeshBuilder, open_ring, raised, ring_area } from './geometry';

const kLowWall = 1.15;
const kOutlineThickness = 0.14;
const kSlab = 0.18;

export interface GroundOptions {
  colors: SceneColors;
  /** Full storey height, or cut at the hip so that one sees over them. */
  full_walls: boolean;
  edits: readonly GroundEdit[];
  bounds: [number, number, number, number];
}

/** Walls stand outside of the ground's outline, so that the ground keeps its exact size. */
export function outline_wall(ring: Ring, is_hole: boolean, thickness: number): Ring[] {
  const points = open_ring(ring);
  const counter_clockwise = ring_area(points) > 0;
  const side = counter_clockwise !== is_hole ? 1 : -1;
  const pieces: Ring[] = [];
  for (let i = 0; i < points.length; i++) {
    const [ax, ay] = points[i] as Point;
    const [bx, by] = points[(i + 1) % points.length] as Point;
    const length = Math.hypot(bx - ax, by - ay);
    if (length < 1e-6) continue;
    const ux = (bx - ax) / length;
    const uy = (by - ay) / length;
    const nx = uy * side * thickness;
    const ny = -ux * side * thickness;
    // Longer by its thickness at both ends: corners close. Where the outline turns inwards the surplus lies inside the neighbour.
    const [ex, ey] = [ux * thickness, uy * thickness];
    const inner: Ring = [[ax - ex, ay - ey], [bx + ex, by + ey], [bx + ex + nx, by + ey + ny], [ax - ex + nx, ay - ey + ny]];
    const exact: Ring = [[ax, ay], [bx, by], [bx + nx, by + ny], [ax + nx, ay + ny]];
    pieces.push(overlaps_ground(inner, points, is_hole) ? exact : inner);
  }
  return pieces;
}

function overlaps_ground(piece: Ring, outline: Ring, is_hole: boolean): boolean {
  const middle = (a: Point, b: Point): Point => [(a[0] + 3 * b[0]) / 4, (a[1] + 3 * b[1]) / 4];
  const probes: Point[] = [middle(piece[1] as Point, piece[3] as Point), middle(piece[0] as Point, piece[2] as Point)];
  const ends: Point[] = [piece[2] as Point, piece[3] as Point];
  return [...probes, ...ends].some(([x, y]) => in_ring(x, y, outline) !== is_hole);
}

/** Whether the inner edge of a piece of wall is where two layers meet. */
function is_joint(piece: Ring, joints: readonly Ring[]): boolean {
  const [a, b] = [piece[0] as Point, piece[1] as Point];
  return joints.some((line) => distance_to_path((a[0] + b[0]) / 2, (a[1] + b[1]) / 2, line) < 0.05);
}

/** Scenes know footprints only. In full height large ones rise above walls and furniture, as houses do. */
function building_height(polygon: Polygon, storey: number): number {
  const side = Math.sqrt(Math.abs(ring_area(polygon[0] as Ring)));
  return Math.max(storey, Math.min(3.4 * storey, Math.floor(side / 7) * storey));
}

function add_layer(layer: LayerView, options: GroundOptions): Group {
  const group = new Group();
  group.userData['base'] = layer.base;
  const { colors } = options;
  const floors = new MeshBuilder();
  const walls = new MeshBuilder();
  const wall = rgba(colors.wall);
  const lid = rgba(options.full_walls ? colors.roof : colors.wall_lid);
  const edge = rgba(colors.floor_edge);
  const height = options.full_walls ? layer.height : kLowWall;
  const is_upper = layer.base > 0.5;
  for (const polygon of layer.walkable) {
    const openings = layer.openings.filter(([first]) => first && in_ring(first[0], first[1], polygon[0] as Ring));
    floors.face([...polygon, ...openings], layer.floor, rgba(colors.floor));
    polygon.forEach((ring, i) => {
      if (is_upper) {
        const outward = i === 0 ? ring_area(ring) > 0 : ring_area(ring) < 0;
        floors.sides(outward ? ring : ring.slice().reverse(), raised(layer.floor, -kSlab), layer.floor, edge);
      }
      const low = is_upper && !options.full_walls ? 0.5 : height;
      for (const piece of outline_wall(ring, i > 0, kOutlineThickness)) {
        if (!is_joint(piece, layer.joints)) walls.extrude([piece], layer.floor, low, wall, lid);
      }
    });
  }
  const replaced = new Set(options.edits.flatMap((edit) => (typeof edit.name === 'number' ? [edit.name] : [])));
  layer.obstacles.forEach((polygon, i) => {
    if (!replaced.has(i) && !layer.openings.includes(polygon[0] as Ring)) walls.extrude(polygon, layer.floor, options.full_walls ? building_height(polygon, layer.height) : height, wall, lid);
  });
  for (const line of layer.lines) walls.ribbon(line, 0.12, raised(layer.floor, 0.02), edge);
  for (const line of layer.lines) {
    for (let i = 0; i + 1 < line.length; i++) walls.extrude([thin_wall(line[i] as Point, line[i + 1] as Point)], layer.floor, height, wall, lid);
  }
  const closed = rgba(colors.select);
  for (const edit of options.edits) {
    if (edit.layer === layer.index && edit.polygon) walls.extrude(edit.polygon as Polygon, layer.floor, Math.min(height, 1.4), closed, closed);
  }
  if (!floors.is_empty) {
    const geometry = floors.geometry();
    if (layer.floor.range) shade_heights(geometry, layer.floor.range);
    const mesh = new Mesh(geometry, new MeshLambertMaterial({ vertexColors: true, side: DoubleSide }));
    mesh.receiveShadow = true;
    // A storey lies in the shade of the one above it: openings and edges are seen.
    mesh.castShadow = is_upper;
    group.add(mesh);
  }
  if (!walls.is_empty) {
    const mesh = new Mesh(walls.geometry(), new MeshLambertMaterial({ vertexColors: true, side: DoubleSide }));
    mesh.castShadow = true;
    mesh.receiveShadow = true;
    group.add(mesh);
  }
  return group;
}

/** Higher ground is lighter: a hill shows from above too. */
function shade_heights(geometry: BufferGeometry, [low, high]: readonly [number, number]): void {
  const places = geometry.getAttribute('position');
  const colors = geometry.getAttribute('color');
  const span = Math.max(1, high - low);
  for (let i = 0; i < places.count; i++) {
    const share = (places.getZ(i) - low) / span;
    const mix = (value: number) => value * (0.82 + 0.18 * share) + 0.35 * share * share * (1 - value);
    colors.setXYZ(i, mix(colors.getX(i)), mix(colors.getY(i)), mix(colors.getZ(i)));
  }
}

function thin_wall([ax, ay]: Point, [bx, by]: Point): Ring {
  const length = Math.hypot(bx - ax, by - ay) || 1;
  const nx = (-(by - ay) / length) * 0.06;
  const ny = ((bx - ax) / length) * 0.06;
  return [[ax + nx, ay + ny], [ax - nx, ay - ny], [bx - nx, by - ny], [bx + nx, by + ny]];
}

/** All layers; each child group knows its `base`, by which storeys are shown and hidden. */
export function build_ground(layers: readonly LayerView[], options: GroundOptions): Group {
  const group = new Group();
  for (const layer of layers) group.add(add_layer(layer, options));
  const [x0, y0, x1, y1] = options.bounds;
  const size = Math.max(x1 - x0, y1 - y0, 20) * 60;
  // It is so large that its depth is not exact: it is drawn first, and hides nothing.
  const earth = new Mesh(new PlaneGeometry(size, size), new MeshBasicMaterial({ color: options.colors.earth, depthWrite: false }));
  earth.renderOrder = -1;
  earth.position.set((x0 + x1) / 2, (y0 + y1) / 2, Math.min(0, ...layers.map((layer) => layer.base)) - 0.05);
  earth.userData['base'] = Number.NEGATIVE_INFINITY;
  group.add(earth);
  return group;
}

export function dispose_tree(group: Group): void {
  group.traverse((child) => {
    if (!(child instanceof Mesh)) return;
    child.geometry.dispose();
    (child.userData['texture'] as { dispose(): void } | undefined)?.dispose();
    for (const material of [child.material].flat()) material.dispose();
  });
  group.removeFromParent();
}
