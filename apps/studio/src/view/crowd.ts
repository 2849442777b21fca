// SPDX-License-Identifier: MIT
// Everybody as the screen shows them. A frame comes ten times a second; between two of them the GPU interpolates from where each person was SHOWN when
// the frame was taken in to where it says the person is, so nothing ever jumps, however late or early frames are. All of it is one texture of three texels a
// person, written in one pass before the next picture is drawn: of several frames that came since the last one only the newest is worked out.
//   0: from x, y, z, heading    1: to x, y, z, heading    2: from phase, to phase, speed, figure and colour
// The phase of the legs grows with the distance shown over the length of a stride: feet that stand do not slide.
import { DataTexture, FloatType, RGBAFormat } from 'three';
import { FrameDecoder, type FrameHeader, kAlone, kNoGoal } from '../protocol/frames';
import type { ColorBy } from '../state/studio';
import { kPaletteSize, Tint } from './colors';

export const kRow = 256;
const kTexels = 3;
const kFloats = 4 * kTexels;
const kSits = 4;
const kTintStep = 64;
const kFullTurn = Math.PI * 2;
const kTurnOfByte = kFullTurn / 256;
const kTurns = 1 / kFullTurn;
const kLeastIntervalMs = 15;
const kMostIntervalMs = 250;

/** Metres that a person of this size covers in two steps. The figures' shader has the same function. */
export function stride_length(speed: number, size: number): number {
  return 0.25 * size + 0.8 * speed;
}

export interface KindLook {
  size: number;
  sits: boolean;
}

export function look_of_kind(name: string): KindLook {
  const sits = name.includes('wheelchair');
  const size = name.includes('child') ? 0.74 : name.includes('elderly') ? 0.95 : 1;
  return { size, sits };
}

/** Size, pose (4: sits), one of eight looks and a colour of the palette in one number; the shader takes it apart. */
export function pack_figure(size: number, pose: number, variant: number, tallness: number, tint: number): number {
  return size * (0.96 + 0.08 * tallness) + pose + 8 * (variant & 7) + kTintStep * tint;
}

export interface ShownPlace {
  x: number;
  y: number;
  z: number;
  heading: number;
}

export class Crowd {
  readonly decoder = new FrameDecoder();
  texture: DataTexture;
  count = 0;
  header: FrameHeader | null = null;
  private data = new Float32Array(kRow * kFloats);
  private spare = new Float32Array(kRow * kFloats);
  /** When the frame that is shown was taken in, and when the last one came: on the page's clock. */
  private taken_at = 0;
  private came_at = 0;
  /** Milliseconds between frames, smoothed, and what of it holds for the frame that is shown. */
  private interval = 100;
  private shown_interval = 100;
  private has_news = false;
  private continues = true;
  private origin: [number, number] = [0, 0];
  private sizes = new Float64Array([1]);
  private poses = new Float64Array([0]);
  private color_by: ColorBy = 'speed';
  private picked = -1;
  private tints = new Uint8Array(0);

  constructor() {
    this.texture = this.make_texture();
  }

  set_scene(origin: [number, number], kinds: readonly string[]): void {
    this.origin = origin;
    // The last look is of kinds that nobody named.
    const looks = [...kinds, ''].map(look_of_kind);
    this.sizes = Float64Array.from(looks, (look) => look.size);
    this.poses = Float64Array.from(looks, (look) => (look.sits ? kSits : 0));
  }

  set_colors(color_by: ColorBy, picked: number): void {
    this.color_by = color_by;
    this.picked = picked;
    if (this.has_news) return;
    this.choose_tints();
    this.repaint();
    this.texture.needsUpdate = true;
  }

  clear(): void {
    this.count = 0;
    this.decoder.people.count = 0;
    this.header = null;
    this.has_news = false;
  }

  /** Decodes a frame that came at this time of the page's clock. */
  receive(bytes: ArrayBuffer, now: number): FrameHeader {
    const header = this.decoder.decode(bytes);
    const continues = !header.key && this.header?.branch === header.branch;
    const gap = now - this.came_at;
    if (continues && gap < 4 * kMostIntervalMs) this.interval = Math.min(kMostIntervalMs, Math.max(kLeastIntervalMs, 0.7 * this.interval + 0.3 * gap));
    this.came_at = now;
    this.continues = continues && (this.continues || !this.has_news);
    this.header = header;
    this.has_news = true;
    return header;
  }

  /** Before anything is drawn or asked: works out what came since. */
  update(now: number): void {
    if (!this.has_news) return;
    const share = this.share(now);
    this.has_news = false;
    this.reserve(this.decoder.people.count);
    this.choose_tints();
    this.advance(share, this.continues);
    this.decoder.settle();
    this.count = this.decoder.people.count;
    this.taken_at = now;
    this.shown_interval = this.interval;
    this.texture.needsUpdate = true;
  }

  /** How far the screen is from the last frame but one (0) to the last (1). */
  share(now: number): number {
    return Math.min(1, Math.max(0, (now - this.taken_at) / this.shown_interval));
  }

  /** How many have a goal. */
  with_goal(): number {
    const { goal, count } = this.decoder.people;
    let sum = 0;
    for (let i = 0; i < count; i++) sum += goal[i] === kNoGoal ? 0 : 1;
    return sum;
  }

  is_moving(now: number): boolean {
    return this.has_news || (this.count > 0 && now - this.taken_at <= this.shown_interval + 50);
  }

  shown(i: number, now: number, out: ShownPlace): ShownPlace {
    this.update(now);
    const share = this.share(now);
    const at = i * kFloats;
    const d = this.data;
    out.x = mix(d[at] as number, d[at + 4] as number, share);
    out.y = mix(d[at + 1] as number, d[at + 5] as number, share);
    out.z = mix(d[at + 2] as number, d[at + 6] as number, share);
    out.heading = mix(d[at + 3] as number, d[at + 7] as number, share);
    return out;
  }

  /**
   * From each person's shown place to the new one. The loop has no rare branches and reads numbers from typed arrays only: a branch that is taken for the first
   * time, or an object with another kind of number in it, throws the compiled code away, and 20,000 people in the interpreter take 10 ms.
   */
  private advance(share: number, continues: boolean): void {
    const { x, y, z, heading, speed, source, number, kind, figure, count } = this.decoder.people;
    const from = this.data;
    const to = this.spare;
    const { sizes, poses, tints } = this;
    const [ox, oy] = this.origin;
    const last_kind = sizes.length - 1;
    for (let i = 0; i < count; i++) {
      const at = i * kFloats;
      const who = number[i] as number;
      const look = Math.min(kind[i] as number, last_kind);
      const size = sizes[look] as number;
      const walked = (speed[i] as number) * 0.01;
      const now_x = ox + (x[i] as number) * 0.01;
      const now_y = oy + (y[i] as number) * 0.01;
      const now_z = (z[i] as number) * 0.01;
      const facing = (heading[i] as number) * kTurnOfByte;
      const was = continues ? (source[i] as number) : -1;
      to[at + 4] = now_x;
      to[at + 5] = now_y;
      to[at + 6] = now_z;
      to[at + 10] = walked;
      to[at + 11] = pack_figure(size, poses[look] as number, figure[i] as number, fraction(who * 0.7548777), tints[i] as number);
      if (was >= 0) {
        const old = was * kFloats;
        const shown_x = mix(from[old] as number, from[old + 4] as number, share);
        const shown_y = mix(from[old + 1] as number, from[old + 5] as number, share);
        const turned = mix(from[old + 3] as number, from[old + 7] as number, share);
        const phase = fraction(mix(from[old + 8] as number, from[old + 9] as number, share));
        const dx = now_x - shown_x;
        const dy = now_y - shown_y;
        to[at] = shown_x;
        to[at + 1] = shown_y;
        to[at + 2] = mix(from[old + 2] as number, from[old + 6] as number, share);
        // Angles and phases are kept small, or floats would lose the fine part after some minutes.
        const base = within_half_turn(turned);
        to[at + 3] = base;
        to[at + 7] = base + within_half_turn(facing - base);
        to[at + 8] = phase;
        to[at + 9] = phase + Math.sqrt(dx * dx + dy * dy) / stride_length(walked, size);
      } else {
        const phase = fraction(who * 0.618034);
        to[at] = now_x;
        to[at + 1] = now_y;
        to[at + 2] = now_z;
        to[at + 3] = facing;
        to[at + 7] = facing;
        to[at + 8] = phase;
        to[at + 9] = phase;
      }
    }
    this.data = to;
    this.spare = from;
    this.texture.image.data = to;
  }

  /** Which colour of the palette everybody has, in a column of its own: it stays in the processor's nearest memory, where the texture does not. */
  private choose_tints(): void {
    const p = this.decoder.people;
    const by = this.color_by;
    if (this.tints.length < p.count) this.tints = new Uint8Array(p.capacity);
    if (by === 'speed') this.tint_by_speed();
    else if (by === 'level') this.tint_by_kind(p.level, 3, Tint.level, -1);
    else if (by === 'group') this.tint_by_kind(p.group, 7, Tint.kind, kAlone);
    else if (by === 'goal') this.tint_by_kind(p.goal, 7, Tint.kind, kNoGoal);
    else this.tint_by_kind(by === 'model' ? p.model : p.kind, 8, Tint.kind, -1);
    const picked = this.picked < 0 ? -1 : this.decoder.index_of(this.picked);
    if (picked >= 0) this.tints[picked] = Tint.picked;
  }

  private tint_by_speed(): void {
    const { speed, preferred, count } = this.decoder.people;
    const { tints } = this;
    for (let i = 0; i < count; i++) {
      const wanted = preferred[i] as number;
      const ratio = Math.min(1, wanted, (speed[i] as number) / Math.max(1, wanted));
      tints[i] = Tint.speed + ratio * (Tint.kind - 1) + 0.5;
    }
  }

  /** One of the first colours from `start` for each value, and another one for who has none. */
  private tint_by_kind(column: Uint8Array | Uint16Array | Uint32Array, colors: number, start: Tint, none: number): void {
    const { tints } = this;
    const { count } = this.decoder.people;
    for (let i = 0; i < count; i++) {
      const value = column[i] as number;
      tints[i] = value === none ? Tint.alone : start + (value % colors);
    }
  }

  /** Other colours for the frame that is shown. */
  private repaint(): void {
    const { data, tints } = this;
    const { count } = this.decoder.people;
    for (let i = 0; i < count; i++) {
      const at = i * kFloats + 11;
      data[at] = ((data[at] as number) % kTintStep) + kTintStep * (tints[i] as number);
    }
  }

  private reserve(count: number): void {
    const rows = Math.max(1, Math.ceil(count / kRow));
    if (rows * kRow * kFloats <= this.data.length) return;
    const size = Math.max(rows, (this.data.length / kRow / kFloats) * 2) * kRow * kFloats;
    const data = new Float32Array(size);
    data.set(this.data);
    this.data = data;
    this.spare = new Float32Array(size);
    this.texture.dispose();
    this.texture = this.make_texture();
  }

  private make_texture(): DataTexture {
    const texture = new DataTexture(this.data, kRow * kTexels, this.data.length / kRow / kFloats, RGBAFormat, FloatType);
    texture.needsUpdate = true;
    return texture;
  }
}

function within_half_turn(angle: number): number {
  return angle - kFullTurn * Math.floor(angle * kTurns + 0.5);
}

function fraction(value: number): number {
  return value - Math.floor(value);
}

function mix(a: number, b: number, share: number): number {
  return a + (b - a) * share;
}

/** What both shaders of people begin with. */
export const kPersonShader = /* glsl */ `
  uniform highp sampler2D people;
  uniform float share;
  uniform float cut;
  uniform float near;
  uniform vec3 palette[${kPaletteSize}];
  vec4 person_texel(int who, int k) { return texelFetch(people, ivec2((who & 255) * ${kTexels} + k, who >> 8), 0); }
  float person_size(vec4 gait) { return mod(gait.w, 4.0); }
  bool person_sits(vec4 gait) { return mod(floor(gait.w / 4.0), 2.0) > 0.5; }
  float person_variant(vec4 gait) { return mod(floor(gait.w / 8.0), 8.0); }
  vec3 person_tint(vec4 gait) { return palette[int(gait.w / ${kTintStep}.0)]; }
`;
