// SPDX-License-Identifier: MIT
// Everything of the scenario as a list, and the tools that add to it.
import { useState } from 'preact/hooks';
import { add_event, add_kind, add_model, add_plan, type Created } from '../edit/create';
import { type Item, type ItemKind, items_of } from '../edit/items';
import { kToolWords } from '../edit/pointer_tools';
import type { JsonObject } from '../protocol/messages';
import { is_item, selection } from '../state/selection';
import { use_signal } from '../state/signal';
import type { Tool } from '../state/studio';
import { use_app } from './context';
import { Icon, type IconName } from './icons';
import { ProblemList } from './problems';

type Adder = [title: string, make: (scenario: JsonObject, time: number) => Created];
const kGroups: readonly { title: string; kinds: ItemKind[]; empty: string; adds?: Adder[] }[] = [
  { title: 'People', kinds: ['population', 'source'], empty: 'Press P and drag a box: 20 people; or click: one.' },
  { title: 'Areas and goals', kinds: ['area'], empty: 'Press G and drag a box: a goal.' },
  { title: 'Doors', kinds: ['door'], empty: 'Press D and drag over a doorway.' },
  { title: 'Obstacles', kinds: ['obstacle'], empty: 'Press O and drag a box.' },
  { title: 'Plans and flows', kinds: ['plan', 'flow'], empty: 'A goal brings its plan.', adds: [['plan', add_plan]] },
  { title: 'Regions', kinds: ['region'], empty: 'Press R: where the simulation takes most care.' },
  { title: 'Vehicles', kinds: ['vehicle'], empty: 'Press V and click along a way.' },
  { title: 'Measurements', kinds: ['line'], empty: 'Press M and click two ends of a line.' },
  { title: 'Events', kinds: ['event'], empty: 'Doors close, crates drop: at a time or on a condition.', adds: [['event', add_event]] },
  { title: 'Kinds and models', kinds: ['kind', 'model'], empty: 'The built-in ones are used.', adds: [['kind', add_kind], ['model', add_model]] },
];

export const kTools: readonly { tool: Tool; title: string; key: string; icon: IconName }[] = [
  { tool: 'select', title: 'Select and move', key: 'Esc', icon: 'select' },
  { tool: 'people', title: 'People', key: 'P', icon: 'people' },
  { tool: 'goal', title: 'Goal', key: 'G', icon: 'goal' },
  { tool: 'obstacle', title: 'Obstacle', key: 'O', icon: 'obstacle' },
  { tool: 'door', title: 'Door', key: 'D', icon: 'door' },
  { tool: 'source', title: 'Source', key: 'S', icon: 'source' },
  { tool: 'area', title: 'Area', key: 'A', icon: 'area' },
  { tool: 'region', title: 'Region', key: 'R', icon: 'region' },
  { tool: 'vehicle', title: 'Vehicle', key: 'V', icon: 'vehicle' },
  { tool: 'line', title: 'Measuring line', key: 'M', icon: 'line' },
];

export function Outline() {
  const { studio } = use_app();
  const scenario = use_signal(studio.history.current);
  const tool = use_signal(studio.tool);
  const problems = use_signal(studio.problems);
  const items = items_of(scenario);
  return (
    <nav class="panel outline" aria-label="Outline">
      <div class="tools" role="toolbar" aria-label="Add">
        {kTools.map((one) => (
          <button key={one.tool} class={tool === one.tool ? 'tool on' : 'tool'} aria-pressed={tool === one.tool} title={`${one.title} (${one.key})`} aria-label={one.title} onClick={() => (studio.tool.value = one.tool)}>
            <Icon name={one.icon} />
          </button>
        ))}
      </div>
      {tool !== 'select' && <p class="hint" role="status">{kToolWords[tool]}. Esc leaves.</p>}
      {problems.length > 0 && <ProblemList problems={problems} />}
      <button class={is_item(use_signal(selection), '/settings') ? 'row on' : 'row'} onClick={() => (selection.value = { what: 'item', pointer: '/settings' })}>Run settings</button>
      {kGroups.map((group) => (
        <Group key={group.title} title={group.title} empty={group.empty} adds={group.adds ?? []} items={items.filter((item) => group.kinds.includes(item.kind))} />
      ))}
    </nav>
  );
}

const kShort = 8;

function Group({ title, items, empty, adds }: { title: string; items: Item[]; empty: string; adds: Adder[] }) {
  const { studio } = use_app();
  const add = ([name, make]: Adder) => {
    const made = make(studio.scenario, studio.shown_time.value);
    studio.edit(`add a ${name}`, made.scenario);
    selection.value = { what: 'item', pointer: made.pointer };
  };
  const selected = use_signal(selection);
  const [all, set_all] = useState(false);
  const shown = all ? items : items.slice(0, kShort);
  return (
    <section class="group">
      <h2>{title}{items.length > 0 && <span class="count">{items.length}</span>}</h2>
      {adds.length > 0 && <div class="adds">{adds.map((one) => <button key={one[0]} class="more" title={`Add a ${one[0]}`} onClick={() => add(one)}>+ {one[0]}</button>)}</div>}
      {items.length === 0 && <p class="empty">{empty}</p>}
      {shown.map((item) => (
        <button key={item.pointer} class={is_item(selected, item.pointer) ? 'row on' : 'row'} onClick={() => (selection.value = { what: 'item', pointer: item.pointer })}>
          {item.name}
        </button>
      ))}
      {items.length > kShort && <button class="more" onClick={() => set_all(!all)}>{all ? 'Fewer' : `All ${items.length}`}</button>}
    </section>
  );
}
