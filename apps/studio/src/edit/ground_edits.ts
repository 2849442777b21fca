// SPDX-License-Identifier: MIT
// What happened in a branch: its own events, and those of its line of descent up to where it left them. From them, doors and dropped obstacles as they were
// at a moment: the last event of each name.
import type { Branch, GroundEdit, TimedEvent } from '../protocol/messages';

export function events_of(branches: readonly Branch[], branch: number, time = Number.POSITIVE_INFINITY): TimedEvent[] {
  const line: { branch: Branch; until: number }[] = [];
  let until = time;
  let current = branches.find((one) => one.branch === branch);
  while (current) {
    line.unshift({ branch: current, until });
    until = Math.min(until, current.from);
    const parent: number | null = current.parent;
    current = parent === null ? undefined : branches.find((one) => one.branch === parent);
  }
  return line.flatMap((part) => part.branch.events.filter((event) => event.time <= part.until + 1e-6));
}

export function edits_at(branches: readonly Branch[], branch: number, time: number): GroundEdit[] {
  const state = new Map<string, GroundEdit>();
  for (const event of events_of(branches, branch, time)) {
    if (event.edit) state.set(`${event.edit.layer}/${event.edit.name}`, event.edit);
  }
  return [...state.values()];
}

export function same_edits(a: readonly GroundEdit[], b: readonly GroundEdit[]): boolean {
  return a.length === b.length && a.every((edit, i) => edit === b[i]);
}
