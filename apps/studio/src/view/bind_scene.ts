// SPDX-License-Identifier: MIT
// Keeps the 3D scene in step with what the page knows: document, edits, selection, colours, theme.
import { edits_at, same_edits } from '../edit/ground_edits';
import { items_of } from '../edit/items';
import type { App } from '../panels/context';
import type { GroundEdit } from '../protocol/messages';
import { selected_passage, selected_way, selection } from '../state/selection';

export function bind_scene({ studio, stage, tools, theme, visitor }: App): void {
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
    const narrow = innerWidth <= 1000;
    const left = studio.mode.value === 'scene' ? (narrow ? 218 : 246) : 0;
    const right = studio.mode.value === 'compare' ? 340 : selection.value.what === 'nothing' && !studio.results_open.value ? 0 : 300;
    stage.set_margins(studio.connection.live ? left : 0, narrow ? Math.min(right, 262) : right);
  };
  studio.mode.watch(() => {
    make_room();
    draw_items();
  });
  studio.results_open.watch(make_room);
  studio.problems.watch(draw_items);
  studio.shown_time.watch(show_ground_edits);
  studio.branches.watch(show_ground_edits);
  studio.color_by.watch(paint);
  tools.draft.watch(draw_items);
  selected_way.watch(draw_items);
  selected_passage.watch(draw_items);
  selection.watch(() => {
    paint();
    make_room();
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
