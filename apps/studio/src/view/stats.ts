// SPDX-License-Identifier: MIT
// What the page costs and shows, for tests and the curious: window.throngStats.

export interface ThrongStats {
  /** Frames drawn since the page was opened. */
  frames: number;
  people: number;
  figures: number;
  time: number;
  branch: number;
  step: number;
  /** Milliseconds of script a drawn frame, frames of the last two seconds: mean and largest. Decoding of messages is in it. */
  script_ms: number;
  script_most_ms: number;
  /** Of these, handing the scene to WebGL. */
  submit_ms: number;
  decode_ms: number;
  bytes_per_person: number;
  overlays: Record<string, number>;
}

declare global {
  interface Window {
    throngStats: ThrongStats;
  }
}

const kKept = 120;

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

  most(): number {
    let most = 0;
    for (let k = 0; k < this.filled; k++) most = Math.max(most, this.values[k] as number);
    return most;
  }
}

export class StatsKeeper {
  readonly stats: ThrongStats = {
    frames: 0, people: 0, figures: 0, time: 0, branch: 0, step: 0, script_ms: 0, script_most_ms: 0, submit_ms: 0, decode_ms: 0, bytes_per_person: 0, overlays: {},
  };
  private readonly script = new Recent();
  private readonly submit = new Recent();
  private readonly decode = new Recent();
  private pending = 0;

  constructor() {
    window.throngStats = this.stats;
  }

  decoded(ms: number, bytes: number, people: number): void {
    this.pending += ms;
    this.decode.add(ms);
    this.stats.decode_ms = this.decode.mean();
    this.stats.bytes_per_person = people ? bytes / people : 0;
  }

  drew(update_ms: number, submit_ms: number): void {
    this.script.add(update_ms + submit_ms + this.pending);
    this.submit.add(submit_ms);
    this.pending = 0;
    this.stats.frames++;
    this.stats.script_ms = this.script.mean();
    this.stats.script_most_ms = this.script.most();
    this.stats.submit_ms = this.submit.mean();
  }
}
