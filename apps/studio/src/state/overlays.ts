// SPDX-License-Identifier: MIT
// Which overlays are on, and keeping them as new as the picture: one request of each in flight at a time, asked again when the moment or the selection changed.
import { type LegendEntry, RequestError } from '../protocol/messages';
import type { Stage } from '../view/stage';
import { selection } from './selection';
import { signal } from './signal';
import type { Studio } from './studio';

export interface OverlayKind {
  name: string;
  title: string;
  words: string;
  group: 'crowd' | 'ground' | 'fields';
  /** Changes while people move. */
  moves: boolean;
  needs?: 'person' | 'place';
}

export const kOverlays: readonly OverlayKind[] = [
  { name: 'density', title: 'Density', words: 'People per square metre at this moment, each spread over 1.5 m', group: 'crowd', moves: true },
  { name: 'trails', title: 'Trails', words: 'Where everybody walked', group: 'crowd', moves: true },
  { name: 'flows', title: 'Flows', words: 'Paths of flows and how many take them', group: 'crowd', moves: true },
  { name: 'cells', title: 'Cells', words: 'Convex cells of the ground', group: 'ground', moves: false },
  { name: 'portals', title: 'Portals', words: 'Where cells meet, and bottlenecks with their width', group: 'ground', moves: false },
  { name: 'topology', title: 'Topology', words: 'Passages, crossroads, dead ends', group: 'ground', moves: false },
  { name: 'zones', title: 'Zones', words: 'The hierarchy plans are made on', group: 'ground', moves: false },
  { name: 'discs', title: 'Discs and gates', words: 'The navigation graph', group: 'ground', moves: false },
  { name: 'regions', title: 'Regions', words: 'Where the simulation takes most care', group: 'crowd', moves: true },
  { name: 'roadmap', title: 'Roadmap', words: 'The graph paths are searched on', group: 'ground', moves: false },
  { name: 'walls', title: 'Walls', words: 'The ground as the engine has it now', group: 'ground', moves: true },
  { name: 'neighbours', title: 'Neighbours', words: 'Who sees whom', group: 'crowd', moves: true },
  { name: 'personal_space', title: 'Personal space', words: 'Space and predictions of the selected person', group: 'crowd', moves: true, needs: 'person' },
  { name: 'visibility', title: 'Visibility', words: 'What is seen from the selected place', group: 'ground', moves: false, needs: 'place' },
  { name: 'mean_density', title: 'Density so far', words: 'Mean over the run up to this moment', group: 'crowd', moves: true },
  { name: 'load', title: 'Load', words: 'Which zones are crowded', group: 'crowd', moves: true },
  { name: 'potential', title: 'Potential', words: 'Cost of the way to a goal', group: 'fields', moves: true },
  { name: 'density_field', title: 'Density field', words: 'The density fields are made of', group: 'fields', moves: true },
  { name: 'speed_field', title: 'Speed field', words: 'How fast one can walk', group: 'fields', moves: true },
  { name: 'velocity_field', title: 'Velocity field', words: 'Where the crowd goes', group: 'fields', moves: true },
];

export function overlay_kind(name: string): OverlayKind | undefined {
  return kOverlays.find((kind) => kind.name === name);
}

export interface OverlayState {
  count: number;
  legend: LegendEntry[];
  /** Why there is nothing, in the engine's words. */
  trouble: string | null;
}

const kAskEveryMs = 300;

export class OverlayKeeper {
  readonly states = signal<Readonly<Record<string, OverlayState>>>({});
  readonly zone_depth = signal(4);
  private readonly asked = new Map<string, string>();
  private readonly in_flight = new Set<string>();
  private readonly asked_at = new Map<string, number>();

  constructor(private readonly studio: Studio, private readonly stage: Stage) {
    studio.overlays.watch(() => this.drop_old());
    setInterval(() => this.refresh(), 100);
  }

  toggle(name: string): void {
    const on = this.studio.overlays.value;
    this.studio.overlays.value = on.includes(name) ? on.filter((one) => one !== name) : [...on, name];
    this.refresh();
  }

  private drop_old(): void {
    const on = this.studio.overlays.value;
    for (const name of [...this.asked.keys()]) {
      if (on.includes(name)) continue;
      this.asked.delete(name);
      this.asked_at.delete(name);
      this.stage.set_overlay(name, null, 0);
      const { [name]: _gone, ...rest } = this.states.value;
      this.states.value = rest;
    }
  }

  private refresh(): void {
    if (!this.studio.document.value) return;
    for (const name of this.studio.overlays.value) void this.ask(name);
  }

  private async ask(name: string): Promise<void> {
    const kind = overlay_kind(name);
    const now = performance.now();
    if (!kind || this.in_flight.has(name) || now - (this.asked_at.get(name) ?? -Infinity) < kAskEveryMs) return;
    const { branch } = this.studio.cursor.value;
    const time = this.studio.shown_time.value;
    const selected = selection.value;
    const layer = selected.what === 'place' && kind.needs === 'place' ? selected.layer : this.studio.edit_layer.value;
    const words = {
      name, layer, branch, time,
      ...(selected.what === 'person' ? { agent: selected.number } : {}),
      ...(selected.what === 'place' ? { at: [selected.x, selected.y] as [number, number] } : {}),
      ...(name === 'zones' ? { depth: this.zone_depth.value } : {}),
    };
    if (kind.needs && selected.what !== kind.needs) {
      this.show_trouble(name, kind.needs === 'person' ? 'Click a person first' : 'Click a place on the ground first');
      return;
    }
    const key = JSON.stringify(kind.moves ? words : { ...words, time: 0 });
    if (this.asked.get(name) === key) return;
    this.asked.set(name, key);
    this.asked_at.set(name, now);
    this.in_flight.add(name);
    try {
      const answer = await this.studio.connection.ask('overlay', words);
      if (!this.studio.overlays.value.includes(name)) return;
      this.stage.set_overlay(name, answer, layer);
      this.states.value = { ...this.states.value, [name]: { count: answer.count, legend: answer.legend, trouble: answer.count === 0 ? 'Nothing to draw here' : null } };
    } catch (error) {
      if (error instanceof RequestError) this.show_trouble(name, error.problems[0]?.what ?? error.message);
    } finally {
      this.in_flight.delete(name);
    }
  }

  private show_trouble(name: string, trouble: string): void {
    if (this.states.value[name]?.trouble === trouble) return;
    this.asked.set(name, '');
    this.stage.set_overlay(name, null, 0);
    this.states.value = { ...this.states.value, [name]: { count: 0, legend: [], trouble } };
  }
}
