// SPDX-License-Identifier: MIT
// Who is near enough to be a figure: everybody within a distance that is chosen so that there are not too many.
import type { Columns } from '../protocol/frames';

const kBins = 64;
/** They go on walking until the next choice. */
const kMargin = 3;

export interface Near {
  indices: Float32Array;
  count: number;
  /** Nearer than this is a figure, farther is a mark. */
  distance: number;
}

export class NearestChoice {
  private readonly bins = new Uint32Array(kBins);

  choose(people: Columns, origin: readonly [number, number], eye: { x: number; y: number; z: number }, farthest: number, out: Near): void {
    const { x, y, z, count } = people;
    const bins = this.bins.fill(0);
    const scale = kBins / farthest;
    const ex = (eye.x - origin[0]) * 100;
    const ey = (eye.y - origin[1]) * 100;
    const ez = eye.z * 100;
    for (let i = 0; i < count; i++) {
      const dx = (x[i] as number) - ex;
      const dy = (y[i] as number) - ey;
      const dz = (z[i] as number) - ez;
      const distance = Math.sqrt(dx * dx + dy * dy + dz * dz) / 100;
      if (distance < farthest) {
        const bin = (distance * scale) | 0;
        bins[bin] = (bins[bin] as number) + 1;
      }
    }
    let bin = 0;
    for (let sum = 0; bin < kBins; bin++) {
      sum += bins[bin] as number;
      if (sum > out.indices.length) break;
    }
    const candidates = bin / scale;
    out.distance = bin === kBins ? farthest - kMargin : Math.max(0, candidates - kMargin);
    out.count = 0;
    const limit = candidates * candidates * 1e4;
    for (let i = 0; i < count && out.count < out.indices.length; i++) {
      const dx = (x[i] as number) - ex;
      const dy = (y[i] as number) - ey;
      const dz = (z[i] as number) - ez;
      if (dx * dx + dy * dy + dz * dz < limit) out.indices[out.count++] = i;
    }
  }
}
