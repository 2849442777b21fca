// SPDX-License-Identifier: MIT
// Decodes binary frames into columns. A delta frame says for each person how far it is from where its last two places predict it; most need one byte.
// The columns are typed arrays that grow by doubling; nothing is allocated for a person.

export const kRecordBytes = 32;
const kHeaderBytes = 36;
const kVehicleBytes = 24;
const kNoGoal = 0xffff;
const kAlone = 0xffffffff;

export { kAlone, kNoGoal };

export class FrameError extends Error {}

/** Everybody in the last frame, one column a property, in the order of the stream. Places in centimetres from the low corner of the bounds. */
export class Columns {
  capacity = 0;
  count = 0;
  number = new Uint32Array(0);
  x = new Int32Array(0);
  y = new Int32Array(0);
  z = new Int32Array(0);
  before_x = new Int32Array(0);
  before_y = new Int32Array(0);
  heading = new Uint8Array(0);
  layer = new Uint8Array(0);
  level = new Uint8Array(0);
  model = new Uint8Array(0);
  kind = new Uint16Array(0);
  group = new Uint32Array(0);
  goal = new Uint16Array(0);
  radius = new Uint8Array(0);
  figure = new Uint8Array(0);
  preferred = new Uint16Array(0);
  /** Centimetres per second. */
  speed = new Uint16Array(0);
  /** Where each person was in the order of the frame at which `settle` was called; -1: new. */
  source = new Int32Array(0);

  reserve(count: number): void {
    if (count <= this.capacity) return;
    const capacity = Math.max(1024, this.capacity * 2, count);
    this.number = grown(this.number, new Uint32Array(capacity));
    this.x = grown(this.x, new Int32Array(capacity));
    this.y = grown(this.y, new Int32Array(capacity));
    this.z = grown(this.z, new Int32Array(capacity));
    this.before_x = grown(this.before_x, new Int32Array(capacity));
    this.before_y = grown(this.before_y, new Int32Array(capacity));
    this.heading = grown(this.heading, new Uint8Array(capacity));
    this.layer = grown(this.layer, new Uint8Array(capacity));
    this.level = grown(this.level, new Uint8Array(capacity));
    this.model = grown(this.model, new Uint8Array(capacity));
    this.kind = grown(this.kind, new Uint16Array(capacity));
    this.group = grown(this.group, new Uint32Array(capacity));
    this.goal = grown(this.goal, new Uint16Array(capacity));
    this.radius = grown(this.radius, new Uint8Array(capacity));
    this.figure = grown(this.figure, new Uint8Array(capacity));
    this.preferred = grown(this.preferred, new Uint16Array(capacity));
    this.speed = grown(this.speed, new Uint16Array(capacity));
    this.source = grown(this.source, new Int32Array(capacity));
    this.capacity = capacity;
  }

  /** All columns that are kept per person, for moves from one place to another. */
  private columns() {
    return [
      this.number, this.x, this.y, this.z, this.before_x, this.before_y, this.heading, this.layer, this.level, this.model,
      this.kind, this.group, this.goal, this.radius, this.figure, this.preferred, this.speed, this.source,
    ];
  }

  /** Takes out the people at these ascending places; the others close up. */
  remove(indices: Uint32Array): void {
    const columns = this.columns();
    for (let k = 0; k < indices.length; k++) {
      const from = (indices[k] as number) + 1;
      const to = k + 1 < indices.length ? (indices[k + 1] as number) : this.count;
      for (const column of columns) column.copyWithin(from - 1 - k, from, to);
    }
    this.count -= indices.length;
  }
}

function grown<T extends { set(from: T): void }>(from: T, to: T): T {
  to.set(from);
  return to;
}

export interface Vehicle {
  /** Metres from the low corner of the bounds; z is the ground's. */
  x: number;
  y: number;
  z: number;
  heading: number;
  length: number;
  width: number;
}

export interface FrameHeader {
  key: boolean;
  branch: number;
  step: number;
  time: number;
  count: number;
}

export class FrameDecoder {
  readonly people = new Columns();
  vehicles: Vehicle[] = [];
  private last_time = Number.NaN;
  /** Where those who stay were before this frame. Kept: 160 kB a frame for 20,000 people would be collected again and again. */
  private old_x = new Int32Array(0);
  private old_y = new Int32Array(0);

  decode(buffer: ArrayBuffer): FrameHeader {
    const view = new DataView(buffer);
    if (buffer.byteLength < kHeaderBytes || view.getUint8(0) !== 1) throw new FrameError('not a frame');
    const flags = view.getUint8(1);
    const key = (flags & 1) !== 0;
    const has_elevation = (flags & 2) !== 0;
    const header: FrameHeader = { key, branch: view.getUint16(2, true), step: view.getUint32(4, true), time: view.getFloat64(8, true), count: view.getUint32(16, true) };
    const removed = view.getUint32(20, true);
    const added = view.getUint32(24, true);
    const changed = view.getUint32(28, true);
    const vehicles = view.getUint16(32, true);
    const people = this.people;
    if (key) people.count = 0;
    if (people.count - removed + added !== header.count || removed > people.count) throw new FrameError('frame does not continue the last one');
    people.reserve(header.count);
    let at = kHeaderBytes;

    if (removed > 0) {
      const gone = new Uint32Array(removed);
      for (let k = 0; k < removed; k++, at += 4) gone[k] = view.getUint32(at, true);
      people.remove(gone);
    }

    const kept = people.count;
    if (this.old_x.length < kept) {
      this.old_x = new Int32Array(people.capacity);
      this.old_y = new Int32Array(people.capacity);
    }
    this.old_x.set(people.x.subarray(0, kept));
    this.old_y.set(people.y.subarray(0, kept));
    for (let k = 0; k < added; k++, at += kRecordBytes) {
      this.record(view, at, kept + k);
      people.source[kept + k] = -1;
    }
    people.count = header.count;
    for (let k = 0; k < changed; k++, at += 4 + kRecordBytes) {
      const index = view.getUint32(at, true);
      if (index >= header.count) throw new FrameError('a change of nobody');
      this.record(view, at + 4, index);
    }
    if (!key) at = this.deltas(view, at, kept, has_elevation, header.time - this.last_time);
    if (vehicles > 0 || this.vehicles.length > 0) this.vehicles = [];
    for (let k = 0; k < vehicles; k++, at += kVehicleBytes) {
      this.vehicles.push({
        x: view.getFloat32(at, true),
        y: view.getFloat32(at + 4, true),
        z: view.getFloat32(at + 8, true),
        heading: view.getFloat32(at + 12, true),
        length: view.getFloat32(at + 16, true),
        width: view.getFloat32(at + 20, true),
      });
    }
    this.last_time = header.time;
    return header;
  }

  /** From here on `source` counts from the order of now. */
  settle(): void {
    const { source, count } = this.people;
    for (let i = 0; i < count; i++) source[i] = i;
  }

  /** Where somebody with this number stands in the columns, or -1. */
  index_of(number: number): number {
    return this.people.number.subarray(0, this.people.count).indexOf(number);
  }

  private record(view: DataView, at: number, i: number): void {
    const p = this.people;
    p.number[i] = view.getUint32(at, true);
    p.x[i] = p.before_x[i] = view.getInt32(at + 4, true);
    p.y[i] = p.before_y[i] = view.getInt32(at + 8, true);
    p.z[i] = view.getInt16(at + 12, true);
    p.heading[i] = view.getUint8(at + 14);
    p.layer[i] = view.getUint8(at + 15);
    p.level[i] = view.getUint8(at + 16);
    p.model[i] = view.getUint8(at + 17);
    p.kind[i] = view.getUint16(at + 18, true);
    p.group[i] = view.getUint32(at + 20, true);
    p.goal[i] = view.getUint16(at + 24, true);
    p.radius[i] = view.getUint8(at + 26);
    p.figure[i] = view.getUint8(at + 27);
    p.preferred[i] = view.getUint16(at + 28, true);
    p.speed[i] = view.getUint16(at + 30, true);
  }

  private deltas(view: DataView, at: number, kept: number, has_elevation: boolean, seconds: number): number {
    const { x, y, z, before_x, before_y, speed, heading } = this.people;
    const { old_x, old_y } = this;
    const bytes = new Uint8Array(view.buffer);
    const codes = at;
    const per_second = seconds > 0 ? 1 / seconds : 0;
    let escape = at + kept;
    if (escape > bytes.length) throw new FrameError('a frame that is too short');
    for (let i = 0; i < kept; i++) {
      const code = bytes[codes + i] as number;
      let dx: number;
      let dy: number;
      if (code === 0) {
        dx = view.getInt16(escape, true);
        dy = view.getInt16(escape + 2, true);
        escape += 4;
      } else {
        dx = (code >> 4) - 8;
        dy = (code & 15) - 8;
      }
      const now_x = x[i] as number;
      const now_y = y[i] as number;
      const next_x = 2 * now_x - (before_x[i] as number) + dx;
      const next_y = 2 * now_y - (before_y[i] as number) + dy;
      before_x[i] = now_x;
      before_y[i] = now_y;
      x[i] = next_x;
      y[i] = next_y;
      if (per_second > 0) {
        const moved_x = next_x - (old_x[i] as number);
        const moved_y = next_y - (old_y[i] as number);
        speed[i] = Math.min(65535, Math.sqrt(moved_x * moved_x + moved_y * moved_y) * per_second);
      }
    }
    at = escape + kept;
    if (at + (has_elevation ? kept : 0) > bytes.length) throw new FrameError('a frame that is too short');
    heading.set(bytes.subarray(escape, at));
    if (has_elevation) {
      for (let i = 0; i < kept; i++) z[i] = (z[i] as number) + view.getInt8(at + i);
      at += kept;
    }
    return at;
  }
}
