// SPDX-License-Identifier: MIT
// One colour for each place, in the scene, the charts and the results: that of people who walk to it. A line at a goal has the goal's.
import type { NamedArea, Point, StudioDocument } from '../protocol/messages';
import { kKindColors, kKindsOnDark } from '../view/colors';
import { distance_to_path, in_ring } from '../view/geometry';

/** Of people coloured by goal the last colour stands for none. */
const kColors = 7;
const kAtGoal = 1;

function is_at(area: NamedArea, places: readonly Point[]): boolean {
  const ring = area.shape[0] ?? [];
  const first = ring[0];
  if (!first) return false;
  return places.some(([x, y]) => in_ring(x, y, ring) || distance_to_path(x, y, [...ring, first]) < kAtGoal);
}

export function place_colors(document: StudioDocument, dark: boolean): Map<string, string> {
  const palette = dark ? kKindsOnDark : kKindColors;
  const color = (index: number) => palette[index % kColors] as string;
  const colors = new Map<string, string>((document.goals ?? []).map((name, index): [string, string] => [name, color(index)]));
  const goals = document.areas.filter((area) => area.kind === 'goal' || area.kind === 'door');
  const taken = new Set(goals.map((area) => colors.get(area.name)));
  const free = palette.slice(0, kColors).filter((one) => !taken.has(one));
  let next = 0;
  for (const line of document.lines ?? []) {
    const middle: Point = [(line.from[0] + line.to[0]) / 2, (line.from[1] + line.to[1]) / 2];
    const goal = goals.find((area) => area.kind === 'goal' && area.layer === line.layer && is_at(area, [middle]));
    const own = (free.length > 0 ? free[next++ % free.length] : color(next++)) as string;
    if (!colors.has(line.name)) colors.set(line.name, (goal && colors.get(goal.name)) ?? own);
  }
  return colors;
}
