// SPDX-License-Identifier: MIT
// Small windows over the scene: keys, save, share, branch, search. Esc or a click beside them closes them.
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { items_of, shape_centre, shape_outline } from '../edit/items';
import type { JsonObject } from '../protocol/messages';
import { clock } from '../state/numbers';
import { selection } from '../state/selection';
import { use_signal } from '../state/signal';
import { download } from '../state/studio';
import { ring_bounds } from '../view/geometry';
import { use_app } from './context';

export function Dialogs(): ComponentChildren {
  const { studio } = use_app();
  const dialog = use_signal(studio.dialog);
  switch (dialog) {
    case 'none': return null;
    case 'keys': return <Sheet title="Keys"><Keys /></Sheet>;
    case 'leave': return <Sheet title="Leave this scene?"><Leave /></Sheet>;
    case 'save': return <Sheet title="Save"><Save /></Sheet>;
    case 'save_and_leave': return <Sheet title="Save and leave"><Save leaves /></Sheet>;
    case 'share': return <Sheet title="Share"><Share /></Sheet>;
    case 'branch': return <Sheet title="Go on from here with a change"><BranchForm /></Sheet>;
    case 'search': return <Sheet title="Search"><Search /></Sheet>;
  }
}

function Sheet({ title, children }: { title: string; children: ComponentChildren }) {
  const { studio } = use_app();
  const box = useRef<HTMLDialogElement>(null);
  const is_gone = useRef(false);
  useEffect(() => {
    const dialog = box.current;
    dialog?.showModal();
    dialog?.querySelector<HTMLElement>('input, select, button.primary, button')?.focus();
    return () => {
      is_gone.current = true;
      dialog?.close();
    };
  }, []);
  // A dialog tells of its closing later, when the next one may be open: that is not its business any more.
  const close = () => {
    if (!is_gone.current) studio.dialog.value = 'none';
  };
  return (
    <dialog ref={box} class="sheet" aria-label={title} onClose={close} onClick={(event) => event.target === box.current && close()}>
      <h2>{title}</h2>
      {children}
    </dialog>
  );
}

/** In every dialog: nothing has happened, and nothing will. */
function Cancel({ words = 'Cancel' }: { words?: string }) {
  const { studio } = use_app();
  return <button type="button" onClick={() => (studio.dialog.value = 'none')}>{words}</button>;
}

const kKeyWords: readonly [string, string][] = [
  ['Space', 'play or pause'], ['← →', 'one step back or on; with Shift ten'], ['Home End', 'to the start, to the end'], ['[ ]', 'slower, faster'], ['E', 'next event; with Shift the last'],
  ['B', 'branch: go on from here with a change'], ['C', 'charts'], ['1 – 9', 'overlays'],
  ['H', 'see everything'], ['T', 'from above'], ['F', 'follow the selected person'], ['W', 'walk in the crowd; arrows or WASD, Esc leaves'], ['+ −', 'nearer, farther'], [', .', 'turn'],
  ['P', 'people: a box, or one by one'], ['G', 'goal'], ['O', 'obstacle'], ['D', 'door'], ['S', 'source'], ['A', 'area'], ['R', 'region'], ['V', 'vehicle'], ['M', 'measuring line'],
  ['Enter', 'finish an outline or a path'], ['Del', 'delete the selected thing'], ['Ctrl+Z', 'undo'], ['Ctrl+Shift+Z', 'redo'], ['Ctrl+S', 'save'], ['Ctrl+K', 'search'], ['Esc', 'leave, deselect'],
];

function Keys() {
  return (
    <>
      <dl class="keys">{kKeyWords.map(([key, words]) => <div key={key}><dt><kbd>{key}</kbd></dt><dd>{words}</dd></div>)}</dl>
      <div class="buttons end"><Cancel words="Close" /></div>
    </>
  );
}

/** What is left behind, and what may become of it. */
function Leave() {
  const { studio } = use_app();
  const document = studio.document.value;
  const keeping = use_signal(studio.drafts.keeping);
  const branches = use_signal(studio.branches).length;
  const failed = keeping.state === 'failed';
  const changed = !studio.is_clean;
  return (
    <form onSubmit={(event) => {
      event.preventDefault();
      void studio.left('keep');
    }}>
      {changed && (failed
        ? <p class="error" role="alert">What you edited is in no file, and no draft could be kept: {keeping.why}.</p>
        : <p>What you edited of <b>{document?.name}</b> is in no file yet. A draft of it stays on disk and is offered on the first page.</p>)}
      {branches > 1 && <p>{branches} runs of it are forgotten once something else is opened. <b>Share</b> keeps one as a recording.</p>}
      <div class="buttons end">
        <Cancel />
        {changed && <button type="button" class="danger" onClick={() => void studio.left('discard')}>Discard what I edited</button>}
        {changed && <button type="button" onClick={() => (studio.dialog.value = 'save_and_leave')}>Save…</button>}
        {!(changed && failed) && <button class="primary" type="submit">{changed ? 'Leave, keep the draft' : 'Leave'}</button>}
      </div>
    </form>
  );
}

function Save({ leaves = false }: { leaves?: boolean }) {
  const { studio } = use_app();
  const document = studio.document.value;
  const [path, set_path] = useState(document?.path ?? `${document?.name ?? 'scenario'}.json`);
  const [taken, set_taken] = useState('');
  const save = async (overwrite: boolean) => {
    const is_done = await studio.save(path, overwrite);
    if (!is_done) set_taken(path);
    else if (leaves && studio.is_clean) void studio.left('keep');
    else studio.dialog.value = 'none';
  };
  return (
    <form onSubmit={(event) => {
      event.preventDefault();
      void save(false);
    }}>
      <label class="field">File, below the folder the studio was started in
        <input type="text" name="path" value={path} onInput={(event) => set_path(event.currentTarget.value)} required />
      </label>
      <p class="words">It is the scenario file that <code>throng run</code> takes.</p>
      {taken !== '' && taken === path
        ? <p class="error" role="alert">There is a file of this name already. <button class="fix" type="button" onClick={() => void save(true)}>Replace it</button></p>
        : null}
      <div class="buttons end"><Cancel />{!(taken !== '' && taken === path) && <button class="primary" type="submit">Save</button>}</div>
    </form>
  );
}

function Share() {
  const { studio, stage } = use_app();
  const live = studio.connection.live;
  const branch = studio.branch();
  const is_bare = !branch || branch.end <= branch.start + 1.5 * (studio.document.value?.dt ?? 0.1);
  const held = studio.is_stale ? 'What you edited is run to its end first.' : is_bare ? 'The run is computed to its end first.' : branch.done ? 'All of the run is in it.' : `What is computed is in it: ${clock(branch.end)} of ${clock(studio.end_of(branch))}.`;
  const done = (work: () => Promise<void>) => () => {
    studio.dialog.value = 'none';
    void work();
  };
  const picture = async () => {
    const blob = await stage.picture();
    if (blob) download(blob, `${studio.document.value?.name ?? 'throng'}_${clock(studio.shown_time.value).replace(':', '-')}.png`);
  };
  return (
    <div class="choices">
      <button class="primary" onClick={done(picture)}><strong>Screenshot</strong><span>What you see, as a PNG</span></button>
      {live && (
        <>
          <button onClick={done(() => studio.export('html'))}><strong>A page that plays</strong><span>One HTML file with this branch in it; needs no server</span></button>
          <button onClick={done(() => studio.export('video'))}><strong>Video</strong><span>MP4 from above; needs ffmpeg where the studio runs</span></button>
          <button onClick={done(() => studio.export('recording'))}><strong>Recording</strong><span>For <code>throng draw</code>, <code>export</code> and <code>why</code></span></button>
          <p class="words">{held}</p>
        </>
      )}
      <div class="buttons end"><Cancel /></div>
    </div>
  );
}

type Change = 'close_door' | 'open_door' | 'add_obstacle' | 'scale_speed' | 'nothing';

function BranchForm() {
  const { studio } = use_app();
  const time = studio.shown_time.value;
  const doors = items_of(studio.scenario).filter((item) => item.kind === 'door').map((item) => item.name);
  const place = selection.value.what === 'place' ? selection.value : null;
  const [change, set_change] = useState<Change>(doors.length ? 'close_door' : place ? 'add_obstacle' : 'scale_speed');
  const [door, set_door] = useState(doors[0] ?? '');
  const [size, set_size] = useState(2);
  const [factor, set_factor] = useState(0.7);
  const action = (): JsonObject | null => {
    if (change === 'close_door' || change === 'open_door') return { [change]: door };
    if (change === 'scale_speed') return { scale_speed: factor };
    if (change === 'add_obstacle' && place) {
      const half = size / 2;
      const { x, y } = place;
      return { add_obstacle: `crate at ${clock(time)}`, polygon: [[x - half, y - half], [x + half, y - half], [x + half, y + half], [x - half, y + half]], layer: place.layer };
    }
    return null;
  };
  const words = { close_door: `close ${door}`, open_door: `open ${door}`, add_obstacle: 'drop a crate', scale_speed: `speed × ${factor}`, nothing: 'no change' }[change];
  return (
    <form onSubmit={(event) => {
      event.preventDefault();
      studio.dialog.value = 'none';
      const one = action();
      void studio.make_branch(time, one ? [{ actions: [one] }] : [], words);
    }}>
      <p>Both runs stay: this one as it is, and another that leaves it at <b>{clock(time)}</b>.</p>
      <label class="field">Change
        <select name="change" value={change} onChange={(event) => set_change(event.currentTarget.value as Change)}>
          <option value="close_door" disabled={doors.length === 0}>close a door</option>
          <option value="open_door" disabled={doors.length === 0}>open a door</option>
          <option value="add_obstacle" disabled={!place}>drop a crate at the selected place</option>
          <option value="scale_speed">everybody slower or faster</option>
          <option value="nothing">nothing</option>
        </select>
      </label>
      {(change === 'close_door' || change === 'open_door') && <label class="field">Door <select value={door} onChange={(event) => set_door(event.currentTarget.value)}>{doors.map((name) => <option key={name}>{name}</option>)}</select></label>}
      {change === 'add_obstacle' && <label class="field">Side, m <input type="number" min="0.2" max="50" step="0.1" value={size} onInput={(event) => set_size(Number(event.currentTarget.value))} /></label>}
      {change === 'scale_speed' && <label class="field">Factor on speed <input type="number" min="0.1" max="5" step="0.1" value={factor} onInput={(event) => set_factor(Number(event.currentTarget.value))} /></label>}
      {!place && <p class="words">Click a place on the ground first to drop a crate there.</p>}
      <div class="buttons end"><Cancel /><button class="primary" type="submit">Branch</button></div>
    </form>
  );
}

function Search() {
  const { studio, stage } = use_app();
  const [text, set_text] = useState('');
  const wanted = text.trim().toLowerCase();
  const number = /^\d+$/.test(wanted) ? Number(wanted) : null;
  const items = wanted === '' ? [] : items_of(studio.scenario).filter((item) => item.name.toLowerCase().includes(wanted)).slice(0, 12);
  const done = () => (studio.dialog.value = 'none');
  return (
    <div class="search">
      <input type="search" aria-label="Search" placeholder="a person's number, or the name of an area, door, plan…" value={text} onInput={(event) => set_text(event.currentTarget.value)} />
      {number !== null && (
        <button class="row" onClick={() => {
          selection.value = { what: 'person', number };
          stage.rig.follow(16);
          done();
        }}>Person {number}</button>
      )}
      {items.map((item) => (
        <button key={item.pointer} class="row" onClick={() => {
          selection.value = { what: 'item', pointer: item.pointer };
          if (item.shape) {
            const [x, y] = shape_centre(item.shape);
            const [x0, y0, x1, y1] = ring_bounds(shape_outline(item.shape));
            stage.frame_box([x0 - 5, y0 - 5, x1 + 5, y1 + 5], stage.floor(item.layer)(x, y));
          }
          done();
        }}>{item.kind}: {item.name}</button>
      ))}
      {wanted !== '' && items.length === 0 && number === null && <p class="empty">Nothing has that name.</p>}
      <div class="buttons end"><Cancel /></div>
    </div>
  );
}
