// SPDX-License-Identifier: MIT
// The keyboard: one table from keys to what they do. The sheet behind `?` (dialogs.tsx) says the same in words.
import { items_of, remove_item } from './edit/items';
import type { App } from './panels/context';
import { kTools } from './panels/outline';
import { kOverlays } from './state/overlays';
import { kNothing, selection } from './state/selection';

const kZoom = 0.8;

function is_typing(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches('input:not([type=checkbox]):not([type=range]), textarea, select'));
}

function remove_selected({ studio }: App): void {
  const selected = selection.value;
  const item = selected.what === 'item' ? items_of(studio.scenario).find((one) => one.pointer === selected.pointer) : undefined;
  if (!item) return;
  studio.edit(`delete ${item.name}`, remove_item(studio.scenario, item));
  selection.value = kNothing;
}

function escape(app: App): void {
  if (app.visitor.active.value) app.visitor.leave();
  else if (app.tools.cancel()) return;
  else if (app.studio.tool.value !== 'select') app.studio.tool.value = 'select';
  else if (app.stage.rig.mode === 'follow') app.stage.rig.leave();
  else if (app.studio.notice.value) app.studio.notice.value = null;
  else selection.value = kNothing;
}

function with_control(app: App, event: KeyboardEvent): boolean {
  const { studio } = app;
  switch (event.key.toLowerCase()) {
    case 'z': event.shiftKey ? studio.redo() : studio.undo(); return true;
    case 'y': studio.redo(); return true;
    case 's': studio.dialog.value = 'save'; return true;
    case 'k': studio.dialog.value = 'search'; return true;
    default: return false;
  }
}

function plain(app: App, event: KeyboardEvent): boolean {
  const { studio, stage } = app;
  const live = studio.connection.live;
  const ten = event.shiftKey ? 10 : 1;
  switch (event.key) {
    case ' ': studio.toggle_play(); return true;
    case 'ArrowLeft': studio.step(-ten); return true;
    case 'ArrowRight': studio.step(ten); return true;
    case 'Home': studio.seek(0); return true;
    case 'End': void studio.to_end(); return true;
    case '[': studio.slower(); return true;
    case ']': studio.faster(); return true;
    case 'e': studio.to_event(true); return true;
    case 'E': studio.to_event(false); return true;
    case '?': studio.dialog.value = 'keys'; return true;
    case '+': case '=': stage.rig.zoom(kZoom, null); return true;
    case '-': stage.rig.zoom(1 / kZoom, null); return true;
    case ',': stage.rig.turn(-Math.PI / 16); return true;
    case '.': stage.rig.turn(Math.PI / 16); return true;
    case 'Enter': app.tools.finish(); return false;
    case 'Delete': case 'Backspace': remove_selected(app); return true;
    case 'h': stage.frame_all(false); return true;
    case 't': stage.rig.top(!stage.rig.is_top); return true;
    case 'f': if (selection.value.what === 'person') stage.rig.follow(); return true;
  }
  if (!live) return false;
  switch (event.key) {
    case 'w': app.visitor.toggle(); return true;
    case 'b': studio.dialog.value = 'branch'; return true;
    case 'c': studio.charts_open.value = !studio.charts_open.value; return true;
  }
  const overlay = /^[1-9]$/.test(event.key) ? kOverlays[Number(event.key) - 1] : undefined;
  if (overlay) {
    app.overlays.toggle(overlay.name);
    return true;
  }
  const tool = kTools.find((one) => one.key.toLowerCase() === event.key);
  if (tool) {
    studio.tool.value = tool.tool;
    studio.mode.value = 'scene';
    return true;
  }
  return false;
}

export function listen_to_keys(app: App): void {
  addEventListener('keydown', (event) => {
    const { studio } = app;
    if (!studio.document.value || studio.dialog.value !== 'none') return;
    const control = event.ctrlKey || event.metaKey;
    if (is_typing(event.target) && !(control && event.key.toLowerCase() !== 'z')) {
      if (event.key === 'Escape') (event.target as HTMLElement).blur();
      return;
    }
    // Space and Enter press the button that has the focus; arrows move a slider.
    const on_button = event.target instanceof HTMLElement && event.target.matches('button, input, [role=slider], a');
    if (on_button && (event.key === ' ' || event.key === 'Enter') && !event.target.matches('[role=slider]')) return;
    if (on_button && event.key.startsWith('Arrow') && event.target.matches('input')) return;
    if (app.visitor.key(event, true)) {
      event.preventDefault();
      return;
    }
    if (event.altKey) return;
    if (event.key === 'Escape') escape(app);
    else if (control ? with_control(app, event) : plain(app, event)) event.preventDefault();
    app.stage.invalidate();
  });
  addEventListener('keyup', (event) => app.visitor.key(event, false));
}
