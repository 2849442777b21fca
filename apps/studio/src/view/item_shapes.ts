// SPDX-License-Identifier: MIT
// Areas, crowds, regions, paths and lines of the edited scenario on the ground, the selected one with handles; and what is wrong, in red, where it is.
import { DoubleSide, Group, Mesh, MeshBasicMaterial } from 'three';
import { handles_of, type Item, type ItemKind, shape_centre, shape_outline } from '../edit/items';
import type { Point, Problem, Ring } from '../protocol/messages';
import { with_unit } from '../state/numbers';
import { rgba, type SceneColors } from './colors';
import { type Floor, MeshBuilder, raised } from './geometry';
import { label } from './labels';

const kColors: Record<ItemKind, string> = {
  obstacle: '#6e7781', door: '#e69f00', area: '#3b8fd6', population: '#009e73', source: '#009e73', region: '#b86ba5', vehicle: '#e69f00', line: '#d55e00',
  plan: '#3b8fd6', flow: '#3b8fd6', kind: '#3b8fd6', model: '#3b8fd6', event: '#3b8fd6',
};

export interface ItemScene {
  items: readonly Item[];
  selected: string | null;
  /** All of them with names (editing), or faint outlines (watching). */
  editing: boolean;
  problems: readonly Problem[];
  /** An outline or a path that is just being drawn. */
  draft: Ring | null;
  draft_closed: boolean;
  draft_layer: number;
  /** Of the selected person. */
  way: { points: Point[]; portals: [Point, Point][]; layer: number } | null;
  /** At the selected place: from wall to wall. */
  passage: { points: Point[]; layer: number } | null;
  floor: (layer: number) => Floor;
  is_visible: (layer: number) => boolean;
  colors: SceneColors;
  metres_per_pixel: number;
}

function is_wrong(item: Item, problems: readonly Problem[]): boolean {
  return problems.some((problem) => problem.pointer !== undefined && (problem.pointer === item.pointer || problem.pointer.startsWith(`${item.pointer}/`)));
}

function draw_outline(builder: MeshBuilder, item: Item, width: number, floor: Floor, color: readonly number[]): void {
  if (!item.shape) return;
  const closed = 'polygon' in item.shape || 'disc' in item.shape || 'points' in item.shape;
  for (const ring of shape_outline(item.shape)) builder.ribbon(ring, width, floor, color, closed);
}

function draw_item(builder: MeshBuilder, group: Group, item: Item, scene: ItemScene): void {
  const { shape } = item;
  if (!shape || !scene.is_visible(item.layer)) return;
  const wrong = is_wrong(item, scene.problems);
  const selected = item.pointer === scene.selected;
  if (item.kind === 'obstacle' && !selected && !wrong) return;
  if (!scene.editing && !selected && !wrong && (item.kind === 'area' || item.kind === 'population' || item.kind === 'source') && item.shape_pointer !== item.pointer) return;
  const floor = raised(scene.floor(item.layer), 0.03);
  const text = wrong ? scene.colors.error : selected ? scene.colors.select : kColors[item.kind];
  const loud = scene.editing || selected || wrong;
  const line = Math.max(0.04, scene.metres_per_pixel * (selected ? 2.6 : 1.6));
  // People fill no area that is drawn anyway.
  const is_shared = item.shape_pointer !== item.pointer && !selected && !wrong;
  if ('polygon' in shape && loud && !is_shared) builder.face(shape.polygon, floor, rgba(text, selected ? 0.2 : 0.12));
  if ('disc' in shape && loud) builder.disc(shape.disc[0], shape.disc[1], shape.disc[2], floor, rgba(text, 0.1));
  if ('points' in shape) for (const [x, y] of shape.points) builder.disc(x, y, 0.22, floor, rgba(text, 0.7));
  if (!is_shared) draw_outline(builder, item, line, floor, rgba(text, loud ? 0.95 : 0.4));
  if (item.kind === 'vehicle' && 'path' in shape) draw_arrow(builder, shape.path, floor, rgba(text, 0.95), line * 4);
  const is_covered = !selected && scene.items.some((one) => one.pointer === scene.selected && one.shape_pointer === item.pointer);
  if (loud && item.kind !== 'obstacle' && !is_shared && !is_covered) {
    const [x, y] = label_place(item);
    group.add(label(label_words(item, scene.items), x, y, floor(x, y) + 0.3, 0, scene.colors.ink, scene.colors.halo));
  }
  if (selected && scene.editing) {
    const size = Math.max(0.08, scene.metres_per_pixel * 5);
    for (const [x, y] of handles_of(shape)) {
      builder.disc(x, y, size, (px, py) => floor(px, py) + 0.02, rgba(scene.colors.select));
      builder.disc(x, y, size * 0.6, (px, py) => floor(px, py) + 0.03, rgba(scene.colors.halo));
    }
  }
}

/** Regions are named at their rim, so that what is in the middle of them can be named too. */
function label_place(item: Item): Point {
  if (!item.shape) return [0, 0];
  if ('disc' in item.shape) return [item.shape.disc[0], item.shape.disc[1] + item.shape.disc[2]];
  if ('path' in item.shape) return item.shape.path[0] as Point;
  return shape_centre(item.shape);
}

/** An area says who is in it. */
function label_words(item: Item, items: readonly Item[]): string {
  const users = items.filter((one) => one.shape_pointer === item.pointer && one.pointer !== item.pointer);
  const said = users.map((one) => (one.kind === 'source' ? 'source' : one.name.replace(/ in .*$/, '')));
  return [item.name, ...said].join(' · ');
}

function draw_arrow(builder: MeshBuilder, path: Point[], floor: Floor, color: readonly number[], size: number): void {
  const to = path.at(-1);
  const from = path.at(-2);
  if (!to || !from) return;
  const length = Math.hypot(to[0] - from[0], to[1] - from[1]) || 1;
  const ux = ((to[0] - from[0]) / length) * size;
  const uy = ((to[1] - from[1]) / length) * size;
  builder.face([[[to[0] + ux, to[1] + uy], [to[0] - uy - ux, to[1] + ux - uy], [to[0] + uy - ux, to[1] - ux - uy]]], floor, color);
}

export function draw_items(scene: ItemScene): Group {
  const group = new Group();
  const builder = new MeshBuilder();
  // The selected one last: it covers the others.
  for (const item of scene.items) if (item.pointer !== scene.selected) draw_item(builder, group, item, scene);
  for (const item of scene.items) if (item.pointer === scene.selected) draw_item(builder, group, item, scene);
  const ground = scene.floor(0);
  for (const problem of scene.problems) {
    if (!problem.place) continue;
    const [x, y] = problem.place;
    const size = Math.max(0.25, scene.metres_per_pixel * 9);
    builder.disc(x, y, size, (px, py) => ground(px, py) + 0.06, rgba(scene.colors.error, 0.35));
    builder.disc(x, y, size * 0.4, (px, py) => ground(px, py) + 0.07, rgba(scene.colors.error));
    group.add(label(problem.what, x, y, ground(x, y) + 0.8, 0, scene.colors.error, scene.colors.halo));
  }
  if (scene.way) {
    const floor = scene.floor(scene.way.layer);
    const above = raised(floor, 0.05);
    for (const portal of scene.way.portals) builder.ribbon(portal, Math.max(0.03, scene.metres_per_pixel * 1.2), above, rgba(scene.colors.select, 0.35));
    builder.ribbon(scene.way.points, Math.max(0.06, scene.metres_per_pixel * 2.2), above, rgba(scene.colors.select, 0.85));
    const [x, y] = scene.way.points.at(-1) as Point;
    builder.disc(x, y, Math.max(0.2, scene.metres_per_pixel * 6), above, rgba(scene.colors.select, 0.85));
  }
  if (scene.passage) {
    const floor = raised(scene.floor(scene.passage.layer), 0.05);
    const [from, to] = scene.passage.points as [Point, Point];
    const width = Math.max(0.05, scene.metres_per_pixel * 2.2);
    builder.ribbon(scene.passage.points, width, floor, rgba(scene.colors.select, 0.9));
    for (const [x, y] of [from, to]) builder.disc(x, y, width * 1.6, floor, rgba(scene.colors.select, 0.9));
    const [x, y] = [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2];
    group.add(label(with_unit(Math.hypot(to[0] - from[0], to[1] - from[1]), 'm'), x, y, floor(x, y) + 0.3, 0, scene.colors.select, scene.colors.halo));
  }
  if (scene.draft) {
    const floor = raised(scene.floor(scene.draft_layer), 0.06);
    if (scene.draft_closed && scene.draft.length > 2) builder.face([scene.draft], floor, rgba(scene.colors.edit, 0.22));
    builder.ribbon(scene.draft, Math.max(0.05, scene.metres_per_pixel * 2), floor, rgba(scene.colors.edit), scene.draft_closed && scene.draft.length > 2);
    for (const [x, y] of scene.draft) builder.disc(x, y, Math.max(0.08, scene.metres_per_pixel * 4), floor, rgba(scene.colors.edit));
  }
  if (!builder.is_empty) {
    const material = new MeshBasicMaterial({ vertexColors: true, transparent: true, depthWrite: false, side: DoubleSide, polygonOffset: true, polygonOffsetFactor: -4 });
    const mesh = new Mesh(builder.geometry(), material);
    mesh.renderOrder = 5;
    group.add(mesh);
  }
  return group;
}
