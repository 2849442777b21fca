// SPDX-License-Identifier: MIT
// What the mouse, pen or finger does in the scene: orbit, pan, zoom, select, drag things and their handles, and draw new ones.
import type { Point, Ring } from '../protocol/messages';
import { kNothing, selection } from '../state/selection';
import { signal } from '../state/signal';
import type { Studio, Tool } from '../state/studio';
import { box_ring } from '../view/geometry';
import type { Stage } from '../view/stage';
import { add_area, add_door, add_goal, add_line, add_obstacle, add_people, add_person, add_region, add_source, add_vehicle, type Created } from './create';
import { handles_of, type Item, items_of, move_handle, move_item, shape_contains, snapped } from './items';

type Drag =
  | { what: 'orbit' }
  | { what: 'pan' }
  | { what: 'item'; item: Item; from: Point; start: Studio['scenario'] }
  | { what: 'handle'; item: Item; handle: number; start: Studio['scenario'] }
  | { what: 'box'; from: Point; to: Point };

const kClickPx = 5;
const kHandlePx = 12;
const kDrawn: Record<Exclude<Tool, 'select'>, 'box' | 'path' | 'disc'> = {
  obstacle: 'box', door: 'box', area: 'box', goal: 'box', people: 'box', source: 'box', region: 'disc', vehicle: 'path', line: 'path',
};

export const kToolWords: Record<Tool, string> = {
  select: '',
  obstacle: 'Drag a box, or click corner after corner and press Enter',
  door: 'Drag a box over the doorway',
  area: 'Drag a box, or click corner after corner and press Enter',
  goal: 'Drag a box where people should go',
  people: 'Drag a box where they stand, or click for one person after the other',
  source: 'Drag a box where people come in',
  region: 'Drag from the middle outwards',
  vehicle: 'Click along the way it drives, then press Enter',
  line: 'Click its two ends',
};

const kOrder = ['region', 'line', 'vehicle', 'door', 'population', 'source', 'area', 'obstacle'];

export class PointerTools {
  /** What is being drawn, for the scene to show. */
  readonly draft = signal<Ring | null>(null);
  private drag: Drag | null = null;
  private down: { x: number; y: number } | null = null;
  private last = { x: 0, y: 0 };
  private corners: Point[] = [];
  private fingers = new Map<number, { x: number; y: number }>();

  constructor(private readonly canvas: HTMLCanvasElement, private readonly studio: Studio, private readonly stage: Stage) {
    canvas.addEventListener('pointerdown', (event) => this.press(event));
    canvas.addEventListener('pointermove', (event) => this.move(event));
    canvas.addEventListener('pointerup', (event) => this.release(event));
    canvas.addEventListener('pointercancel', () => this.cancel());
    canvas.addEventListener('wheel', (event) => this.wheel(event), { passive: false });
    canvas.addEventListener('contextmenu', (event) => event.preventDefault());
    canvas.addEventListener('dblclick', () => this.finish());
    studio.tool.watch(() => this.cancel());
  }

  get draft_closed(): boolean {
    const tool = this.studio.tool.value;
    return tool !== 'vehicle' && tool !== 'line';
  }

  cancel(): boolean {
    const had = this.drag !== null || this.corners.length > 0;
    this.drag = null;
    this.down = null;
    this.corners = [];
    this.draft.value = null;
    return had;
  }

  /** Enter or a double click: the outline or path is complete. */
  finish(): void {
    const tool = this.studio.tool.value;
    if (tool === 'select') return;
    const corners = this.corners.filter((corner, i) => i === 0 || Math.hypot(corner[0] - (this.corners[i - 1] as Point)[0], corner[1] - (this.corners[i - 1] as Point)[1]) > 0.05);
    const needed = kDrawn[tool] === 'path' ? 2 : 3;
    if (corners.length < needed) return;
    this.create(tool, corners);
  }

  private ground(event: { clientX: number; clientY: number }): Point | null {
    const hit = this.stage.pick_ground(event.clientX, event.clientY, this.studio.edit_layer.value);
    return hit && [snapped(hit.x), snapped(hit.y)];
  }

  private press(event: PointerEvent): void {
    this.canvas.focus();
    this.canvas.setPointerCapture(event.pointerId);
    this.fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    this.down = { x: event.clientX, y: event.clientY };
    this.last = { ...this.down };
    if (event.button !== 0 || event.shiftKey || this.fingers.size > 1) {
      this.drag = { what: 'pan' };
      return;
    }
    const tool = this.studio.tool.value;
    if (tool !== 'select') {
      const at = this.ground(event);
      if (at && kDrawn[tool] !== 'path') this.drag = { what: 'box', from: at, to: at };
      return;
    }
    this.drag = (this.studio.mode.value === 'scene' && this.grab(event)) || { what: 'orbit' };
  }

  /** A handle or the inside of the selected thing. */
  private grab(event: PointerEvent): Drag | null {
    const selected = selection.value;
    if (selected.what !== 'item') return null;
    const item = items_of(this.studio.scenario).find((one) => one.pointer === selected.pointer);
    const hit = item && this.stage.pick_ground(event.clientX, event.clientY, item.layer);
    if (!item?.shape || !hit) return null;
    const floor = this.stage.floor(item.layer);
    const handle = handles_of(item.shape).findIndex(([x, y]) => {
      const seen = this.stage.on_page(x, y, floor(x, y));
      return Math.hypot(seen.x - event.clientX, seen.y - event.clientY) < kHandlePx;
    });
    const start = this.studio.scenario;
    this.studio.history.settle();
    if (handle >= 0) return { what: 'handle', item, handle, start };
    if (shape_contains(item.shape, hit.x, hit.y, this.slack())) return { what: 'item', item, from: [hit.x, hit.y], start };
    return null;
  }

  private slack(): number {
    return this.stage.metres_per_pixel() * 8;
  }

  private move(event: PointerEvent): void {
    const finger = this.fingers.get(event.pointerId);
    if (this.fingers.size === 2 && finger) {
      this.pinch(event);
      return;
    }
    const dx = event.clientX - this.last.x;
    const dy = event.clientY - this.last.y;
    this.last = { x: event.clientX, y: event.clientY };
    const drag = this.drag;
    if (!drag || !this.down) {
      if (this.corners.length > 0) {
        const at = this.ground(event);
        if (at) this.draft.value = [...this.corners, at];
      }
      return;
    }
    if (drag.what === 'orbit') this.stage.rig.orbit(dx, dy);
    else if (drag.what === 'pan') this.stage.rig.pan(dx, dy, this.canvas.clientHeight);
    else if (drag.what === 'box') {
      const at = this.ground(event);
      if (at) {
        drag.to = at;
        this.draft.value = this.box_draft(drag.from, at);
      }
    } else this.drag_thing(drag, event);
    this.stage.invalidate();
  }

  private pinch(event: PointerEvent): void {
    const others = [...this.fingers].filter(([id]) => id !== event.pointerId).map(([, place]) => place);
    const other = others[0];
    const before = this.fingers.get(event.pointerId);
    if (!other || !before) return;
    const old_gap = Math.hypot(before.x - other.x, before.y - other.y);
    const gap = Math.hypot(event.clientX - other.x, event.clientY - other.y);
    this.stage.rig.pan((event.clientX - before.x) / 2, (event.clientY - before.y) / 2, this.canvas.clientHeight);
    if (gap > 10 && old_gap > 10) this.stage.rig.zoom(old_gap / gap, null);
    this.fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  }

  private drag_thing(drag: Drag & { what: 'item' | 'handle' }, event: PointerEvent): void {
    const hit = this.stage.pick_ground(event.clientX, event.clientY, drag.item.layer);
    if (!hit) return;
    const next =
      drag.what === 'handle'
        ? move_handle(drag.start, drag.item, drag.handle, [hit.x, hit.y])
        : move_item(drag.start, drag.item, hit.x - drag.from[0], hit.y - drag.from[1]);
    this.studio.edit(`move ${drag.item.name}`, next, `drag ${drag.item.pointer}`);
  }

  private box_draft(from: Point, to: Point): Ring {
    if (this.studio.tool.value === 'region') {
      const radius = Math.hypot(to[0] - from[0], to[1] - from[1]);
      return Array.from({ length: 40 }, (_, k): Point => [from[0] + radius * Math.cos((k * Math.PI) / 20), from[1] + radius * Math.sin((k * Math.PI) / 20)]);
    }
    return box_ring([from[0], from[1], to[0], to[1]]);
  }

  private release(event: PointerEvent): void {
    this.fingers.delete(event.pointerId);
    const { drag, down } = this;
    this.drag = null;
    this.down = null;
    if (!down) return;
    const is_click = Math.hypot(event.clientX - down.x, event.clientY - down.y) < kClickPx;
    const tool = this.studio.tool.value;
    this.studio.history.settle();
    if (tool === 'select') {
      if (is_click && event.button === 0) this.select(event);
      return;
    }
    if (drag?.what === 'pan') return;
    if (is_click) {
      this.add_corner(tool, event);
      return;
    }
    if (drag?.what !== 'box') return;
    const { from, to } = drag;
    if (tool === 'region') this.create(tool, [from, to]);
    else if (Math.abs(to[0] - from[0]) >= 0.1 && Math.abs(to[1] - from[1]) >= 0.1) this.create(tool, box_ring([from[0], from[1], to[0], to[1]]));
  }

  private add_corner(tool: Exclude<Tool, 'select'>, event: PointerEvent): void {
    const at = this.ground(event);
    if (!at) return;
    if (tool === 'region') {
      this.create(tool, [at, [at[0] + 8, at[1]]]);
      return;
    }
    if (tool === 'people') {
      this.create(tool, [at]);
      // The next click is the next person.
      this.studio.tool.value = tool;
      return;
    }
    this.corners.push(at);
    this.draft.value = [...this.corners];
    if (tool === 'line' && this.corners.length === 2) this.create(tool, this.corners);
  }

  private create(tool: Exclude<Tool, 'select'>, points: Ring): void {
    const made = this.made(tool, points);
    this.cancel();
    this.studio.edit(`add ${tool}`, made.scenario);
    this.studio.tool.value = 'select';
    this.studio.mode.value = 'scene';
    selection.value = { what: 'item', pointer: made.pointer };
  }

  private made(tool: Exclude<Tool, 'select'>, points: Ring): Created {
    const scenario = this.studio.scenario;
    const layer = this.studio.edit_layer.value;
    const selected = selection.value;
    const [from, to] = [points[0] as Point, points[1] as Point];
    switch (tool) {
      case 'obstacle': return add_obstacle(scenario, layer, points);
      case 'door': return add_door(scenario, layer, points);
      case 'area': return add_area(scenario, layer, points);
      case 'goal': return add_goal(scenario, layer, points, selected.what === 'item' ? selected.pointer : null);
      case 'people': return points.length === 1 ? add_person(scenario, layer, from, selected.what === 'item' ? selected.pointer : null) : add_people(scenario, layer, points);
      case 'source': return add_source(scenario, layer, points);
      case 'region': return add_region(scenario, from, Math.hypot(to[0] - from[0], to[1] - from[1]));
      case 'vehicle': return add_vehicle(scenario, layer, points);
      case 'line': return add_line(scenario, layer, [from, to]);
    }
  }

  private select(event: PointerEvent): void {
    const person = this.stage.pick_person(event.clientX, event.clientY);
    if (person !== null) {
      selection.value = { what: 'person', number: person };
      return;
    }
    const hit = this.stage.pick_ground(event.clientX, event.clientY);
    if (this.studio.mode.value === 'scene') {
      const found = this.item_under(event);
      if (found) {
        selection.value = { what: 'item', pointer: found.pointer };
        return;
      }
    }
    selection.value = hit ? { what: 'place', x: snapped(hit.x), y: snapped(hit.y), layer: hit.layer } : kNothing;
  }

  private item_under(event: PointerEvent): Item | null {
    const candidates = items_of(this.studio.scenario).filter((item) => {
      const hit = item.shape && this.stage.pick_ground(event.clientX, event.clientY, item.layer);
      return item.shape && hit && shape_contains(item.shape, hit.x, hit.y, this.slack());
    });
    candidates.sort((a, b) => kOrder.indexOf(a.kind) - kOrder.indexOf(b.kind));
    return candidates[0] ?? null;
  }

  private wheel(event: WheelEvent): void {
    event.preventDefault();
    const hit = this.stage.pick_ground(event.clientX, event.clientY, this.studio.edit_layer.value);
    this.stage.rig.zoom(Math.exp(Math.sign(event.deltaY) * Math.min(0.25, Math.abs(event.deltaY) * 0.0015)), hit);
    this.stage.invalidate();
  }
}
