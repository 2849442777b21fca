// SPDX-License-Identifier: MIT
// Doors and dropped obstacles as they were at a moment of a branch: the events of its line of descent up to then, the last one of each name.
import type { Branch, GroundEdit } from '../protocol/messages';

export function edits_at(branches: readonly Branch[], branch: number, time: number): GroundEdit[] {
  const state = new Map<string, GroundEdit>();
  const line: { branch: Branch; until: number }[] = [];
  let until = time;
  let current = branches.find((one) => one.branch === branch);
  while (current) {
    line.unshift({ branch: current, until });
    until = Math.min(until, current.from);
    const parent: number | null = current.parent;
    current = parent === null ? undefined : branches.find((one) => one.branch === parent);
  }
  for (const part of line) {
    for (const event of part.branch.events) {
      if (event.edit && event.time <= part.until + 1e-6) state.set(`${event.edit.layer}/${event.edit.name}`, event.edit);
    }
  }
  return [...state.values()];
}

export function same_edits(a: readonly GroundEdit[], b: readonly GroundEdit[]): boolean {
  return a.length === b.length && a.every((edit, i) => edit === b[i]);
}
