// SPDX-License-Identifier: MIT
// The one clock. Computed time is filled, what is still to come is not; events are ticks, branches leave where they left.
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { curve_path } from '../charts/mini_curve';
import type { Branch } from '../protocol/messages';
import { events_of } from '../edit/ground_edits';
import { selection } from '../state/selection';
import { clock, digits3 } from '../state/numbers';
import { use_polled } from '../state/polled';
import { use_signal } from '../state/signal';
import { kFastest, kSlowest } from '../state/studio';
import { use_app } from './context';
import { Icon } from './icons';

const kMostTicks = 400;
const kCount = new Intl.NumberFormat('en-GB');

export function TimeBar() {
  const { studio } = use_app();
  const cursor = use_signal(studio.cursor);
  const document = use_signal(studio.document);
  const branches = use_signal(studio.branches);
  const charts = use_signal(studio.charts_open);
  use_signal(studio.history.current);
  if (!document) return null;
  const branch = studio.branch();
  const length = Math.max(branch?.done ? branch.end : document.duration, branch?.end ?? 0, document.dt);
  const live = studio.connection.live;
  const is_stale = live && studio.is_stale;
  return (
    <div class="time-bar">
      <div class="transport" role="group" aria-label="Time">
        <button class="tool" title="To the start (Home)" aria-label="To the start" onClick={() => studio.seek(0)}><Icon name="to_start" /></button>
        <button class="tool" title="One step back (←)" aria-label="One step back" onClick={() => studio.step(-1)}><Icon name="step_back" /></button>
        <button class="play" title="Play or pause (Space)" aria-label={is_stale ? 'Run changes' : cursor.playing ? 'Pause' : 'Play'} onClick={() => studio.toggle_play()}>
          <Icon name={cursor.playing ? 'pause' : 'play'} />
          {is_stale && <span>Run changes</span>}
        </button>
        <button class="tool" title="One step on (→)" aria-label="One step on" onClick={() => studio.step(1)}><Icon name="step_on" /></button>
        <button class="tool" title="To the end (End)" aria-label="To the end" onClick={() => void studio.to_end()}><Icon name="to_end" /></button>
      </div>
      <Speed speed={cursor.speed} />
      <output class="clock" aria-label="Time shown"><Now /> / {clock(length, false)}</output>
      <Track length={length} branch={branch} branches={branches} />
      <Present />
      {live && (
        <>
          <button class="tool" title="Go on from here with a change (B)" aria-label="Branch here" onClick={() => (studio.dialog.value = 'branch')}><Icon name="branch" /></button>
          <button class={charts ? 'tool on' : 'tool'} aria-pressed={charts} title="Charts (C)" aria-label="Charts" onClick={() => (studio.charts_open.value = !charts)}><Icon name="chart" /></button>
        </>
      )}
    </div>
  );
}

// What changes with every frame is drawn by itself: ten times a second for everything else would cost as much as the crowd.

function Now() {
  const { studio } = use_app();
  return <b>{clock(use_signal(studio.shown_time))}</b>;
}

function Present() {
  const { studio } = use_app();
  const people = use_signal(studio.shown_people);
  const branches = use_signal(studio.branches);
  const open = use_signal(studio.results_open);
  const branch = branches.find((one) => one.branch === studio.cursor.value.branch);
  return (
    <>
      {!(open && people === 0) && <output class="present" title="People in the scene at this moment">{kCount.format(people)} people</output>}
      {branch?.done && studio.connection.live && branch.end > branch.start && <button class={open ? 'results-button on' : 'results-button'} aria-pressed={open} onClick={() => studio.show_results(!open)}>Results</button>}
    </>
  );
}

/** A slider that is even in ratios: 0.1× to 50×. */
function Speed({ speed }: { speed: number }) {
  const { studio } = use_app();
  const low = Math.log(kSlowest);
  const span = Math.log(kFastest) - low;
  const set = (value: number) => {
    const raw = Math.exp(low + (span * value) / 100);
    studio.set_speed(Math.abs(raw - 1) < 0.08 ? 1 : Number(raw.toPrecision(2)));
  };
  return (
    <label class="speed" title="Speed ([ slower, ] faster)">
      <span class="hidden">Speed</span>
      <input type="range" min="0" max="100" step="1" value={((Math.log(speed) - low) / span) * 100} aria-valuetext={`${digits3(speed)} times`} onInput={(event) => set(Number(event.currentTarget.value))} />
      <b>{digits3(speed)}×</b>
    </label>
  );
}

function Track({ length, branch, branches }: { length: number; branch: Branch | null; branches: Branch[] }) {
  const { studio } = use_app();
  const bar = useRef<HTMLDivElement>(null);
  const passed = useRef<HTMLDivElement>(null);
  const head = useRef<HTMLDivElement>(null);
  const at = (value: number) => `${Math.min(100, Math.max(0, (value / length) * 100))}%`;
  const seek = (event: PointerEvent) => {
    const box = bar.current?.getBoundingClientRect();
    if (box) studio.seek(Math.min(1, Math.max(0, (event.clientX - box.left) / box.width)) * length);
  };
  // The time itself is put in place by hand, in elements whose attributes nobody else writes.
  useLayoutEffect(() => {
    const show = () => {
      const time = studio.shown_time.value;
      bar.current?.setAttribute('aria-valuenow', time.toFixed(1));
      bar.current?.setAttribute('aria-valuetext', clock(time));
      if (passed.current) passed.current.style.width = at(time);
      if (head.current) head.current.style.left = at(time);
    };
    show();
    return studio.shown_time.watch(show);
  }, [length]);
  return (
    <div class="tracks">
      {/* Ticks are buttons, and nothing that one presses may lie within a slider. */}
      <div class="ticked">
        <div
          ref={bar} class="track" role="slider" tabIndex={0} aria-label="Time" aria-valuemin={0} aria-valuemax={Number(length.toFixed(1))}
          onPointerDown={(event) => {
            event.currentTarget.setPointerCapture(event.pointerId);
            seek(event);
          }}
          onPointerMove={(event) => event.buttons === 1 && seek(event)}
        >
          <Sparkline length={length} end={branch?.end ?? 0} />
          <div class="computed" style={{ width: at(branch?.end ?? 0) }} />
          <div ref={passed} class="passed" />
          <div ref={head} class="head" />
        </div>
        {branch && events_of(branches, branch.branch).slice(0, kMostTicks).map((event, i) => {
          const words = `${clock(event.time)} ${event.agent === undefined ? '' : `${event.kind.replaceAll('_', ' ')}: `}${event.words}`;
          return (
            <button
              key={i} class={event.agent === undefined ? 'tick' : 'tick small'} style={{ left: at(event.time) }} title={words} aria-label={words} tabIndex={-1}
              onPointerDown={(press) => {
                press.stopPropagation();
                studio.seek(event.time);
                if (event.agent !== undefined) selection.value = { what: 'person', number: event.agent };
              }}
            />
          );
        })}
      </div>
      {branches.length > 1 && (
        <div class="branches" role="group" aria-label="Branches">
          {branches.map((one) => (
            <button key={one.branch} class={one.branch === branch?.branch ? 'branch on' : 'branch'} style={{ marginLeft: at(one.parent === null ? 0 : one.from) }} aria-pressed={one.branch === branch?.branch} onClick={() => studio.show_branch(one.branch)}>
              {one.name}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}

const kSparkEveryMs = 2500;
const kSparkPoints = 200;

/** How many were there, as a faint curve behind the track. */
function Sparkline({ length, end }: { length: number; end: number }) {
  const { studio } = use_app();
  const branch = use_signal(studio.cursor).branch;
  // Now and then while it grows, and once more when it stands.
  const { answer } = use_polled(
    () => studio.connection.ask('series', { branch, points: kSparkPoints }), () => String(studio.branch(branch)?.end ?? 0), kSparkEveryMs, studio.connection.live && end > 0 ? String(branch) : null,
  );
  const points = useMemo(() => (answer?.time ?? []).map((t, i): [number, number] => [t, answer?.present[i] ?? 0]), [answer]);
  const last = points.at(-1)?.[0] ?? length;
  const path = useMemo(() => curve_path(points, (last / length) * 100, 20).path, [points, length]);
  if (points.length < 2) return null;
  return (
    <svg class="spark" viewBox="0 0 100 20" preserveAspectRatio="none" aria-hidden="true">
      <polygon points={`0,20 ${path} ${(last / length) * 100},20`} />
    </svg>
  );
}
