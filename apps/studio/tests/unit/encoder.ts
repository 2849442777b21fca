// SPDX-License-Identifier: MIT
// Writes frames from the protocol's description alone, byte by byte, so that the decoder is not tested against itself.

export interface Walker {
  number: number;
  x: number;
  y: number;
  z: number;
  heading: number;
  level?: number;
  group?: number;
}

class Bytes {
  readonly list: number[] = [];
  u8(value: number) { this.list.push(value & 255); }
  u16(value: number) { this.u8(value); this.u8(value >> 8); }
  u32(value: number) { this.u16(value & 0xffff); this.u16(value >>> 16); }
  f32(value: number) { this.list.push(...new Uint8Array(Float32Array.of(value).buffer)); }
  f64(value: number) { this.list.push(...new Uint8Array(Float64Array.of(value).buffer)); }
  buffer(): ArrayBuffer { return Uint8Array.from(this.list).buffer; }
}

function record(out: Bytes, who: Walker) {
  out.u32(who.number);
  out.u32(who.x);
  out.u32(who.y);
  out.u16(who.z);
  out.u8(who.heading);
  out.u8(0);
  out.u8(who.level ?? 0);
  out.u8(1);
  out.u16(2);
  out.u32(who.group ?? 0xffffffff);
  out.u16(3);
  out.u8(20);
  out.u8(who.number % 8);
  out.u16(134);
  out.u16(50);
}

function header(out: Bytes, key: boolean, elevation: boolean, branch: number, step: number, time: number, counts: [number, number, number, number, number]) {
  out.u8(1);
  out.u8((key ? 1 : 0) | (elevation ? 2 : 0));
  out.u16(branch);
  out.u32(step);
  out.f64(time);
  for (const count of counts.slice(0, 4)) out.u32(count);
  out.u16(counts[4]);
  out.u16(0);
}

/** Keeps what a viewer was sent, as a server must. */
export class Encoder {
  private last: { who: Walker; before: { x: number; y: number } }[] = [];

  key(people: Walker[], step: number, branch = 0): ArrayBuffer {
    const out = new Bytes();
    header(out, true, true, branch, step, step / 10, [people.length, 0, people.length, 0, 0]);
    for (const who of people) record(out, who);
    this.last = people.map((who) => ({ who: { ...who }, before: { x: who.x, y: who.y } }));
    return out.buffer();
  }

  /** People who stay must be in the old order, new ones after them. `changed`: numbers sent as whole records. */
  delta(people: Walker[], step: number, changed: number[] = [], vehicles: number[][] = []): ArrayBuffer {
    const out = new Bytes();
    const now = new Map(people.map((who) => [who.number, who]));
    const removed = this.last.flatMap((one, i) => (now.has(one.who.number) ? [] : [i]));
    const kept = this.last.filter((one) => now.has(one.who.number));
    const known = new Set(kept.map((one) => one.who.number));
    const added = people.filter((who) => !known.has(who.number));
    header(out, false, true, 0, step, step / 10, [kept.length + added.length, removed.length, added.length, changed.length, vehicles.length]);
    for (const index of removed) out.u32(index);
    for (const who of added) record(out, who);
    for (const number of changed) {
      out.u32(kept.findIndex((one) => one.who.number === number));
      record(out, now.get(number) as Walker);
    }
    const escapes: [number, number][] = [];
    for (const one of kept) {
      const who = now.get(one.who.number) as Walker;
      if (changed.includes(who.number)) {
        out.u8(0x88);
        continue;
      }
      const dx = who.x - (2 * one.who.x - one.before.x);
      const dy = who.y - (2 * one.who.y - one.before.y);
      if (Math.abs(dx) <= 7 && Math.abs(dy) <= 7) out.u8(((dx + 8) << 4) | (dy + 8));
      else {
        out.u8(0);
        escapes.push([dx, dy]);
      }
    }
    for (const [dx, dy] of escapes) {
      out.u16(dx);
      out.u16(dy);
    }
    for (const one of kept) out.u8((now.get(one.who.number) as Walker).heading);
    for (const one of kept) out.u8(changed.includes(one.who.number) ? 0 : (now.get(one.who.number) as Walker).z - one.who.z);
    for (const numbers of vehicles) for (const number of numbers) out.f32(number);
    this.last = [
      ...kept.map((one) => {
        const who = now.get(one.who.number) as Walker;
        return { who: { ...who }, before: changed.includes(who.number) ? { x: who.x, y: who.y } : { x: one.who.x, y: one.who.y } };
      }),
      ...added.map((who) => ({ who: { ...who }, before: { x: who.x, y: who.y } })),
    ];
    return out.buffer();
  }
}
