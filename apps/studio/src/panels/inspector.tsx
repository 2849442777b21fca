// SPDX-License-Identifier: MIT
// Everything about the one selected thing: a person, a place, or a part of the scenario.
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { type Item, items_of, remove_item } from '../edit/items';
import type { Inspection, Json, PlaceAnswer } from '../protocol/messages';
import { get_at, is_object, pointer_of, pointer_parts, rename_at, set_at } from '../state/json';
import { digits3, with_unit } from '../state/numbers';
import { type Polled, use_polled } from '../state/polled';
import { kNothing, selected_passage, selected_way, selection } from '../state/selection';
import { use_signal } from '../state/signal';
import { MiniCurve } from '../charts/mini_curve';
import { use_app } from './context';
import { CrowdSettings, kCrowdKeys, PlanGoals } from './crowd_settings';
import { SchemaForm } from './form';
import { Icon } from './icons';

export function Inspector() {
  const selected = use_signal(selection);
  const { studio } = use_app();
  const live = studio.connection.live;
  if (selected.what === 'nothing') return null;
  return (
    <aside class="panel inspector" aria-label="Inspector">
      <button class="close" aria-label="Close the inspector" onClick={() => (selection.value = kNothing)}><Icon name="close" /></button>
      {selected.what === 'person' && (live ? <Person key={selected.number} number={selected.number} /> : <h2>Person {selected.number}</h2>)}
      {selected.what === 'place' && live && <Place key={`${selected.x} ${selected.y} ${selected.layer}`} x={selected.x} y={selected.y} layer={selected.layer} />}
      {selected.what === 'item' && <ItemPanel key={selected.pointer} pointer={selected.pointer} />}
    </aside>
  );
}

function Row({ title, from, children }: { title: string; from?: string; children: ComponentChildren }) {
  return <div class="fact" title={from}><dt>{title}</dt><dd>{children}</dd></div>;
}

const kRefreshMs = 300;

/** Asks again whenever the moment shown changes, at most a few times a second. */
function use_at_moment<T>(ask: (branch: number, time: number) => Promise<T>, key: string): Polled<T> {
  const { studio } = use_app();
  const moment = () => `${studio.cursor.value.branch} ${studio.shown_time.value}`;
  return use_polled(() => ask(studio.cursor.value.branch, studio.shown_time.value), moment, kRefreshMs, key);
}

function plain(value: Json | undefined): string {
  if (value === undefined || value === null || value === '') return '–';
  if (typeof value === 'number') return digits3(value);
  if (Array.isArray(value)) return value.map(plain).join(', ') || '–';
  if (is_object(value)) return Object.entries(value).map(([key, inner]) => `${key} ${plain(inner)}`).join(', ');
  return String(value);
}

/** What the engine says besides, with its unit. */
const kUnits: Record<string, string> = { age: 's', distance_to_goal: 'm', radius: 'm', pre_movement: 's', waits: 's' };
// The last ones would say nothing new.
const kKnown = new Set(['number', 'x', 'y', 'layer', 'speed', 'preferred_speed', 'heading', 'activity', 'model', 'kind', 'group', 'level', 'goal', 'plan', 'corridor', 'portals', 'born', 'travelled', 'time', 'velocity', 'goal_layer', 'goal_place', 'z']);

function Person({ number }: { number: number }) {
  const { studio, stage } = use_app();
  const { answer, trouble } = use_at_moment<Inspection>((branch, time) => studio.connection.ask('inspect', { branch, time, agent: number }), String(number));
  const agent = answer?.agent;
  useEffect(() => {
    selected_way.value = agent?.corridor && agent.corridor.length > 1 ? { points: agent.corridor, portals: agent.portals ?? [], layer: agent.layer } : null;
    return () => {
      selected_way.value = null;
    };
  }, [agent]);
  return (
    <>
      <h2>Person {number}</h2>
      {trouble && <p class="empty">{trouble}</p>}
      {!agent && !trouble && <p class="empty">Looking…</p>}
      {agent && (
        <>
          <div class="buttons">
            <button onClick={() => stage.rig.follow()}><Icon name="follow" /> Follow</button>
          </div>
          <dl>
            <Row title="does" from="activity in the engine, now">{agent.activity ?? '–'}</Row>
            <Row title="speed" from="at this step">{with_unit(agent.speed, 'm/s')} of {with_unit(agent.preferred_speed, 'm/s')}</Row>
            <Row title="goal" from="of its plan">{plain(agent.goal)}</Row>
            <Row title="plan" from="from the scenario"><PlanSteps plan={agent.plan} /></Row>
            <Row title="model" from="that moves it now">{plain(agent.model)}{agent.level !== undefined ? `, level ${agent.level}` : ''}</Row>
          </dl>
          <h3>Why?</h3>
          {answer.why ? <ol class="why">{answer.why.lines.map((line, i) => <li key={i}>{line}</li>)}</ol> : <p class="empty">Its model gives no reasons at this moment.</p>}
          <h3>More</h3>
          <dl>
            <Row title="place" from="scene coordinates">{digits3(agent.x)}, {digits3(agent.y)} m</Row>
            <Row title="kind" from="from the scenario">{plain(agent.kind)}</Row>
            {agent.group !== undefined && agent.group !== null && <Row title="group">{agent.group}</Row>}
            {agent.portals && <Row title="corridor" from="portals of cells that are still to be crossed: faint lines in the scene">{agent.portals.length} portals ahead</Row>}
            {agent.travelled !== undefined && <Row title="walked" from="since it was born">{with_unit(agent.travelled, 'm')}</Row>}
            {agent.born !== undefined && <Row title="there since">{with_unit(agent.born, 's')}</Row>}
            {Object.entries(agent).filter(([key]) => !kKnown.has(key)).map(([key, value]) => <Row key={key} title={key.replaceAll('_', ' ')}>{typeof value === 'number' && kUnits[key] ? with_unit(value, kUnits[key]) : plain(value as Json)}</Row>)}
          </dl>
        </>
      )}
    </>
  );
}

function PlanSteps({ plan }: { plan: Json | undefined }) {
  if (!Array.isArray(plan) || plan.length === 0) return <>{plain(plan)}</>;
  return (
    <ol class="plan">
      {plan.map((step, i) => {
        const { now = false, ...rest } = is_object(step) ? step : { goal: step };
        return <li key={i} class={now === true ? 'now' : ''}>{plain(rest['goal'] ?? rest['place'] ?? rest)}{now === true && ' (now)'}</li>;
      })}
    </ol>
  );
}

function Place({ x, y, layer }: { x: number; y: number; layer: number }) {
  const { studio } = use_app();
  const { answer, trouble } = use_at_moment<PlaceAnswer>((branch, time) => studio.connection.ask('place', { branch, time, x, y, layer }), `${x} ${y} ${layer}`);
  const passage = answer?.passage;
  useEffect(() => {
    selected_passage.value = passage ? { points: passage, layer } : null;
    return () => {
      selected_passage.value = null;
    };
  }, [passage?.flat().join(), layer]);
  return (
    <>
      <h2>Place {digits3(x)}, {digits3(y)}</h2>
      {trouble && <p class="empty">{trouble}</p>}
      {answer && (
        <>
          <dl>
            <Row title="areas">{plain(answer.area)}</Row>
            <Row title="width" from="of the shortest line from wall to wall through the place, which the scene shows">{answer.width === undefined ? 'open ground' : with_unit(answer.width, 'm')}</Row>
            {answer.flow !== undefined && <Row title="flow" from="across that line, both ways, over the last 5 s">{with_unit(answer.flow, 'people/s')}</Row>}
            {answer.passed !== undefined && <Row title="passed" from="across that line, both ways, since the start">{with_unit(answer.passed, 'people')}</Row>}
            <Row title="density" from={`within ${digits3(answer.density_radius ?? 0)} m of the place, now`}>{with_unit(answer.density, '1/m²')}</Row>
            {answer.clearance !== undefined && <Row title="nearest wall" from="from the place">{with_unit(answer.clearance, 'm')}</Row>}
            <Row title="cell" from="of the baked ground">{plain(answer.cell)}</Row>
            <Row title="zone" from="of the hierarchy of cells">{plain(answer.zone)}</Row>
            <Row title="topology" from="of the cell">{plain(answer.topology)}</Row>
          </dl>
          {answer.curve && answer.curve.length > 1 && (
            <>
              {passage && <Curve title="Flow over time, people/s" points={answer.curve.map(([t, , flow]) => [t, flow ?? 0])} />}
              <Curve title="Density over time, 1/m²" points={answer.curve.map(([t, density]) => [t, density])} />
              {!answer.complete && <p class="empty">Counting on…</p>}
            </>
          )}
          {answer.cell !== null && !passage && <p class="empty">No walls are near. Press M and click two ends: a measuring line counts who crosses it.</p>}
        </>
      )}
      <p class="empty">Click a person to see what it does and why.</p>
    </>
  );
}

function Curve({ title, points }: { title: string; points: [number, number][] }) {
  return (
    <>
      <h3>{title}</h3>
      <MiniCurve points={points} />
    </>
  );
}

const kTitles: Record<Item['kind'], string> = {
  obstacle: 'Obstacle', door: 'Door', area: 'Area', population: 'People', source: 'Source', region: 'Region of interest', vehicle: 'Vehicle', line: 'Measuring line', plan: 'Plan', flow: 'Flow',
  kind: 'Kind of people', model: 'Motion model', event: 'Event',
};

function ItemPanel({ pointer }: { pointer: string }) {
  const { studio } = use_app();
  const scenario = use_signal(studio.history.current);
  if (pointer === '/settings') {
    return (
      <>
        <h2>Run settings</h2>
        <SchemaForm pointer="/settings" hide={['interest', 'detail']} />
      </>
    );
  }
  const item = items_of(scenario).find((one) => one.pointer === pointer);
  if (!item) return <p class="empty">It is gone. Undo (Ctrl+Z) brings it back.</p>;
  const value = get_at(scenario, pointer);
  const remove = () => {
    studio.edit(`delete ${item.name}`, remove_item(scenario, item));
    selection.value = kNothing;
  };
  const is_crowd = item.kind === 'population' || item.kind === 'source';
  return (
    <>
      <h2>{kTitles[item.kind]}</h2>
      <Name item={item} />
      {is_crowd && <CrowdSettings pointer={pointer} />}
      {item.kind === 'plan' && <PlanGoals pointer={pointer} />}
      {item.kind === 'door' && studio.connection.live && <DoorButtons name={item.name} />}
      {item.kind !== 'obstacle' && item.kind !== 'door' && is_object(value) && <SchemaForm pointer={pointer} hide={is_crowd ? kCrowdKeys : []} />}
      {item.kind === 'area' && <Measured name={item.name} />}
      {item.kind === 'area' && <UsedBy name={item.name} />}
      {item.shape && <p class="empty">Drag it in the scene; drag its dots to reshape it.</p>}
      <div class="buttons"><button class="danger" onClick={remove}><Icon name="trash" /> Delete</button></div>
    </>
  );
}

/** Names are keys, so that whoever refers to one is renamed with it. */
function renamed_everywhere(value: Json, from: string, to: string, keys: readonly string[]): Json {
  if (Array.isArray(value)) return value.map((one) => renamed_everywhere(one, from, to, keys));
  if (!is_object(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const refers = keys.includes(key);
      if (refers && inner === from) return [key, to];
      if (refers && Array.isArray(inner)) return [key, inner.map((one) => (one === from ? to : renamed_everywhere(one, from, to, keys)))];
      if (refers && is_object(inner) && from in inner) return [key, Object.fromEntries(Object.entries(inner).map(([name, weight]) => [name === from ? to : name, weight]))];
      return [key, renamed_everywhere(inner, from, to, keys)];
    }),
  );
}

const kReferences: Partial<Record<Item['kind'], readonly string[]>> = {
  area: ['area', 'areas', 'goals', 'between'], door: ['close_door', 'open_door', 'area', 'goals'], plan: ['plan', 'set_plan'], flow: ['flow'], kind: ['kinds', 'base'], model: ['model', 'base'], vehicle: ['follow'], region: ['set_region', 'remove_region'],
};

function Name({ item }: { item: Item }) {
  const { studio } = use_app();
  const keys = kReferences[item.kind];
  if (!keys && item.kind !== 'line') return <p class="name">{item.name}</p>;
  const rename = (to: string) => {
    const name = to.trim();
    if (name === '' || name === item.name) return;
    const parts = pointer_parts(item.pointer);
    let next = studio.scenario;
    if (item.kind === 'door') next = set_at(next, `${item.pointer}/name`, name);
    else {
      if (get_at(next, pointer_of(...parts.slice(0, -1), name)) !== undefined) return;
      next = rename_at(next, item.pointer, name);
    }
    const scene = next['scene'];
    const { scene: _scene, areas, ...rest } = next;
    const references = renamed_everywhere(rest, item.name, name, keys ?? []) as typeof rest;
    studio.edit(`rename ${item.name}`, { ...references, ...(areas === undefined ? {} : { areas }), ...(scene === undefined ? {} : { scene }) });
    if (item.kind !== 'door') selection.value = { what: 'item', pointer: pointer_of(...parts.slice(0, -1), name) };
  };
  return <input class="name" aria-label="Name" value={item.name} onChange={(event) => rename(event.currentTarget.value)} />;
}

function DoorButtons({ name }: { name: string }) {
  const { studio } = use_app();
  const time = use_signal(studio.shown_time);
  const act = (action: 'close_door' | 'open_door') => void studio.make_branch(time, [{ actions: [{ [action]: name }] }], `${action === 'close_door' ? 'closed' : 'opened'}: ${name}`);
  return (
    <div class="buttons">
      <button onClick={() => act('close_door')}><Icon name="branch" /> Branch: close it now</button>
      <button onClick={() => act('open_door')}><Icon name="branch" /> Branch: open it now</button>
    </div>
  );
}

/** Whether the charts show its density and the speed in it. */
function Measured({ name }: { name: string }) {
  const { studio } = use_app();
  const listed = get_at(use_signal(studio.history.current), '/measurements/areas');
  const names = Array.isArray(listed) ? listed : [];
  const on = names.includes(name);
  const toggle = () => studio.choose('/measurements/areas', on ? names.filter((one) => one !== name) : [...names, name], on ? `measure ${name} no more` : `measure ${name}`);
  return <label class="check" title="Its density, the speed in it, and both in the fundamental diagram: press C for the charts"><input type="checkbox" checked={on} onChange={toggle} /> measured, for the charts</label>;
}

function UsedBy({ name }: { name: string }) {
  const { studio } = use_app();
  const users = items_of(use_signal(studio.history.current)).filter((item) => {
    const value = item.kind === 'area' ? undefined : get_at(studio.scenario, item.pointer);
    return value !== undefined && item.kind !== 'obstacle' && JSON.stringify(value).includes(JSON.stringify(name));
  });
  if (users.length === 0) return null;
  return (
    <>
      <h3>Used by</h3>
      {users.map((user) => <button key={user.pointer} class="row" onClick={() => (selection.value = { what: 'item', pointer: user.pointer })}>{kTitles[user.kind]}: {user.name}</button>)}
    </>
  );
}
