// SPDX-License-Identifier: MIT
// What one sees first: the named scenes with pictures, the files of the folder, and a place to drop one.
import { useEffect, useState } from 'preact/hooks';
import type { DraftEntry, FileEntry, SceneList } from '../protocol/messages';
import { clock, file_size } from '../state/numbers';
import { when } from '../state/studio';
import { use_signal } from '../state/signal';
import { use_app } from './context';
import { Logo } from './header';
import { Icon } from './icons';

const kBest = ['station_square', 'city_rush_hour', 'bottleneck', 'two_storeys', 'cars', 'corridor_counterflow'];

export function StartPage() {
  const { studio, theme } = use_app();
  const dark = use_signal(theme.dark);
  const [list, set_list] = useState<SceneList | null>(null);
  const [trouble, set_trouble] = useState<string | null>(null);
  useEffect(() => {
    studio.api?.json<SceneList>('/api/scenes').then(set_list, (error: unknown) => set_trouble(error instanceof Error ? error.message : String(error)));
  }, []);
  const place = (name: string) => (kBest.includes(name) ? kBest.indexOf(name) : kBest.length);
  const scenes = [...(list?.scenes ?? [])].sort((a, b) => place(a.name) - place(b.name));
  return (
    <main class="start">
      <div class="welcome">
        <Logo />
        <h1>Throng studio</h1>
        <p>Pick a scene, or drop a floor plan, a scenario or a recording anywhere in this window.</p>
        {list && list.files.length > 0 && <button class="more" onClick={() => document.getElementById('files')?.scrollIntoView({ block: 'center' })}>In this folder…</button>}
        <label class="upload">Open a file…<input type="file" onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          if (file) void studio.upload(file);
        }} /></label>
      </div>
      {trouble && <p class="empty" role="alert">{trouble}</p>}
      <Drafts />
      <ul class="cards">
        {scenes.map((scene) => (
          <li key={scene.name}>
            <button class="card" data-scene={scene.name} onClick={() => void studio.open({ scene: scene.name })}>
              <img src={studio.api?.url(`${scene.picture}?theme=${dark ? 'dark' : 'light'}`)} alt="" loading="lazy" width="320" height="200" />
              <strong>{scene.title}</strong>
              <span class="numbers">{scene.people > 0 && `${scene.people.toLocaleString('en-GB')} people · `}{clock(scene.seconds, false)} min</span>
              <span class="about">{scene.description}</span>
            </button>
          </li>
        ))}
      </ul>
      {list && list.files.length > 0 && <Files name={list.folder} first={list.files} />}
    </main>
  );
}

/** What was edited and is in no file yet. */
function Drafts() {
  const { studio } = use_app();
  const [drafts, set_drafts] = useState<DraftEntry[]>([]);
  const [asked, set_asked] = useState<string | null>(null);
  useEffect(() => {
    studio.connection.ask('drafts', {}).then((answer) => set_drafts(answer.drafts), (error: unknown) => studio.fail(error, 'The drafts could not be listed'));
  }, []);
  if (drafts.length === 0) return null;
  const discard = (id: string) => {
    set_asked(null);
    studio.connection.ask('discard', { draft: id }).then(
      () => set_drafts(drafts.filter((one) => one.id !== id)),
      (error: unknown) => studio.fail(error, 'The draft could not be discarded'),
    );
  };
  return (
    <section class="drafts" aria-label="Drafts">
      <h2>Drafts, not saved</h2>
      <ul>
        {drafts.map((draft) => (
          <li key={draft.id}>
            <button class="row" data-draft={draft.id} onClick={() => void studio.open({ draft: draft.id })}>Draft of {draft.name}, not saved <span class="numbers">{when(draft.at)}{draft.path !== undefined && `, of ${draft.path}`}</span></button>
            {asked === draft.id ? (
              <span class="sure">Gone for good? <button class="danger" onClick={() => discard(draft.id)}>Discard</button><button onClick={() => set_asked(null)}>Cancel</button></span>
            ) : <button class="more" aria-label={`Discard the draft of ${draft.name}`} onClick={() => set_asked(draft.id)}>Discard…</button>}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What can be opened of the folder the program was started in, and of those in it. */
function Files({ name, first }: { name: string; first: readonly FileEntry[] }) {
  const { studio } = use_app();
  const [path, set_path] = useState('');
  const [files, set_files] = useState(first);
  const enter = (next: string) => {
    if (next === '') {
      set_path('');
      set_files(first);
      return;
    }
    studio.connection.ask('files', { path: next }).then(
      (answer) => {
        set_path(next);
        set_files(answer.files);
      },
      (error: unknown) => studio.fail(error, `${next} could not be listed`),
    );
  };
  const last = (of: string) => of.slice(of.lastIndexOf('/') + 1);
  const folders = files.filter((file) => file.kind === 'folder');
  return (
    <section class="files" id="files">
      <h2>{path === '' ? `In ${name}` : `In ${name}/${path}`}</h2>
      <ul>
        {path !== '' && <li><button class="row" onClick={() => enter(path.slice(0, Math.max(0, path.lastIndexOf('/'))))}><Icon name="folder" /> back to {path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : name}</button></li>}
        {files.filter((file) => file.kind !== 'folder').map((file) => (
          <li key={file.path}><button class="row" onClick={() => void studio.open({ path: file.path })}>{last(file.path)} <span class="numbers">{file.kind}, {file_size(file.bytes)}</span></button></li>
        ))}
        {folders.map((folder) => <li key={folder.path}><button class="row" onClick={() => enter(folder.path)}><Icon name="folder" /> {last(folder.path)}</button></li>)}
        {path !== '' && files.length === 0 && <li class="empty">Nothing here that the studio reads.</li>}
      </ul>
    </section>
  );
}
