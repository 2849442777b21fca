// SPDX-License-Identifier: MIT
// Something that is asked again whenever what it depends on has moved on, at most so often and one question at a time.
import { useEffect, useState } from 'preact/hooks';
import { words_of } from '../protocol/messages';

export interface Polled<T> {
  /** The last one there was, also while it cannot be had. */
  answer: T | null;
  trouble: string | null;
}

/** Asked again sooner, where the server goes on counting with each question. */
const kGoOnMs = 30;

/** Of what comes in parts: whether this is all of it. */
function is_complete(answer: unknown): boolean {
  return !(typeof answer === 'object' && answer !== null && 'complete' in answer) || answer.complete === true;
}

/** `moment`: what the answer depends on, as words. `key`: another question; null: none. An answer that is not complete is asked for again. */
export function use_polled<T>(ask: () => Promise<T>, moment: () => string, every_ms: number, key: string | null): Polled<T> {
  const [state, set_state] = useState<Polled<T>>({ answer: null, trouble: null });
  useEffect(() => {
    if (key === null) return undefined;
    let alive = true;
    let asked: string | null = null;
    let busy = false;
    let soon: ReturnType<typeof setTimeout> | undefined;
    const refresh = async () => {
      const now = moment();
      if (busy || now === asked) return;
      asked = now;
      busy = true;
      try {
        const answer = await ask();
        if (alive) set_state({ answer, trouble: null });
        if (alive && !is_complete(answer)) {
          asked = null;
          soon = setTimeout(() => void refresh(), kGoOnMs);
        }
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
      clearTimeout(soon);
    };
  }, [key]);
  return state;
}
