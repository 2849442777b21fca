// SPDX-License-Identifier: MIT
// Undo and redo over values that are never changed in place. Changes with one `merge` key that follow each other (a drag, typing in a
// field) are one step.
import { signal } from './signal';

interface Entry<T> {
  value: T;
  label: string;
}

export class History<T> {
  readonly current;
  private past: Entry<T>[] = [];
  private future: Entry<T>[] = [];
  private merge: string | null = null;

  constructor(start: T, private readonly most = 1000) {
    this.current = signal(start);
  }

  get undo_label(): string | null {
    return this.past.at(-1)?.label ?? null;
  }

  get redo_label(): string | null {
    return this.future.at(-1)?.label ?? null;
  }

  reset(value: T): void {
    this.past = [];
    this.future = [];
    this.merge = null;
    this.current.value = value;
  }

  change(value: T, label: string, merge: string | null = null): void {
    if (Object.is(value, this.current.value)) return;
    if (merge === null || merge !== this.merge) {
      this.past.push({ value: this.current.value, label });
      if (this.past.length > this.most) this.past.shift();
    }
    this.merge = merge;
    this.future = [];
    this.current.value = value;
  }

  /** The next change begins a step of its own, whatever its key. */
  settle(): void {
    this.merge = null;
  }

  undo(): string | null {
    return this.move(this.past, this.future);
  }

  redo(): string | null {
    return this.move(this.future, this.past);
  }

  private move(from: Entry<T>[], to: Entry<T>[]): string | null {
    const entry = from.pop();
    if (!entry) return null;
    to.push({ value: this.current.value, label: entry.label });
    this.merge = null;
    this.current.value = entry.value;
    return entry.label;
  }
}
