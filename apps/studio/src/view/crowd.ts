// SPDX-License-Identifier: MIT
// Everybody as the screen shows them. A frame comes ten times a second; between two of them the GPU interpolates from where each person was SHOWN when
// the frame was taken in to where it says the person is, so nothing ever jumps, however late or early frames are. All of it is one texture of four texels a
// person, written in one pass before the next picture is drawn: of several frames that came since the last one only the newest is worked out.
//   0: from x, y, z, heading    1: to x, y, z, heading    2: from phase, to phase, speed, figure    3: red, green, blue, unused
// The phase of the legs grows with the distance shown over the length of a stride: feet that stand do not slide.
import { DataTexture, FloatType, RGBAFormat } from 'three';
import { FrameDecoder, type FrameHeader, kAlone, kNoGoal } from '../protocol/frames';
import type { ColorBy } from '../state/studio';
import { kAloneRgb, kKindTable, kLevelTable, kPickedRgb, kSpeedRamp } from './colors';

export const kRow = 256;
const kFloats = 16;
const kFullTurn = Math.PI * 2;
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

/** Size, pose and one of eight looks in one number; the shader takes it apart. */
export function pack_figure(look: KindLook, variant: number, tallness: number): number {
  return look.size * (0.96 + 0.08 * tallness) + (look.sits ? 4 : 0) + 8 * (variant & 7);
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
  private looks: KindLook[] = [];
  private color_by: ColorBy = 'speed';
  private picked = -1;
  private ramp: Float32Array = kSpeedRamp.light;

  constructor() {
    this.texture = this.make_texture();
  }

  set_scene(origin: [number, number], kinds: readonly string[]): void {
    this.origin = origin;
    this.looks = kinds.map(look_of_kind);
  }

  set_dark(dark: boolean): void {
    this.ramp = dark ? kSpeedRamp.dark : kSpeedRamp.light;
    this.set_colors(this.color_by, this.picked);
  }

  set_colors(color_by: ColorBy, picked: number): void {
    this.color_by = color_by;
    this.picked = picked;
    if (this.has_news) return;
    this.paint();
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
    this.advance(share, this.continues);
    this.decoder.settle();
    this.paint();
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

  /** From each person's shown place to the new one. */
  private advance(share: number, continues: boolean): void {
    const p = this.decoder.people;
    const from = this.data;
    const to = this.spare;
    const [ox, oy] = this.origin;
    const count = p.count;
    for (let i = 0; i < count; i++) {
      const at = i * kFloats;
      const x = ox + (p.x[i] as number) / 100;
      const y = oy + (p.y[i] as number) / 100;
      const z = (p.z[i] as number) / 100;
      const heading = ((p.heading[i] as number) / 256) * kFullTurn;
      const speed = (p.speed[i] as number) / 100;
      const was = continues ? (p.source[i] as number) : -1;
      const number = p.number[i] as number;
      const look = this.looks[p.kind[i] as number];
      const size = look?.size ?? 1;
      to[at + 4] = x;
      to[at + 5] = y;
      to[at + 6] = z;
      if (was >= 0) {
        const old = was * kFloats;
        const sx = mix(from[old] as number, from[old + 4] as number, share);
        const sy = mix(from[old + 1] as number, from[old + 5] as number, share);
        const turned = mix(from[old + 3] as number, from[old + 7] as number, share);
        const phase = mix(from[old + 8] as number, from[old + 9] as number, share);
        const moved = Math.sqrt((x - sx) * (x - sx) + (y - sy) * (y - sy));
        const way = heading - turned;
        const turn = way - kFullTurn * Math.round(way / kFullTurn);
        to[at] = sx;
        to[at + 1] = sy;
        to[at + 2] = mix(from[old + 2] as number, from[old + 6] as number, share);
        // Angles and phases are kept small, or floats would lose the fine part after some minutes.
        const base = turned > kFullTurn ? turned - kFullTurn : turned < -kFullTurn ? turned + kFullTurn : turned;
        to[at + 3] = base;
        to[at + 7] = base + turn;
        const start = phase - Math.floor(phase);
        to[at + 8] = start;
        to[at + 9] = start + moved / stride_length(speed, size);
      } else {
        to[at] = x;
        to[at + 1] = y;
        to[at + 2] = z;
        to[at + 3] = heading;
        to[at + 7] = heading;
        const phase = fraction(number * 0.618034);
        to[at + 8] = phase;
        to[at + 9] = phase;
      }
      to[at + 10] = speed;
      to[at + 11] = look ? pack_figure(look, p.figure[i] as number, fraction(number * 0.7548777)) : 1 + 8 * ((p.figure[i] as number) & 7);
    }
    this.data = to;
    this.spare = from;
    this.texture.image.data = to;
  }

  private paint(): void {
    const p = this.decoder.people;
    const data = this.data;
    const by = this.color_by;
    for (let i = 0; i < p.count; i++) {
      const at = i * kFloats + 12;
      let table = kKindTable;
      let entry = 0;
      let alone = false;
      data[at + 3] = 1;
      if (p.number[i] === this.picked) {
        data[at] = kPickedRgb[0];
        data[at + 1] = kPickedRgb[1];
        data[at + 2] = kPickedRgb[2];
        continue;
      }
      if (by === 'speed') {
        const preferred = p.preferred[i] as number;
        const ratio = preferred > 0 ? Math.min(1, (p.speed[i] as number) / preferred) : 0;
        table = this.ramp;
        entry = Math.round(ratio * 63);
      } else if (by === 'level') {
        table = kLevelTable;
        entry = Math.min(2, p.level[i] as number);
      } else if (by === 'group') {
        alone = p.group[i] === kAlone;
        entry = (p.group[i] as number) % 7;
      } else if (by === 'goal') {
        alone = p.goal[i] === kNoGoal;
        entry = (p.goal[i] as number) % 7;
      } else entry = (by === 'model' ? (p.model[i] as number) : (p.kind[i] as number)) % 8;
      if (alone) {
        data[at] = kAloneRgb[0];
        data[at + 1] = kAloneRgb[1];
        data[at + 2] = kAloneRgb[2];
      } else {
        data[at] = table[entry * 3] as number;
        data[at + 1] = table[entry * 3 + 1] as number;
        data[at + 2] = table[entry * 3 + 2] as number;
      }
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
    const texture = new DataTexture(this.data, kRow * 4, this.data.length / kRow / kFloats, RGBAFormat, FloatType);
    texture.needsUpdate = true;
    return texture;
  }
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
  vec4 person_texel(int who, int k) { return texelFetch(people, ivec2((who & 255) * 4 + k, who >> 8), 0); }
`;
