// SPDX-License-Identifier: MIT
// A value that tells who looks at it when it changes. Enough for one page; no library needed.
import { useEffect, useReducer } from 'preact/hooks';

export class Signal<T> {
  private readonly readers = new Set<() => void>();

  constructor(private current: T) {}

  get value(): T {
    return this.current;
  }

  set value(next: T) {
    if (Object.is(next, this.current)) return;
    this.current = next;
    for (const reader of [...this.readers]) reader();
  }

  /** Calls back after every change; returns how to stop. */
  watch(reader: () => void): () => void {
    this.readers.add(reader);
    return () => this.readers.delete(reader);
  }
}

export function signal<T>(value: T): Signal<T> {
  return new Signal(value);
}

/** The signal's value in a component, which is drawn again when it changes. */
export function use_signal<T>(source: Signal<T>): T {
  const [, again] = useReducer((count: number) => count + 1, 0);
  const drawn = source.value;
  useEffect(() => {
    const stop = source.watch(() => again(undefined as never));
    // It may have changed between drawing and watching.
    if (!Object.is(drawn, source.value)) again(undefined as never);
    return stop;
  }, [source]);
  return drawn;
}
