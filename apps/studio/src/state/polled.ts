// SPDX-License-Identifier: MIT
// Something that is asked again whenever what it depends on has moved on, at most so often and one question at a time.
import { useEffect, useState } from 'preact/hooks';
import { words_of } from '../protocol/messages';

export interface Polled<T> {
  /** The last one there was, also while it cannot be had. */
  answer: T | null;
  trouble: string | null;
}

/** `moment`: what the answer depends on, as words. `key`: another question; null: none. */
export function use_polled<T>(ask: () => Promise<T>, moment: () => string, every_ms: number, key: string | null): Polled<T> {
  const [state, set_state] = useState<Polled<T>>({ answer: null, trouble: null });
  useEffect(() => {
    if (key === null) return undefined;
    let alive = true;
    let asked: string | null = null;
    let busy = false;
    const refresh = async () => {
      const now = moment();
      if (busy || now === asked) return;
      asked = now;
      busy = true;
      try {
        const answer = await ask();
        if (alive) set_state({ answer, trouble: null });
      } catch (error) {
        if (alive) set_state((before) => ({ ...before, trouble: words_of(error) }));
      } finally {
        busy = false;
      }
    };
    void refresh();
    const timer = setInterval(() => void refresh(), every_ms);
    return () => {
      alive = false;
      clearInterval(timer);
    };
  }, [key]);
  return state;
}
