// SPDX-License-Identifier: MIT
// Plays a recording that is embedded in the page (window.THRONG_EMBEDDED), without a server: the same verbs, answered here where they can be.
import type { Connection, Listener } from './connection';
import { type Answer, type Ask, RequestError, type StudioDocument, type Verb } from './messages';

export interface EmbeddedRecording {
  document: StudioDocument;
  branch: number;
  /** Base64 of frames, each preceded by its length (u32); a key frame now and then. */
  frames: string;
}

declare global {
  interface Window {
    THRONG_EMBEDDED?: EmbeddedRecording;
  }
}

interface Stored {
  bytes: ArrayBuffer;
  time: number;
  key: boolean;
}

export function split_frames(base64: string): Stored[] {
  const text = atob(base64);
  const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
  const view = new DataView(bytes.buffer);
  const frames: Stored[] = [];
  for (let at = 0; at + 4 <= bytes.length; ) {
    const length = view.getUint32(at, true);
    const frame = bytes.buffer.slice(at + 4, at + 4 + length);
    const head = new DataView(frame);
    frames.push({ bytes: frame, time: head.getFloat64(8, true), key: (head.getUint8(1) & 1) !== 0 });
    at += 4 + length;
  }
  return frames;
}

const kMostMessagesPerSecond = 30;

export class EmbeddedConnection implements Connection {
  readonly live = false;
  private readonly frames: Stored[];
  private listener: Listener | null = null;
  private cursor = -1;
  private clock = 0;
  private speed = 1;
  private timer: ReturnType<typeof setInterval> | null = null;

  constructor(private readonly recording: EmbeddedRecording) {
    this.frames = split_frames(recording.frames);
  }

  listen(listener: Listener): void {
    this.listener = listener;
    listener.state('open');
  }

  ask<V extends Verb>(verb: V, words: Ask<V>): Promise<Answer<V>> {
    if (verb === 'hello') {
      return Promise.resolve({ version: 1, program: '', folder: '', document: this.recording.document } as Answer<V>);
    }
    if (verb === 'view') {
      this.view(words as Ask<'view'>);
      return Promise.resolve({} as Answer<V>);
    }
    return Promise.reject(new RequestError([{ where: verb, what: 'a recording in a page has no engine behind it', fix: 'open it with `throng studio`' }]));
  }

  private view(words: Ask<'view'>): void {
    this.speed = words.speed;
    if (!words.playing || Math.abs(words.time - this.clock) > 1e-6 || this.cursor < 0) this.seek(words.time);
    this.clock = words.time;
    if (words.playing) this.play();
    else this.pause();
  }

  private seek(time: number): void {
    let target = 0;
    while (target + 1 < this.frames.length && (this.frames[target + 1] as Stored).time <= time + 1e-6) target++;
    let from = target;
    while (from > 0 && !(this.frames[from] as Stored).key) from--;
    for (let k = from; k <= target; k++) this.send(k);
    this.cursor = target;
  }

  private play(): void {
    if (this.timer !== null) return;
    let last = performance.now();
    this.timer = setInterval(() => {
      const now = performance.now();
      this.clock += ((now - last) / 1000) * this.speed;
      last = now;
      while (this.cursor + 1 < this.frames.length && (this.frames[this.cursor + 1] as Stored).time <= this.clock) this.send(++this.cursor);
      if (this.cursor + 1 >= this.frames.length) this.pause();
    }, 1000 / kMostMessagesPerSecond);
  }

  private pause(): void {
    if (this.timer !== null) clearInterval(this.timer);
    this.timer = null;
  }

  private send(index: number): void {
    const frame = this.frames[index];
    if (frame) this.listener?.frame(frame.bytes);
  }
}
