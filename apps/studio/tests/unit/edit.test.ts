// SPDX-License-Identifier: MIT
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { add_door, add_goal, add_line, add_obstacle, add_people, add_person, add_region, add_vehicle, plan_to } from '../../src/edit/create';
import { edits_at } from '../../src/edit/ground_edits';
import { type Item, items_of, move_handle, move_item, remove_item } from '../../src/edit/items';
import { fields_of, range_problem, schema_at, split_unit } from '../../src/edit/schema';
import type { Branch, JsonObject, Ring } from '../../src/protocol/messages';
import { get_at } from '../../src/state/json';

function read(path: string): JsonObject {
  return JSON.parse(readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8')) as JsonObject;
}

const kBox: Ring = [[1, 1], [3, 1], [3, 2], [1, 2]];

function item_at(scenario: JsonObject, pointer: string): Item {
  return items_of(scenario).find((item) => item.pointer === pointer) as Item;
}

describe('items of a scenario', () => {
  it('the station square has everything that its file has', () => {
    const kinds = new Map<string, number>();
    for (const item of items_of(read('scenes/station_square.json'))) kinds.set(item.kind, (kinds.get(item.kind) ?? 0) + 1);
    expect(Object.fromEntries(kinds)).toEqual({ obstacle: 5, door: 1, area: 5, population: 4, source: 1, region: 3, vehicle: 1, plan: 2, flow: 2, model: 1, event: 3 });
  });

  it('a crowd moves with the area it stands in', () => {
    const scenario = read('scenes/bottleneck.json');
    const moved = move_item(scenario, item_at(scenario, '/populations/0'), 1, 2);
    expect(get_at(moved, '/areas/room/box')).toEqual([1, 2, 9, 12]);
    expect(get_at(scenario, '/areas/room/box')).toEqual([0, 0, 8, 10]);
  });

  it('people are placed one by one: those on one layer in one list, and none into a list with goals of its own', () => {
    const scene = { throng_scenario: 1, scene: { throng_scene: 1, layers: [{ name: 'down' }, { name: 'up' }] }, plans: { 'to goal 1': { goals: ['goal 1'] } } } as JsonObject;
    const first = add_person(scene, 1, [2.04, 3], null);
    expect(get_at(first.scenario, first.pointer)).toEqual({ positions: [[2, 3]], layer: 1, plan: 'to goal 1' });
    const second = add_person(first.scenario, 1, [4, 5], first.pointer);
    expect(second.pointer).toBe(first.pointer);
    expect(get_at(second.scenario, `${first.pointer}/positions`)).toEqual([[2, 3], [4, 5]]);
    expect(add_person(second.scenario, 0, [4, 5], first.pointer).pointer).toBe('/populations/1');
    const with_goals = { ...scene, populations: [{ positions: [[1, 1]], goals: [[9, 9]] }] } as JsonObject;
    expect(add_person(with_goals, 0, [4, 5], '/populations/0').pointer).toBe('/populations/1');
    expect(items_of(second.scenario).find((item) => item.pointer === first.pointer)?.name).toBe('2 people');
  });

  it('a corner of a box moves, the opposite one stays', () => {
    const scenario = read('scenes/bottleneck.json');
    expect(get_at(move_handle(scenario, item_at(scenario, '/areas/room'), 2, [6, 7]), '/areas/room/box')).toEqual([0, 0, 6, 7]);
  });

  it('a region has a middle and a rim', () => {
    const { scenario, pointer } = add_region({ scene: {} }, [5, 5], 3);
    expect(get_at(move_handle(scenario, item_at(scenario, pointer), 1, [5, 12]), pointer)).toEqual({ centre: [5, 5], radius: 7 });
    expect(get_at(move_handle(scenario, item_at(scenario, pointer), 0, [1, 2]), pointer)).toEqual({ centre: [1, 2], radius: 3 });
  });

  it('the two ends of a measuring line move apart from each other', () => {
    const { scenario, pointer } = add_line({ scene: {} }, 0, [[0, 0], [2, 0]]);
    expect(get_at(move_handle(scenario, item_at(scenario, pointer), 1, [5, 5]), pointer)).toEqual({ from: [0, 0], to: [5, 5] });
  });

  it('deleting the last of a list takes the list along, but leaves the scene', () => {
    const vehicle = add_vehicle({ scene: {} }, 0, [[0, 0], [9, 0]]);
    expect(remove_item(vehicle.scenario, item_at(vehicle.scenario, vehicle.pointer))).toEqual({ scene: {} });
    const door = add_door({ scene: {} }, 0, kBox);
    expect(remove_item(door.scenario, item_at(door.scenario, door.pointer))).toEqual({ scene: { areas: [] } });
  });
});

describe('new things', () => {
  it('people who stand get the goal that is drawn after them', () => {
    const people = add_people({ scene: {} }, 0, kBox);
    expect(get_at(people.scenario, people.pointer)).toEqual({ count: 20, area: 'crowd 1' });
    const goal = add_goal(people.scenario, 0, [[8, 8], [9, 8], [9, 9], [8, 9]], people.pointer);
    expect(get_at(goal.scenario, people.pointer)).toEqual({ count: 20, area: 'crowd 1', plan: 'to goal 1' });
    expect(get_at(goal.scenario, '/plans/to goal 1')).toEqual({ goals: ['goal 1'], end: 'leave' });
  });

  it('people drawn after a goal go there, and those who have a plan keep it', () => {
    const goal = add_goal({ scene: {}, populations: [{ count: 5, plan: 'home' }] }, 0, kBox, null);
    const people = add_people(goal.scenario, 0, kBox);
    expect(get_at(people.scenario, '/populations')).toEqual([{ count: 5, plan: 'home' }, { count: 20, area: 'crowd 1', plan: 'to goal 1' }]);
  });

  it('obstacles go to the layer that is edited', () => {
    const scenario = { scene: { layers: [{ name: 'a' }, { name: 'b' }] } };
    expect(add_obstacle(scenario, 1, kBox).pointer).toBe('/scene/layers/1/obstacles/0');
    expect(add_obstacle({ scene: {} }, 0, kBox).pointer).toBe('/scene/obstacles/0');
  });

  it('a plan to an area is made once', () => {
    const once = plan_to({ scene: {} }, 'hall');
    expect(plan_to(once.scenario, 'hall')).toEqual(once);
  });
});

describe('forms from the schema', () => {
  const schema = read('docs/formats/scenario.schema.json');

  it('settings have words, a unit, a range and a default', () => {
    const dt = fields_of(schema, schema_at(schema, {}, '/settings')).find((field) => field.key === 'dt');
    expect(dt).toMatchObject({ type: 'number', words: 'Length of a step.', unit: 's', minimum: 0.001, maximum: 1, default: 0.1 });
  });

  it('every field of every part of every scene has an input of its own', () => {
    const scenario = read('scenes/station_square.json');
    const types = new Map<string, string>();
    for (const item of items_of(scenario)) {
      if (item.kind === 'obstacle' || item.kind === 'door') continue;
      const fields = fields_of(schema, schema_at(schema, scenario, item.pointer));
      expect(fields.length, item.pointer).toBeGreaterThan(0);
      for (const field of fields) types.set(`${item.kind}.${field.key}`, field.type);
    }
    expect(types.get('population.count')).toBe('integer');
    expect(types.get('population.plan')).toBe('weights');
    expect(types.get('population.area')).toBe('name');
    expect(types.get('population.pre_movement')).toBe('quantity');
    expect(types.get('vehicle.comes_back')).toBe('boolean');
    expect(types.get('plan.end')).toBe('choice');
    expect(types.get('region.radius')).toBe('number');
    // A model's settings are those of its base.
    expect(types.has('model.max_goals')).toBe(true);
    expect(types.has('model.right_bias')).toBe(false);
  });

  it('ranges are those of the schema', () => {
    const dt = fields_of(schema, schema_at(schema, {}, '/settings')).find((field) => field.key === 'dt');
    expect(dt && range_problem(dt, 0.05)).toBeNull();
    expect(dt && range_problem(dt, 2)).toBe('from 0.001 to 1 s');
  });

  it('a description without a unit stays whole', () => {
    expect(split_unit('Most paths; 0: as many as there are.')).toEqual({ words: 'Most paths; 0: as many as there are.', unit: '' });
    expect(split_unit('Of that. In m²/s.')).toEqual({ words: 'Of that.', unit: 'm²/s' });
  });
});

describe('the ground at a moment', () => {
  const closed = { name: 'door', layer: 0, polygon: [kBox] };
  const opened = { name: 'door', layer: 0, polygon: null };
  const crate = { name: 'crate', layer: 0, polygon: [kBox] };
  const base: Branch = { branch: 0, name: 'A', parent: null, from: 0, start: 0, end: 100, running: false, done: true, events: [
    { time: 10, kind: 'close_door', words: '', edit: closed }, { time: 50, kind: 'open_door', words: '', edit: opened },
  ] };
  const other: Branch = { ...base, branch: 1, name: 'B', parent: 0, from: 30, start: 30, events: [{ time: 30, kind: 'add_obstacle', words: '', edit: crate }] };

  it('a door is as its last event left it', () => {
    expect(edits_at([base], 0, 5)).toEqual([]);
    expect(edits_at([base], 0, 20)).toEqual([closed]);
    expect(edits_at([base], 0, 60)).toEqual([opened]);
  });

  it('a branch has its parent\'s events up to where it left it, and its own', () => {
    expect(edits_at([base, other], 1, 60)).toEqual([closed, crate]);
    expect(edits_at([base, other], 0, 60)).toEqual([opened]);
  });
});
