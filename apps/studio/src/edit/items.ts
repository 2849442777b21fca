// SPDX-License-Identifier: MIT
// The things of a scenario that have a place, each known by its JSON pointer: what the outline lists, the scene shows and the mouse moves.
import type { Json, JsonObject, Point, Polygon, Ring } from '../protocol/messages';
import { get_at, is_object, pointer_of, pointer_parts, set_at } from '../state/json';
import { box_ring, circle, distance_to_path, in_polygon, ring_bounds } from '../view/geometry';
import { layer_pointer, polygons_of } from '../view/floors';

export type ItemKind = 'obstacle' | 'door' | 'area' | 'population' | 'source' | 'region' | 'vehicle' | 'line' | 'plan' | 'flow' | 'kind' | 'model' | 'event';

export type Shape = { polygon: Polygon } | { path: Point[] } | { disc: [number, number, number] } | { points: Point[] };

export interface Item {
  pointer: string;
  kind: ItemKind;
  name: string;
  layer: number;
  shape: Shape | null;
  /** Where the shape is written, if not at the item: people are in an area. */
  shape_pointer: string;
}

export function layer_index(scenario: JsonObject, value: Json | undefined): number {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string') return 0;
  const layers = get_at(scenario, '/scene/layers');
  const found = Array.isArray(layers) ? layers.findIndex((layer) => is_object(layer) && layer['name'] === value) : -1;
  return Math.max(0, found);
}

export function area_shape(value: Json | undefined): Polygon | null {
  if (Array.isArray(value)) return polygons_of([value])[0] ?? null;
  if (!is_object(value)) return null;
  if (Array.isArray(value['box'])) return [box_ring(value['box'] as [number, number, number, number])];
  return value['polygon'] === undefined ? null : (polygons_of([value['polygon']])[0] ?? null);
}

function entries(value: Json | undefined): [string, Json][] {
  if (Array.isArray(value)) return value.map((one, i) => [String(i), one]);
  return is_object(value) ? Object.entries(value) : [];
}

function item(pointer: string, kind: ItemKind, name: string, layer: number, shape: Shape | null, shape_pointer = pointer): Item {
  return { pointer, kind, name, layer, shape, shape_pointer };
}

/** Pointer and shape of an area by name, of the scenario or of the scene. */
export function find_area(scenario: JsonObject, name: string): { pointer: string; polygon: Polygon; layer: number } | null {
  const own = get_at(scenario, pointer_of('areas', name));
  const polygon = area_shape(own);
  if (polygon) return { pointer: pointer_of('areas', name), polygon, layer: layer_index(scenario, is_object(own) ? own['layer'] : undefined) };
  for (const [i, area] of entries(get_at(scenario, '/scene/areas'))) {
    if (!is_object(area) || area['name'] !== name) continue;
    const shape = area_shape(area);
    if (shape) return { pointer: pointer_of('scene', 'areas', i), polygon: shape, layer: layer_index(scenario, area['layer']) };
  }
  return null;
}

function crowd_item(scenario: JsonObject, pointer: string, kind: 'population' | 'source', value: JsonObject): Item {
  const positions = value['positions'];
  const count = Array.isArray(positions) ? positions.length : value['count'];
  const name = kind === 'source' ? `source in ${String(value['area'] ?? '?')}` : `${count === undefined ? 'people' : `${Number(count)} people`}${value['area'] ? ` in ${String(value['area'])}` : ''}`;
  if (Array.isArray(positions)) return item(pointer, kind, name, layer_index(scenario, value['layer']), { points: positions as unknown as Point[] });
  const area = typeof value['area'] === 'string' ? find_area(scenario, value['area']) : null;
  return item(pointer, kind, name, area?.layer ?? 0, area ? { polygon: area.polygon } : null, area?.pointer ?? pointer);
}

export function items_of(scenario: JsonObject): Item[] {
  const items: Item[] = [];
  const layers = get_at(scenario, '/scene/layers');
  const count = Array.isArray(layers) ? layers.length : 1;
  for (let layer = 0; layer < count; layer++) {
    const base = `${layer_pointer(scenario, layer)}/obstacles`;
    polygons_of(get_at(scenario, base)).forEach((polygon, i) => items.push(item(`${base}/${i}`, 'obstacle', `obstacle ${i + 1}`, layer, { polygon })));
  }
  for (const [i, area] of entries(get_at(scenario, '/scene/areas'))) {
    const polygon = area_shape(area);
    if (is_object(area)) items.push(item(pointer_of('scene', 'areas', i), 'door', String(area['name'] ?? i), layer_index(scenario, area['layer']), polygon && { polygon }));
  }
  for (const [name, area] of entries(get_at(scenario, '/areas'))) {
    const polygon = area_shape(area);
    items.push(item(pointer_of('areas', name), 'area', name, layer_index(scenario, is_object(area) ? area['layer'] : undefined), polygon && { polygon }));
  }
  for (const [i, value] of entries(get_at(scenario, '/populations'))) if (is_object(value)) items.push(crowd_item(scenario, pointer_of('populations', i), 'population', value));
  for (const [i, value] of entries(get_at(scenario, '/sources'))) if (is_object(value)) items.push(crowd_item(scenario, pointer_of('sources', i), 'source', value));
  for (const [name, value] of entries(get_at(scenario, '/settings/interest/regions'))) {
    if (!is_object(value)) continue;
    const centre = value['centre'] as unknown as Point | undefined;
    const shape: Shape | null = centre ? { disc: [centre[0], centre[1], Number(value['radius'] ?? 15)] } : null;
    items.push(item(pointer_of('settings', 'interest', 'regions', name), 'region', name, layer_index(scenario, value['layer']), shape));
  }
  for (const [name, value] of entries(get_at(scenario, '/vehicles'))) {
    if (is_object(value) && Array.isArray(value['path'])) items.push(item(pointer_of('vehicles', name), 'vehicle', name, layer_index(scenario, value['layer']), { path: value['path'] as unknown as Point[] }));
  }
  for (const [name, value] of entries(get_at(scenario, '/measurements/lines'))) {
    if (is_object(value)) items.push(item(pointer_of('measurements', 'lines', name), 'line', name, layer_index(scenario, value['layer']), { path: [value['from'], value['to']] as unknown as Point[] }));
  }
  for (const kind of ['plan', 'flow', 'kind', 'model'] as const) {
    for (const [name] of entries(get_at(scenario, `/${kind}s`))) items.push(item(pointer_of(`${kind}s`, name), kind, name, 0, null));
  }
  for (const [i, value] of entries(get_at(scenario, '/events'))) {
    const when = is_object(value) && typeof value['time'] === 'number' ? `at ${value['time']} s` : 'on a condition';
    items.push(item(pointer_of('events', i), 'event', `event ${when}`, 0, null));
  }
  return items;
}

/** Points one can drag. */
export function handles_of(shape: Shape): Point[] {
  if ('polygon' in shape) return shape.polygon.flat();
  if ('path' in shape) return shape.path;
  if ('points' in shape) return shape.points;
  const [x, y, r] = shape.disc;
  return [[x, y], [x + r, y]];
}

export function shape_outline(shape: Shape): Ring[] {
  if ('polygon' in shape) return shape.polygon;
  if ('disc' in shape) return [circle(...shape.disc)];
  if ('path' in shape) return [shape.path];
  return shape.points.map(([x, y]) => circle(x, y, 0.25, 12));
}

export function shape_centre(shape: Shape): Point {
  if ('disc' in shape) return [shape.disc[0], shape.disc[1]];
  const [x0, y0, x1, y1] = ring_bounds(shape_outline(shape));
  return [(x0 + x1) / 2, (y0 + y1) / 2];
}

export function shape_contains(shape: Shape, x: number, y: number, slack: number): boolean {
  if ('polygon' in shape) return in_polygon(x, y, shape.polygon);
  if ('disc' in shape) return Math.abs(Math.hypot(x - shape.disc[0], y - shape.disc[1]) - shape.disc[2]) < slack || Math.hypot(x - shape.disc[0], y - shape.disc[1]) < slack;
  if ('path' in shape) return distance_to_path(x, y, shape.path) < slack;
  return shape.points.some(([px, py]) => Math.hypot(x - px, y - py) < Math.max(0.3, slack));
}

export function snapped(value: number): number {
  return Math.round(value * 10) / 10;
}

function map_points(value: Json, map: (point: Point, index: number) => Point): Json {
  let index = 0;
  const one = (node: Json): Json => {
    if (Array.isArray(node)) {
      if (node.length === 2 && typeof node[0] === 'number' && typeof node[1] === 'number') return map(node as Point, index++);
      return node.map(one);
    }
    if (is_object(node)) return Object.fromEntries(Object.entries(node).map(([key, inner]) => [key, Array.isArray(inner) || is_object(inner) ? one(inner) : inner]));
    return node;
  };
  return one(value);
}

/** Keys of an item that hold its geometry. */
const kShapeKeys = ['polygon', 'path', 'positions', 'centre', 'from', 'to'];

function change_points(scenario: JsonObject, moved: Item, map: (point: Point, index: number) => Point): JsonObject {
  const pointer = moved.shape_pointer;
  const value = get_at(scenario, pointer);
  if (Array.isArray(value)) return set_at(scenario, pointer, map_points(value, map));
  if (!is_object(value)) return scenario;
  if (moved.kind === 'obstacle') return set_at(scenario, pointer, map_points(value, map));
  if (Array.isArray(value['box'])) {
    const ring = box_ring(value['box'] as [number, number, number, number]).map(map);
    const [x0, y0, x1, y1] = ring_bounds([ring]);
    const is_box = ring.every(([x, y]) => (x === x0 || x === x1) && (y === y0 || y === y1));
    const { box: _box, ...rest } = value;
    return set_at(scenario, pointer, is_box ? { ...value, box: [x0, y0, x1, y1] } : { polygon: ring, ...rest });
  }
  const next: JsonObject = { ...value };
  let base = 0;
  for (const key of kShapeKeys) {
    const inner = next[key];
    if (inner === undefined) continue;
    let seen = 0;
    const offset = base;
    next[key] = map_points(inner, (point, i) => {
      seen = i + 1;
      return map(point, offset + i);
    });
    base += seen;
  }
  return set_at(scenario, pointer, next);
}

export function move_item(scenario: JsonObject, moved: Item, dx: number, dy: number): JsonObject {
  return change_points(scenario, moved, ([x, y]) => [snapped(x + dx), snapped(y + dy)]);
}

/** One handle goes somewhere else; the corners of a box take their neighbours along. */
export function move_handle(scenario: JsonObject, moved: Item, handle: number, to: Point): JsonObject {
  const place: Point = [snapped(to[0]), snapped(to[1])];
  if (moved.shape && 'disc' in moved.shape) {
    if (handle === 0) return set_at(scenario, `${moved.pointer}/centre`, place);
    const [x, y] = moved.shape.disc;
    return set_at(scenario, `${moved.pointer}/radius`, Math.max(0.1, snapped(Math.hypot(to[0] - x, to[1] - y))));
  }
  const value = get_at(scenario, moved.shape_pointer);
  if (is_object(value) && Array.isArray(value['box']) && moved.shape && 'polygon' in moved.shape) {
    const corners = moved.shape.polygon[0] as Ring;
    const opposite = corners[(handle + 2) % 4] as Point;
    const [x0, y0, x1, y1] = ring_bounds([[place, opposite]]);
    return x1 - x0 < 0.1 || y1 - y0 < 0.1 ? scenario : set_at(scenario, moved.shape_pointer, { ...value, box: [x0, y0, x1, y1] });
  }
  return change_points(scenario, moved, (point, i) => (i === handle ? place : point));
}

export function remove_item(scenario: JsonObject, gone: Item): JsonObject {
  const next = set_at(scenario, gone.pointer, undefined);
  const parts = pointer_parts(gone.pointer);
  const parent = pointer_of(...parts.slice(0, -1));
  const rest = get_at(next, parent);
  // An empty list or object of ours says nothing: out with it. The scene keeps what it has.
  const is_empty = Array.isArray(rest) ? rest.length === 0 : is_object(rest) && Object.keys(rest).length === 0;
  return is_empty && parts[0] !== 'scene' ? set_at(next, parent, undefined) : next;
}
