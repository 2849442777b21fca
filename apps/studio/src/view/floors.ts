// SPDX-License-Identifier: MIT
// Where the ground of each layer is: heights, storeys, and which layer a place is on.
import type { Json, JsonObject, LayerShape, Point, Polygon, Ring, StudioDocument } from '../protocol/messages';
import { get_at, is_object } from '../state/json';
import { type Floor, in_polygon, open_ring, ring_bounds } from './geometry';

export interface LayerView {
  index: number;
  name: string;
  floor: Floor;
  /** Lowest point of its ground: what decides the storey it belongs to. */
  base: number;
  height: number;
  walkable: Polygon[];
  obstacles: Polygon[];
  /** Where stairs lead through this floor: nothing stands there, and one sees down. */
  openings: Ring[];
  lines: Ring[];
  /** Where one walks on to another layer: no wall stands there. */
  joints: Ring[];
}

export interface Storey {
  name: string;
  elevation: number;
}

function as_polygon(value: Json): Polygon | null {
  if (Array.isArray(value)) return [open_ring(value as unknown as Ring)];
  if (is_object(value) && Array.isArray(value['outer'])) {
    const holes = Array.isArray(value['holes']) ? (value['holes'] as unknown as Ring[]) : [];
    return [open_ring(value['outer'] as unknown as Ring), ...holes.map(open_ring)];
  }
  return null;
}

export function polygons_of(value: Json | undefined): Polygon[] {
  return Array.isArray(value) ? value.map(as_polygon).filter((polygon): polygon is Polygon => polygon !== null) : [];
}

/** The layers of the scenario's scene as written, or null where the scene is a name of a file or a mesh. */
function written_layers(scenario: JsonObject): JsonObject[] | null {
  const scene = scenario['scene'];
  if (!is_object(scene)) return null;
  const layers = scene['layers'];
  if (Array.isArray(layers)) return layers.filter(is_object);
  return Array.isArray(scene['walkable']) || Array.isArray(scene['obstacles']) ? [scene] : null;
}

/** Pointer of the object that holds the obstacles of a layer. */
export function layer_pointer(scenario: JsonObject, layer: number): string {
  return Array.isArray(get_at(scenario, '/scene/layers')) ? `/scene/layers/${layer}` : '/scene';
}

/** Heights on a lattice, bilinear in between and level beyond its ends. */
export function lattice_floor({ origin, step, columns, z }: NonNullable<LayerShape['heights']>): Floor {
  const rows = z.length / columns;
  const floor: Floor = (x, y) => {
    const u = Math.min(columns - 1, Math.max(0, (x - origin[0]) / step));
    const v = Math.min(rows - 1, Math.max(0, (y - origin[1]) / step));
    const i = Math.min(Math.max(0, columns - 2), Math.floor(u));
    const j = Math.min(Math.max(0, rows - 2), Math.floor(v));
    const at = (dx: number, dy: number) => z[Math.min(rows - 1, j + dy) * columns + Math.min(columns - 1, i + dx)] as number;
    const [fx, fy] = [u - i, v - j];
    return (at(0, 0) * (1 - fx) + at(1, 0) * fx) * (1 - fy) + (at(0, 1) * (1 - fx) + at(1, 1) * fx) * fy;
  };
  floor.grain = step;
  floor.range = z.reduce<[number, number]>(([low, high], height) => [Math.min(low, height), Math.max(high, height)], [Infinity, -Infinity]);
  return floor;
}

function floor_of(shape: LayerShape | undefined, written: JsonObject | undefined): Floor {
  if (shape?.heights && shape.heights.columns > 0) return lattice_floor(shape.heights);
  const elevation = shape?.elevation ?? Number(written?.['elevation'] ?? 0);
  const slope = shape?.slope ?? (Array.isArray(written?.['slope']) ? (written['slope'] as unknown as Point) : [0, 0]);
  return (x, y) => elevation + slope[0] * x + slope[1] * y;
}

/** What to draw: the edited scene where it is written out, otherwise what the engine made of it. */
export function layers_of(document: StudioDocument, scenario: JsonObject): LayerView[] {
  const written = written_layers(scenario);
  const listed = get_at(scenario, '/scene/joints');
  const joints = Array.isArray(listed) ? listed.flatMap((joint) => (is_object(joint) && Array.isArray(joint['line']) ? [joint['line'] as unknown as Ring] : [])) : [];
  const count = Math.max(document.layers.length, written?.length ?? 0);
  const layers = Array.from({ length: count }, (_, index): LayerView => {
    const shape = document.layers[index];
    const own = written?.[index];
    const floor = floor_of(shape, own);
    const obstacles = own ? polygons_of(own['obstacles']) : (shape?.walls ?? []);
    const walkable = own && Array.isArray(own['walkable']) ? polygons_of(own['walkable']) : without_covered_holes(shape?.walkable ?? [], obstacles);
    const lines = own && Array.isArray(own['walls']) ? (own['walls'] as unknown as Ring[]) : [];
    const base = Math.min(...walkable.flat().flatMap((ring) => ring.map(([x, y]) => floor(x, y))));
    const name = shape?.name ?? String(own?.['name'] ?? `layer ${index}`);
    return { index, name, floor, base: Number.isFinite(base) ? base : (shape?.elevation ?? 0), height: shape?.height ?? 3, walkable, obstacles, openings: [], lines, joints };
  });
  for (const layer of layers) {
    const stairs = layers.filter((other) => other !== layer && !is_flat(other)).flatMap((other) => other.walkable);
    const is_opening = (obstacle: Polygon) => stairs.some((flight) => same_place(flight, obstacle));
    layer.openings = layer.obstacles.filter(is_opening).map((obstacle) => obstacle[0] as Ring);
  }
  return layers;
}

/** The engine's ground has a hole under each building; buildings cover theirs, and thousands of holes are slow to triangulate. */
function without_covered_holes(walkable: readonly Polygon[], obstacles: readonly Polygon[]): Polygon[] {
  const boxes = obstacles.map((polygon) => ring_bounds([polygon[0] as Ring]));
  const is_covered = (hole: Ring) => {
    const [x0, y0, x1, y1] = ring_bounds([hole]);
    const [x, y] = [(x0 + x1) / 2, (y0 + y1) / 2];
    return boxes.some((box) => box[0] <= x && x <= box[2] && box[1] <= y && y <= box[3]);
  };
  return walkable.map(([outer, ...holes]) => [outer as Ring, ...holes.filter((hole) => !is_covered(hole))]);
}

function is_flat(layer: LayerView): boolean {
  const [x0, y0, x1, y1] = ring_bounds(layer.walkable.flat());
  return Math.abs(layer.floor(x0, y0) - layer.floor(x1, y1)) < 0.5 && Math.abs(layer.floor(x0, y1) - layer.floor(x1, y0)) < 0.5;
}

function same_place(a: Polygon, b: Polygon): boolean {
  const [low, high] = [ring_bounds(a), ring_bounds(b)];
  return low.every((value, i) => Math.abs(value - (high[i] as number)) < 0.3);
}

/** Levels one can look at: each flat layer's elevation once, from the ground up. */
export function storeys_of(layers: readonly LayerView[]): Storey[] {
  const storeys: Storey[] = [];
  for (const layer of [...layers].sort((a, b) => a.base - b.base)) {
    if (is_flat(layer) && !storeys.some((one) => Math.abs(one.elevation - layer.base) < 1)) storeys.push({ name: layer.name, elevation: layer.base });
  }
  return storeys;
}

/** The highest layer below a cut whose ground is at the place. */
export function layer_at(layers: readonly LayerView[], x: number, y: number, cut: number): LayerView | null {
  let best: LayerView | null = null;
  for (const layer of layers) {
    if (layer.base > cut || !layer.walkable.some((polygon) => in_polygon(x, y, polygon))) continue;
    if (!best || layer.floor(x, y) > best.floor(x, y)) best = layer;
  }
  return best;
}
