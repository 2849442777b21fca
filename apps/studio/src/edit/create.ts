// SPDX-License-Identifier: MIT
// New things in a scenario, with names of their own and sensible first values. Each returns the changed scenario and the pointer to select.
import type { Json, JsonObject, Point, Ring } from '../protocol/messages';
import { get_at, is_object, pointer_of, set_at } from '../state/json';
import { ring_bounds } from '../view/geometry';
import { layer_pointer } from '../view/floors';
import { find_area, items_of, layer_index, snapped } from './items';

export interface Created {
  scenario: JsonObject;
  pointer: string;
}

export const kFirstCrowd = 20;

function free_name(base: string, taken: (name: string) => boolean): string {
  for (let k = 1; ; k++) if (!taken(`${base} ${k}`)) return `${base} ${k}`;
}

function free_key(scenario: JsonObject, parent: string, base: string): string {
  const names = get_at(scenario, parent);
  return free_name(base, (name) => is_object(names) && name in names);
}

function rounded(ring: Ring): Ring {
  return ring.map(([x, y]) => [snapped(x), snapped(y)]);
}

function is_box(ring: Ring): boolean {
  const [x0, y0, x1, y1] = ring_bounds([ring]);
  return ring.length === 4 && ring.every(([x, y]) => (x === x0 || x === x1) && (y === y0 || y === y1));
}

function on_layer(layer: number): JsonObject {
  return layer === 0 ? {} : { layer };
}

function push(scenario: JsonObject, list: string, value: Json): Created {
  const before = get_at(scenario, list);
  const index = Array.isArray(before) ? before.length : 0;
  return { scenario: set_at(scenario, list, [...(Array.isArray(before) ? before : []), value]), pointer: `${list}/${index}` };
}

export function add_obstacle(scenario: JsonObject, layer: number, ring: Ring): Created {
  return push(scenario, `${layer_pointer(scenario, layer)}/obstacles`, rounded(ring));
}

export function add_door(scenario: JsonObject, layer: number, ring: Ring): Created {
  const name = free_name('door', (one) => find_area(scenario, one) !== null);
  return push(scenario, '/scene/areas', { name, polygon: rounded(ring), ...on_layer(layer) });
}

export function add_area(scenario: JsonObject, layer: number, ring: Ring, base = 'area'): Created & { name: string } {
  const name = free_name(base, (one) => find_area(scenario, one) !== null);
  const outline = rounded(ring);
  const shape: JsonObject = is_box(outline) ? { box: ring_bounds([outline]) } : { polygon: outline };
  const pointer = pointer_of('areas', name);
  return { scenario: set_at(scenario, pointer, { ...shape, ...on_layer(layer) }), pointer, name };
}

/** The plan that leads to an area and ends there, made if there is none. */
export function plan_to(scenario: JsonObject, area: string): { scenario: JsonObject; plan: string } {
  const plans = get_at(scenario, '/plans');
  if (is_object(plans)) {
    for (const [name, plan] of Object.entries(plans)) {
      const goals = is_object(plan) ? plan['goals'] : undefined;
      if (Array.isArray(goals) && goals.length === 1 && goals[0] === area) return { scenario, plan: name };
    }
  }
  const plan = is_object(plans) && `to ${area}` in plans ? free_key(scenario, '/plans', `to ${area}`) : `to ${area}`;
  return { scenario: set_at(scenario, pointer_of('plans', plan), { goals: [area], end: 'leave' }), plan };
}

function has_no_aim(value: Json): boolean {
  return is_object(value) && ['plan', 'flow', 'heading', 'goals'].every((key) => value[key] === undefined);
}

/** A goal: an area and a plan to it. The selected people, or those who have nowhere to go, get it. */
export function add_goal(scenario: JsonObject, layer: number, ring: Ring, selected: string | null): Created {
  const area = add_area(scenario, layer, ring, 'goal');
  const made = plan_to(area.scenario, area.name);
  let next = made.scenario;
  for (const item of items_of(next)) {
    if (item.kind !== 'population' && item.kind !== 'source') continue;
    const value = get_at(next, item.pointer);
    if (value !== undefined && has_no_aim(value) && (selected === null || selected === item.pointer || !/^\/(populations|sources)\//.test(selected))) {
      next = set_at(next, `${item.pointer}/plan`, made.plan);
    }
  }
  return { scenario: next, pointer: area.pointer };
}

/** The goal that was made last, for people who are placed after it. */
function last_goal_plan(scenario: JsonObject): string | null {
  const plans = get_at(scenario, '/plans');
  return is_object(plans) ? (Object.keys(plans).filter((name) => name.startsWith('to goal')).at(-1) ?? null) : null;
}

export function add_people(scenario: JsonObject, layer: number, ring: Ring): Created {
  const area = add_area(scenario, layer, ring, 'crowd');
  const plan = last_goal_plan(scenario);
  return push(area.scenario, '/populations', { count: kFirstCrowd, area: area.name, ...(plan ? { plan } : {}) });
}

/** One person, where one clicks: with those of the selected list of people, or the first of a new one. */
export function add_person(scenario: JsonObject, layer: number, place: Point, selected: string | null): Created {
  const at: Point = [snapped(place[0]), snapped(place[1])];
  const list = selected === null ? undefined : get_at(scenario, selected);
  if (selected !== null && is_object(list) && Array.isArray(list['positions']) && list['goals'] === undefined && layer_index(scenario, list['layer']) === layer) {
    return { scenario: set_at(scenario, `${selected}/positions`, [...list['positions'], at]), pointer: selected };
  }
  const plan = last_goal_plan(scenario);
  return push(scenario, '/populations', { positions: [at], ...on_layer(layer), ...(plan ? { plan } : {}) });
}

export function add_source(scenario: JsonObject, layer: number, ring: Ring): Created {
  const area = add_area(scenario, layer, ring, 'entrance');
  const plan = last_goal_plan(scenario);
  return push(area.scenario, '/sources', { area: area.name, rate: 1, ...(plan ? { plan } : {}) });
}

export function add_region(scenario: JsonObject, centre: Point, radius: number): Created {
  const name = free_key(scenario, '/settings/interest/regions', 'region');
  const pointer = pointer_of('settings', 'interest', 'regions', name);
  return { scenario: set_at(scenario, pointer, { centre: [snapped(centre[0]), snapped(centre[1])], radius: Math.max(0.5, snapped(radius)) }), pointer };
}

export function add_vehicle(scenario: JsonObject, layer: number, path: Point[]): Created {
  const name = free_key(scenario, '/vehicles', 'vehicle');
  const pointer = pointer_of('vehicles', name);
  return { scenario: set_at(scenario, pointer, { path: rounded(path), ...on_layer(layer) }), pointer };
}

export function add_line(scenario: JsonObject, layer: number, [from, to]: [Point, Point]): Created {
  const name = free_key(scenario, '/measurements/lines', 'line');
  const pointer = pointer_of('measurements', 'lines', name);
  return { scenario: set_at(scenario, pointer, { from: rounded([from])[0] as Point, to: rounded([to])[0] as Point, ...on_layer(layer) }), pointer };
}

/** A plan to the first area there is; more goals are added in its form. */
export function add_plan(scenario: JsonObject): Created {
  const name = free_key(scenario, '/plans', 'plan');
  const pointer = pointer_of('plans', name);
  const area = items_of(scenario).find((item) => item.kind === 'area');
  return { scenario: set_at(scenario, pointer, { goals: area ? [area.name] : [], end: 'leave' }), pointer };
}

export function add_kind(scenario: JsonObject): Created {
  const pointer = pointer_of('kinds', free_key(scenario, '/kinds', 'kind'));
  return { scenario: set_at(scenario, pointer, { base: 'adult' }), pointer };
}

export function add_model(scenario: JsonObject): Created {
  const pointer = pointer_of('models', free_key(scenario, '/models', 'model'));
  return { scenario: set_at(scenario, pointer, { base: 'reactive' }), pointer };
}

/** At the moment that is looked at: the first door closes, or, without one, everybody walks a little slower. */
export function add_event(scenario: JsonObject, time: number): Created {
  const door = items_of(scenario).find((item) => item.kind === 'door');
  return push(scenario, '/events', { time: snapped(time), actions: [door ? { close_door: door.name } : { scale_speed: 0.8 }] });
}
