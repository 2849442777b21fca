// SPDX-License-Identifier: MIT
// Keeps the 3D scene in step with what the page knows: document, edits, selection, colours, theme.
import { edits_at, same_edits } from '../edit/ground_edits';
import { items_of } from '../edit/items';
import type { App } from '../panels/context';
import type { GroundEdit } from '../protocol/messages';
import { selected_passage, selected_way, selection } from '../state/selection';

/** The cube, the camera's buttons and the legend lie in a corner: the scene goes beside them or above them, where it is larger. */
function beside_floats(left: number, right: number, [x0, y0, x1, y1]: readonly [number, number, number, number]): [left: number, bottom: number] {
  const middle = document.querySelector('.middle')?.getBoundingClientRect();
  const boxes = [...document.querySelectorAll('.floats > *')].map((one) => one.getBoundingClientRect()).filter((box) => box.width > 0);
  if (!middle || boxes.length === 0) return [left, 0];
  const beside = Math.max(left, ...boxes.map((box) => box.right - middle.left));
  const below = middle.bottom - Math.min(...boxes.map((box) => box.top));
  // Seen from the south, a little from above.
  const shape = Math.max(x1 - x0, y1 - y0) / Math.max(1, 0.65 * Math.min(x1 - x0, y1 - y0));
  const size = (wide: number, tall: number) => Math.min(wide, tall * shape);
  return size(middle.width - beside - right, middle.height) >= size(middle.width - left - right, middle.height - below) ? [beside, 0] : [left, below];
}

export function bind_scene({ studio, stage, tools, theme, visitor, overlays }: App): void {
  let shown_bounds = '';
  let ground_of: unknown = null;
  let edits: GroundEdit[] = [];

  const draw_items = () => {
    const selected = selection.value;
    stage.set_items({
      items: studio.connection.live ? items_of(studio.scenario) : [],
      selected: selected.what === 'item' ? selected.pointer : null,
      editing: studio.mode.value === 'scene',
      problems: studio.problems.value,
      way: selected_way.value,
      passage: selected_passage.value,
      draft_layer: studio.edit_layer.value,
      draft: tools.draft.value,
      draft_closed: tools.draft_closed,
    });
  };
  const show_document = () => {
    const document = studio.document.value;
    if (!document) return;
    const bounds = `${document.name} ${document.bounds.join()}`;
    const is_new = bounds !== shown_bounds;
    shown_bounds = bounds;
    ground_of = studio.scenario['scene'];
    stage.set_document(document, studio.scenario, is_new);
    draw_items();
  };
  const show_edited = () => {
    // Only an edit of the place itself needs new floors and walls.
    if (studio.scenario['scene'] !== ground_of) show_document();
    else draw_items();
  };
  const show_ground_edits = () => {
    const next = edits_at(studio.branches.value, studio.cursor.value.branch, studio.shown_time.value);
    if (same_edits(next, edits)) return;
    edits = next;
    stage.set_edits(edits);
  };
  const paint = () => {
    const selected = selection.value;
    const number = selected.what === 'person' ? selected.number : -1;
    stage.set_picked(number);
    stage.crowd.set_colors(studio.color_by.value, number);
    stage.invalidate();
  };

  studio.document.watch(() => {
    if (studio.document.value === null) shown_bounds = '';
    show_document();
  });
  studio.history.current.watch(show_edited);
  const make_room = () => {
    if (!studio.document.value) return;
    const narrow = innerWidth <= 1000;
    const left = studio.mode.value === 'scene' ? (narrow ? 218 : 246) : 0;
    const right = studio.mode.value === 'compare' ? 340 : selection.value.what === 'nothing' && !studio.results_open.value ? 0 : 300;
    const panel = studio.connection.live ? left : 0;
    const [beside, below] = beside_floats(panel, narrow ? Math.min(right, 262) : right, studio.document.value.bounds);
    stage.set_margins(beside, narrow ? Math.min(right, 262) : right, below);
  };
  // What lies over the scene is drawn a moment later.
  const make_room_soon = () => {
    make_room();
    requestAnimationFrame(make_room);
  };
  addEventListener('resize', make_room_soon);
  studio.document.watch(make_room_soon);
  studio.mode.watch(() => {
    make_room_soon();
    draw_items();
  });
  studio.results_open.watch(make_room_soon);
  studio.problems.watch(draw_items);
  studio.shown_time.watch(show_ground_edits);
  studio.branches.watch(show_ground_edits);
  studio.color_by.watch(paint);
  overlays.states.watch(make_room_soon);
  studio.dots.watch(() => stage.set_dots(studio.dots.value));
  tools.draft.watch(draw_items);
  selected_way.watch(draw_items);
  selected_passage.watch(draw_items);
  selection.watch(() => {
    paint();
    make_room_soon();
    draw_items();
    if (selection.value.what !== 'person' && stage.rig.mode === 'follow') stage.rig.leave();
  });
  const dress = () => {
    stage.set_theme(theme.dark.value);
    draw_items();
  };
  theme.dark.watch(dress);
  dress();

  stage.on_tick = (_seconds, now) => {
    visitor.tick(now);
    const selected = selection.value;
    if (stage.rig.mode !== 'follow' || selected.what !== 'person') return;
    const place = stage.person_place(selected.number, now);
    if (place) stage.rig.target(place.x, place.y, place.z);
  };
}
