// SPDX-License-Identifier: MIT
// The camera: orbit, pan, zoom, from above, behind somebody, or through the eyes of the visitor. Everything glides to where it is sent, or jumps where less motion is asked for.
import { MathUtils, PerspectiveCamera, Vector3 } from 'three';

export type CameraMode = 'orbit' | 'follow' | 'walk';

interface Pose {
  x: number;
  y: number;
  z: number;
  azimuth: number;
  /** From straight down (0) to level (π/2). */
  tilt: number;
  distance: number;
}

const kNearestM = 1.5;
const kMostTilt = 1.52;
const kLeastTilt = 0.001;
const kGlidePerSecond = 9;
const kEyeHeight = 1.62;

export class CameraRig {
  readonly camera = new PerspectiveCamera(42, 1, 0.2, 5000);
  mode: CameraMode = 'orbit';
  private goal: Pose = { x: 0, y: 0, z: 0, azimuth: -0.9, tilt: 0.9, distance: 40 };
  private now: Pose = { ...this.goal };
  private readonly calm = matchMedia('(prefers-reduced-motion: reduce)');
  private farthest = 500;
  private free_share = 1;
  private free_height = 1;
  /** The last box that was shown whole: seen from above, it is again. */
  private whole: { box: [number, number, number, number]; z: number } | null = null;
  /** The box that is shown, until somebody moves the camera. */
  private framed: { box: [number, number, number, number]; z: number } | null = null;
  private look = { azimuth: 0, tilt: 0 };
  private on_turn: ((azimuth: number, tilt: number) => void) | null = null;
  private told = { azimuth: Number.NaN, tilt: Number.NaN };

  constructor() {
    this.camera.up.set(0, 0, 1);
  }

  /** Looks at a box of the ground, all of it in the window, its longer side across. */
  frame_box(box: [number, number, number, number], z: number, jump: boolean): void {
    const [x0, y0, x1, y1] = box;
    this.framed = { box, z };
    this.whole = { box, z };
    const wide = Math.max(4, x1 - x0);
    const deep = Math.max(4, y1 - y0);
    const azimuth = deep > 1.3 * wide ? -0.3 : -Math.PI / 2 - 0.3;
    const tilt = 0.86;
    const distance = this.fitting_distance(wide / 2, deep / 2, azimuth, tilt);
    this.farthest = Math.max(60, distance * 6);
    this.mode = 'orbit';
    this.goal = { x: (x0 + x1) / 2, y: (y0 + y1) / 2, z, azimuth, tilt, distance };
    if (jump) this.now = { ...this.goal };
    this.camera.far = Math.max(500, distance * 20);
    this.camera.updateProjectionMatrix();
  }

  /** From where all corners of a box, with walls on them, are in view. */
  private fitting_distance(half_wide: number, half_deep: number, azimuth: number, tilt: number): number {
    const back = new Vector3(Math.cos(azimuth) * Math.sin(tilt), Math.sin(azimuth) * Math.sin(tilt), Math.cos(tilt));
    const right = new Vector3(-Math.sin(azimuth), Math.cos(azimuth), 0);
    const up = new Vector3().crossVectors(back, right);
    const half = Math.tan(MathUtils.degToRad(this.camera.fov / 2));
    let distance = kNearestM;
    for (const [x, y, z] of [[-1, -1, 0], [1, -1, 0], [-1, 1, 1.5], [1, 1, 1.5], [-1, -1, 1.5], [1, -1, 1.5]] as const) {
      const corner = new Vector3(x * half_wide, y * half_deep, z);
      const nearer = corner.dot(back);
      distance = Math.max(distance, nearer + Math.abs(corner.dot(right)) / (half * this.camera.aspect * 0.92 * this.free_share), nearer + Math.abs(corner.dot(up)) / (half * 0.88 * this.free_height));
    }
    return distance;
  }

  orbit(dx: number, dy: number): void {
    this.framed = null;
    if (this.mode === 'walk') {
      this.look.azimuth -= dx * 0.004;
      this.look.tilt = MathUtils.clamp(this.look.tilt - dy * 0.003, -1.2, 1.2);
      return;
    }
    this.goal.azimuth -= dx * 0.006;
    this.goal.tilt = MathUtils.clamp(this.goal.tilt - dy * 0.005, kLeastTilt, kMostTilt);
  }

  /** Moves the ground by pixels under the pointer. */
  pan(dx: number, dy: number, height_px: number): void {
    this.framed = null;
    if (this.mode !== 'orbit') this.mode = 'orbit';
    const metres = (2 * Math.tan(MathUtils.degToRad(this.camera.fov / 2)) * this.now.distance) / height_px;
    const sin = Math.sin(this.now.azimuth);
    const cos = Math.cos(this.now.azimuth);
    const across = -dx * metres;
    const along = (dy * metres) / Math.max(0.35, Math.cos(this.now.tilt));
    this.goal.x += -sin * across - cos * along;
    this.goal.y += cos * across - sin * along;
  }

  /** Nearer (< 1) or farther, keeping the ground under `at` where it is on the screen. */
  zoom(factor: number, at: { x: number; y: number } | null): void {
    this.framed = null;
    const before = this.goal.distance;
    this.goal.distance = MathUtils.clamp(before * factor, kNearestM, this.farthest);
    if (!at || this.mode !== 'orbit') return;
    const moved = 1 - this.goal.distance / before;
    this.goal.x += (at.x - this.goal.x) * moved;
    this.goal.y += (at.y - this.goal.y) * moved;
  }

  turn(angle: number): void {
    this.framed = null;
    this.goal.azimuth += angle;
  }

  /** From a side, by the shorter turn. */
  look_from(azimuth: number, tilt: number): void {
    this.framed = null;
    if (this.mode === 'walk') this.mode = 'orbit';
    const turn = azimuth - this.goal.azimuth;
    this.goal.azimuth += turn - 2 * Math.PI * Math.round(turn / (2 * Math.PI));
    this.goal.tilt = tilt;
  }

  get is_top(): boolean {
    return this.goal.tilt < 0.05;
  }

  top(on: boolean): void {
    if (on) this.look_from(-Math.PI / 2, kLeastTilt);
    else this.look_from(this.goal.azimuth, 0.86);
    this.fit_whole();
  }

  /** Where one looked at all of it, all of it is seen from this side too. */
  private fit_whole(): void {
    if (!this.whole || this.mode !== 'orbit') return;
    const { box: [x0, y0, x1, y1], z } = this.whole;
    const distance = this.fitting_distance(Math.max(2, (x1 - x0) / 2), Math.max(2, (y1 - y0) / 2), this.goal.azimuth, this.goal.tilt);
    if (distance < 0.6 * this.goal.distance || this.goal.distance < 0.4 * distance) return;
    Object.assign(this.goal, { x: (x0 + x1) / 2, y: (y0 + y1) / 2, z, distance });
  }

  follow(near = 9): void {
    this.framed = null;
    this.mode = 'follow';
    this.goal.distance = Math.min(this.goal.distance, near);
    this.goal.tilt = Math.max(this.goal.tilt, 1.05);
  }

  /** Where the person that is followed, or the visitor, is now. */
  target(x: number, y: number, z: number): void {
    this.goal.x = x;
    this.goal.y = y;
    this.goal.z = z + (this.mode === 'follow' ? 1 : 0);
  }

  walk(heading: number): void {
    this.framed = null;
    this.mode = 'walk';
    this.look = { azimuth: heading, tilt: -0.05 };
  }

  get look_heading(): number {
    return this.look.azimuth;
  }

  leave(): void {
    if (this.mode === 'walk') this.goal.distance = Math.max(14, this.goal.distance);
    this.mode = 'orbit';
  }

  /** The window, and how much of it panels cover on either side and below. */
  resize(width: number, height: number, left: number, right: number, bottom = 0): void {
    if (width === 0 || height === 0) return;
    this.camera.aspect = width / height;
    this.free_share = Math.max(0.3, (width - left - right) / width);
    const shift = Math.round((left - right) / 2);
    this.free_height = Math.max(0.4, (height - bottom) / height);
    this.camera.setViewOffset(width, height, -shift, Math.round(bottom / 2), width, height);
    if (this.framed) this.frame_box(this.framed.box, this.framed.z, false);
  }

  /** 1 looking straight down, 0 from the side. */
  get steepness(): number {
    return this.mode === 'walk' ? 0 : Math.cos(this.now.tilt);
  }

  /** Tells azimuth and tilt, as of an orbit: now, and whenever the camera has turned. */
  watch_turn(on_turn: ((azimuth: number, tilt: number) => void) | null): void {
    this.on_turn = on_turn;
    this.told = { azimuth: Number.NaN, tilt: Number.NaN };
    this.tell_turn();
  }

  private tell_turn(): void {
    const [azimuth, tilt] = this.mode === 'walk' ? [this.look.azimuth + Math.PI, Math.PI / 2 - this.look.tilt] : [this.now.azimuth, this.now.tilt];
    if (!this.on_turn || (azimuth === this.told.azimuth && tilt === this.told.tilt)) return;
    this.told = { azimuth, tilt };
    this.on_turn(azimuth, tilt);
  }

  /** Glides on; says whether anything moved. */
  update(seconds: number): boolean {
    const share = this.calm.matches ? 1 : 1 - Math.exp(-kGlidePerSecond * seconds);
    const { now, goal } = this;
    let moved = 0;
    for (const key of ['x', 'y', 'z', 'azimuth', 'tilt', 'distance'] as const) {
      const rest = goal[key] - now[key];
      const step = Math.abs(rest) < 1e-4 ? rest : rest * share;
      now[key] += step;
      moved += Math.abs(step);
    }
    this.tell_turn();
    const camera = this.camera;
    const before = camera.position.clone();
    if (this.mode === 'walk') {
      camera.position.set(now.x, now.y, now.z + kEyeHeight);
      const flat = Math.cos(this.look.tilt);
      camera.lookAt(now.x + Math.cos(this.look.azimuth) * flat, now.y + Math.sin(this.look.azimuth) * flat, now.z + kEyeHeight + Math.sin(this.look.tilt));
      return true;
    }
    const flat = Math.sin(now.tilt) * now.distance;
    camera.position.set(now.x + Math.cos(now.azimuth) * flat, now.y + Math.sin(now.azimuth) * flat, now.z + Math.cos(now.tilt) * now.distance);
    camera.lookAt(new Vector3(now.x, now.y, now.z));
    camera.near = Math.max(0.1, now.distance / 200);
    camera.updateProjectionMatrix();
    camera.updateMatrixWorld();
    return moved > 1e-5 || before.distanceToSquared(camera.position) > 1e-10;
  }
}
