// SPDX-License-Identifier: MIT
// The one clock. Computed time is filled, what is still to come is not; events are ticks, branches leave where they left.
import { useEffect, useRef, useState } from 'preact/hooks';
import { curve_path } from '../charts/mini_curve';
import type { Branch } from '../protocol/messages';
import { events_of } from '../edit/ground_edits';
import { selection } from '../state/selection';
import { clock, digits3 } from '../state/numbers';
import { use_signal } from '../state/signal';
import { kFastest, kSlowest } from '../state/studio';
import { use_app } from './context';
import { Icon } from './icons';

const kMostTicks = 400;

export function TimeBar() {
  const { studio } = use_app();
  const cursor = use_signal(studio.cursor);
  const time = use_signal(studio.shown_time);
  const people = use_signal(studio.shown_people);
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
        <button class="tool" title="To the end (End)" aria-label="To the end" onClick={() => studio.seek(branch?.end ?? 0)}><Icon name="to_end" /></button>
      </div>
      <Speed speed={cursor.speed} />
      <output class="clock" aria-label="Time shown"><b>{clock(time)}</b> / {clock(length, false)}</output>
      <Track length={length} time={time} branch={branch} branches={branches} />
      <output class="present" title="People in the scene at this moment">{people.toLocaleString('en-GB')} people</output>
      {live && (
        <>
          <button class="tool" title="Go on from here with a change (B)" aria-label="Branch here" onClick={() => (studio.dialog.value = 'branch')}><Icon name="branch" /></button>
          <button class={charts ? 'tool on' : 'tool'} aria-pressed={charts} title="Charts (C)" aria-label="Charts" onClick={() => (studio.charts_open.value = !charts)}><Icon name="chart" /></button>
        </>
      )}
    </div>
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

function Track({ length, time, branch, branches }: { length: number; time: number; branch: Branch | null; branches: Branch[] }) {
  const { studio } = use_app();
  const bar = useRef<HTMLDivElement>(null);
  const at = (value: number) => `${Math.min(100, Math.max(0, (value / length) * 100))}%`;
  const seek = (event: PointerEvent) => {
    const box = bar.current?.getBoundingClientRect();
    if (box) studio.seek(Math.min(1, Math.max(0, (event.clientX - box.left) / box.width)) * length);
  };
  return (
    <div class="tracks">
      {/* Ticks are buttons, and nothing that one presses may lie within a slider. */}
      <div class="ticked">
        <div
          ref={bar} class="track" role="slider" tabIndex={0} aria-label="Time" aria-valuemin={0} aria-valuemax={Number(length.toFixed(1))} aria-valuenow={Number(time.toFixed(1))} aria-valuetext={clock(time)}
          onPointerDown={(event) => {
            event.currentTarget.setPointerCapture(event.pointerId);
            seek(event);
          }}
          onPointerMove={(event) => event.buttons === 1 && seek(event)}
        >
          <Sparkline length={length} end={branch?.end ?? 0} />
          <div class="computed" style={{ width: at(branch?.end ?? 0) }} />
          <div class="passed" style={{ width: at(time) }} />
          <div class="head" style={{ left: at(time) }} />
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

/** How many were there, as a faint curve behind the track. */
function Sparkline({ length, end }: { length: number; end: number }) {
  const { studio } = use_app();
  const branch = use_signal(studio.cursor).branch;
  const [points, set_points] = useState<[number, number][]>([]);
  const asked = useRef({ at: 0, end: -1, branch: -1 });
  useEffect(() => {
    const now = performance.now();
    const before = asked.current;
    if (!studio.connection.live || end <= 0 || (before.branch === branch && (before.end === end || now - before.at < kSparkEveryMs))) return;
    asked.current = { at: now, end, branch };
    studio.connection.ask('series', { branch }).then(
      (series) => set_points(series.time.map((t, i) => [t, series.present[i] ?? 0])),
      () => set_points([]),
    );
  }, [branch, end]);
  if (points.length < 2) return null;
  const last = points.at(-1)?.[0] ?? length;
  const { path } = curve_path(points, (last / length) * 100, 20);
  return (
    <svg class="spark" viewBox="0 0 100 20" preserveAspectRatio="none" aria-hidden="true">
      <polygon points={`0,20 ${path} ${(last / length) * 100},20`} />
    </svg>
  );
}
