// SPDX-License-Identifier: MIT
// What floats over the scene: camera, storeys, colours, overlays with their legends.
import { useState } from 'preact/hooks';
import { kOverlays, overlay_kind } from '../state/overlays';
import { selection } from '../state/selection';
import { use_signal } from '../state/signal';
import type { ColorBy } from '../state/studio';
import { css_speed_ramp, kAloneColor, kKindColors, kLevelColors } from '../view/colors';
import { use_app } from './context';
import { Icon } from './icons';

export function CameraControls() {
  const { stage, visitor, studio } = use_app();
  const selected = use_signal(selection);
  const walking = use_signal(visitor.active);
  const act = (work: () => void) => () => {
    work();
    stage.invalidate();
  };
  return (
    <div class="float camera" role="toolbar" aria-label="Camera">
      <button class="tool" title="See everything (H)" aria-label="See everything" onClick={act(() => stage.frame_all(false))}><Icon name="home" /></button>
      <button class="tool" title="From above (T)" aria-label="From above" onClick={act(() => stage.rig.top(!stage.rig.is_top))}><Icon name="top" /></button>
      <button class="tool" title="Follow the selected person (F)" aria-label="Follow" disabled={selected.what !== 'person'} onClick={act(() => stage.rig.follow())}><Icon name="follow" /></button>
      {studio.connection.live && <button class={walking ? 'tool on' : 'tool'} aria-pressed={walking} title="Walk in the crowd (W)" aria-label="Walk" onClick={() => visitor.toggle()}><Icon name="walk" /></button>}
      <button class="tool" title="Nearer (+)" aria-label="Nearer" onClick={act(() => stage.rig.zoom(0.75, null))}><Icon name="plus" /></button>
      <button class="tool" title="Farther (-)" aria-label="Farther" onClick={act(() => stage.rig.zoom(1.33, null))}><Icon name="minus" /></button>
      <button class="tool" title="Turn left (,)" aria-label="Turn left" onClick={act(() => stage.rig.turn(-Math.PI / 8))}><Icon name="turn_left" /></button>
      <button class="tool" title="Turn right (.)" aria-label="Turn right" onClick={act(() => stage.rig.turn(Math.PI / 8))}><Icon name="turn_right" /></button>
      <WallsButton />
    </div>
  );
}

function WallsButton() {
  const { stage, studio } = use_app();
  use_signal(studio.document);
  const [, again] = useState(0);
  const full = stage.full_walls;
  return (
    <button class={full ? 'tool on' : 'tool'} aria-pressed={full} title="Walls in full height" aria-label="Walls in full height" onClick={() => {
      stage.set_full_walls(!full);
      again((n) => n + 1);
    }}><Icon name="walls" /></button>
  );
}

export function StoreySlider() {
  const { stage, studio } = use_app();
  use_signal(studio.document);
  const shown = use_signal(studio.storey);
  const storeys = stage.storeys();
  if (storeys.length < 2) return null;
  const index = Math.min(shown, storeys.length - 1);
  const show = (next: number) => {
    const storey = storeys[next];
    const above = storeys[next + 1];
    studio.storey.value = next;
    const layer = stage.layers.find((one) => storey && Math.abs(one.base - storey.elevation) < 1);
    if (layer) studio.edit_layer.value = layer.index;
    stage.set_cut(above ? above.elevation - 0.6 : Number.POSITIVE_INFINITY);
  };
  return (
    <div class="float storeys">
      <label>
        <span>{storeys[index]?.name}</span>
        <input type="range" min="0" max={storeys.length - 1} step="1" value={index} aria-label="Storey" aria-valuetext={storeys[index]?.name ?? ''} onInput={(event) => show(Number(event.currentTarget.value))} />
      </label>
    </div>
  );
}

const kColorings: readonly [ColorBy, string][] = [['speed', 'speed'], ['goal', 'goal'], ['group', 'group'], ['model', 'model'], ['kind', 'kind'], ['level', 'level of effort']];

export function Legend() {
  const { studio, overlays } = use_app();
  const color_by = use_signal(studio.color_by);
  const document = use_signal(studio.document);
  const on = use_signal(studio.overlays);
  const states = use_signal(overlays.states);
  const [open, set_open] = useState(false);
  const live = studio.connection.live;
  const dots = use_signal(studio.dots);
  return (
    <div class="float legend">
      <div class="colors">
        <label>People by <select value={color_by} onChange={(event) => (studio.color_by.value = event.currentTarget.value as ColorBy)}>
          {kColorings.map(([by, title]) => <option key={by} value={by}>{title}</option>)}
        </select></label>
        <label>Drawn as <select value={dots ? 'dots' : 'figures'} onChange={(event) => (studio.dots.value = event.currentTarget.value === 'dots')}>
          <option value="figures">figures</option>
          <option value="dots">dots</option>
        </select></label>
        <ColorKey color_by={color_by} names={color_by === 'model' ? (document?.models ?? []) : color_by === 'kind' ? (document?.kinds ?? []) : (document?.goals ?? [])} />
      </div>
      {on.map((name) => {
        const kind = overlay_kind(name);
        const state = states[name];
        return (
          <section key={name} class="overlay" aria-label={kind?.title}>
            <h2>{kind?.title}<button class="close" aria-label={`Hide ${kind?.title}`} onClick={() => overlays.toggle(name)}><Icon name="close" /></button></h2>
            {name === 'zones' && <ZoneDepth />}
            {state?.trouble && <p class="empty">{state.trouble}</p>}
            {!state && <p class="empty">Asking the engine…</p>}
            {state?.legend.map((entry, i) => <p key={i} class="key"><i class={`mark ${entry.mark}`} style={{ background: entry.color }} />{entry.words}</p>)}
            {state && state.count > 1 && <p class="count">{state.count.toLocaleString('en-GB')} drawn</p>}
          </section>
        );
      })}
      {live && (
        <>
          <button class="more" aria-expanded={open} onClick={() => set_open(!open)}><Icon name="layers" /> Overlays</button>
          {open && (
            <div class="overlay-menu" role="group" aria-label="Overlays">
              {kOverlays.map((kind, i) => (
                <label key={kind.name} title={kind.words}>
                  <input type="checkbox" checked={on.includes(kind.name)} onChange={() => overlays.toggle(kind.name)} />
                  <span>{kind.title}</span>
                  {i < 9 && <kbd>{i + 1}</kbd>}
                </label>
              ))}
            </div>
          )}
        </>
      )}
    </div>
  );
}

function ZoneDepth() {
  const { overlays } = use_app();
  const depth = use_signal(overlays.zone_depth);
  return <label class="depth">depth <input type="number" min="0" max="12" value={depth} onInput={(event) => (overlays.zone_depth.value = Number(event.currentTarget.value))} /></label>;
}

function ColorKey({ color_by, names }: { color_by: ColorBy; names: readonly string[] }) {
  const dark = use_signal(use_app().theme.dark);
  if (color_by === 'speed') {
    return (
      <div class="ramp">
        <i style={{ background: css_speed_ramp(dark) }} />
        <span>stands</span><span>as fast as it likes</span>
      </div>
    );
  }
  if (color_by === 'level') return <Keys entries={[['0: most effort', kLevelColors[0]], ['1', kLevelColors[1]], ['2: least', kLevelColors[2]]]} />;
  if (color_by === 'group') return <Keys entries={[['members of one group alike', kKindColors[0]], ['alone', kAloneColor]]} />;
  const entries = names.slice(0, 7).map((name, i): [string, string] => [name, kKindColors[i % kKindColors.length] as string]);
  if (color_by === 'goal') entries.push(['none', kAloneColor]);
  return <Keys entries={entries} />;
}

function Keys({ entries }: { entries: readonly [string, string][] }) {
  return <>{entries.map(([words, color]) => <p key={words} class="key"><i class="mark dot" style={{ background: color }} />{words}</p>)}</>;
}
