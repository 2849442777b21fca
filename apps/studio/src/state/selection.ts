// SPDX-License-Identifier: MIT
// The one selection: inspector, highlights, charts and "follow" all look here.
import type { Point } from '../protocol/messages';
import { signal } from './signal';

export type Selection =
  | { what: 'nothing' }
  | { what: 'person'; number: number }
  | { what: 'place'; x: number; y: number; layer: number }
  | { what: 'item'; pointer: string };

export const kNothing: Selection = { what: 'nothing' };

export const selection = signal<Selection>(kNothing);

/** The way ahead of the selected person, once the engine has told it. */
export const selected_way = signal<{ points: Point[]; portals: [Point, Point][]; layer: number } | null>(null);

/** How wide it is at the selected place: the line from wall to wall. */
export const selected_passage = signal<{ points: Point[]; layer: number } | null>(null);

export function is_item(selected: Selection, pointer: string): boolean {
  return selected.what === 'item' && selected.pointer === pointer;
}
