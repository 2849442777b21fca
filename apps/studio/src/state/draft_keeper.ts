// SPDX-License-Identifier: MIT
// Keeps what is edited and not saved yet as a draft on the disk of the program, a moment after each edit: neither a page nor a program that ends takes it along.
import type { Connection } from '../protocol/connection';
import { type DraftOrigin, type JsonObject, words_of } from '../protocol/messages';
import { signal } from './signal';

export type Keeping =
  /** Nothing is edited that lies nowhere else. */
  | { state: 'clean' }
  | { state: 'pending' }
  /** On disk, since this time (ms since 1970). */
  | { state: 'kept'; at: number }
  | { state: 'failed'; why: string };

export interface Edited {
  scenario: JsonObject;
  /** It is what a file, a named scene or a dropped file holds. */
  is_clean: boolean;
  of: DraftOrigin;
}

const kDelayMs = 150;
const kRetryMs = 3000;

export class DraftKeeper {
  readonly keeping = signal<Keeping>({ state: 'clean' });
  private id: string | null = null;
  private kept: JsonObject | null = null;
  private timer: ReturnType<typeof setTimeout> | null = null;
  private writing: Promise<void> | null = null;

  constructor(private readonly connection: Connection, private readonly edited: () => Edited | null) {}

  get draft_id(): string | null {
    return this.id;
  }

  /** After each edit. */
  changed(): void {
    if (!this.connection.live) return;
    const now = this.edited();
    if (!now || now.is_clean) {
      void this.discard();
      return;
    }
    if (now.scenario === this.kept) return;
    if (this.keeping.value.state !== 'pending') this.keeping.value = { state: 'pending' };
    this.later(kDelayMs);
  }

  /** Another document is shown, perhaps one with a draft that is on disk already. What was kept of the last one stays. */
  adopt(draft: { id: string; at: number } | null, scenario: JsonObject): void {
    this.stop();
    this.id = draft?.id ?? null;
    this.kept = draft ? scenario : null;
    this.keeping.value = draft ? { state: 'kept', at: draft.at } : { state: 'clean' };
  }

  /** Until the newest is on disk, or cannot be. */
  async flush(): Promise<void> {
    this.stop();
    while (this.keeping.value.state === 'pending' || this.writing) {
      await (this.writing ?? this.write());
      this.stop();
    }
  }

  /** Removes the draft: what it held is saved, undone, or not wanted. */
  async discard(): Promise<void> {
    this.stop();
    const { id, writing } = this;
    // What is edited from now on is another draft.
    this.id = null;
    this.kept = null;
    this.keeping.value = { state: 'clean' };
    await writing;
    // One that cannot be removed is offered again: no harm.
    if (id !== null) await this.connection.ask('discard', { draft: id }).catch(() => undefined);
  }

  private stop(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
  }

  private later(ms: number): void {
    this.stop();
    this.timer = setTimeout(() => {
      this.timer = null;
      void (this.writing ?? Promise.resolve()).then(() => this.write());
    }, ms);
  }

  private write(): Promise<void> {
    this.writing = this.write_newest().finally(() => {
      this.writing = null;
    });
    return this.writing;
  }

  private async write_newest(): Promise<void> {
    const now = this.edited();
    if (!now || now.is_clean) {
      return;
    }
    const id = (this.id ??= new_id());
    try {
      const { draft } = await this.connection.ask('draft', { draft: id, scenario: now.scenario, ...now.of });
      if (this.id !== id) return;
      this.kept = now.scenario;
      const newest = this.edited();
      if (newest && !newest.is_clean && newest.scenario !== now.scenario) {
        this.keeping.value = { state: 'pending' };
        this.later(0);
      } else if (newest && !newest.is_clean) {
        this.keeping.value = { state: 'kept', at: draft.at };
      }
    } catch (error) {
      if (this.id !== id) return;
      this.keeping.value = { state: 'failed', why: words_of(error) };
      this.later(kRetryMs);
    }
  }
}

function new_id(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(6));
  return `${new Date().toISOString().slice(0, 19).replaceAll(/[^0-9]/g, '')}-${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
