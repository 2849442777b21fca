// SPDX-License-Identifier: MIT
// What the page costs and shows, for tests and the curious: window.throngStats.

export interface ThrongStats {
  /** Frames drawn since the page was opened. */
  frames: number;
  /** Nothing moves, and all there is has been drawn. */
  at_rest: boolean;
  people: number;
  figures: number;
  /** People of the last frame who have a goal. */
  goals: number;
  time: number;
  branch: number;
  step: number;
  /** Milliseconds of script a drawn frame with the decoding of what came for it, over the last 120: their mean, and the median one. */
  script_ms: number;
  script_median_ms: number;
  /** Median of handing the scene to WebGL, which waits for the renderer where that is software; not in the above. */
  submit_median_ms: number;
  decode_median_ms: number;
  bytes_per_person: number;
  /** Primitives drawn of each overlay. */
  overlays: Record<string, number>;
  /** Where a place of the scene is on the page, in pixels: what a test needs to click on it. */
  on_page: (x: number, y: number, z: number) => { x: number; y: number };
}

declare global {
  interface Window {
    throngStats: ThrongStats;
  }
}

const kKept = 120;
const kSumEvery = 10;

class Recent {
  private readonly values = new Float64Array(kKept);
  private next = 0;
  private filled = 0;

  add(value: number): void {
    this.values[this.next] = value;
    this.next = (this.next + 1) % kKept;
    this.filled = Math.min(kKept, this.filled + 1);
  }

  mean(): number {
    let sum = 0;
    for (let k = 0; k < this.filled; k++) sum += this.values[k] as number;
    return this.filled ? sum / this.filled : 0;
  }

  median(): number {
    const sorted = this.values.slice(0, this.filled).sort();
    return sorted[this.filled >> 1] ?? 0;
  }
}

export class StatsKeeper {
  readonly stats: ThrongStats;
  private readonly script = new Recent();
  private readonly submit = new Recent();
  private readonly decode = new Recent();
  private pending = 0;

  constructor(on_page: ThrongStats['on_page']) {
    this.stats = {
      frames: 0, at_rest: false, people: 0, figures: 0, goals: 0, time: 0, branch: 0, step: 0, script_ms: 0, script_median_ms: 0, submit_median_ms: 0, decode_median_ms: 0, bytes_per_person: 0, overlays: {}, on_page,
    };
    window.throngStats = this.stats;
  }

  decoded(ms: number, bytes: number, people: number): void {
    this.pending += ms;
    this.decode.add(ms);
    this.stats.bytes_per_person = people ? bytes / people : 0;
  }

  drew(update_ms: number, submit_ms: number): void {
    this.script.add(update_ms + this.pending);
    this.submit.add(submit_ms);
    this.pending = 0;
    this.stats.frames++;
    if (this.stats.frames % kSumEvery !== 0) return;
    this.stats.script_ms = this.script.mean();
    this.stats.script_median_ms = this.script.median();
    this.stats.submit_median_ms = this.submit.median();
    this.stats.decode_median_ms = this.decode.median();
  }
}
