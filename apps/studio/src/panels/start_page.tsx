// SPDX-License-Identifier: MIT
// What one sees first: the named scenes with pictures, the files of the folder, and a place to drop one.
import { useEffect, useState } from 'preact/hooks';
import type { SceneList } from '../protocol/messages';
import { clock, file_size } from '../state/numbers';
import { use_app } from './context';
import { Logo } from './header';

const kBest = ['station_square', 'city_rush_hour', 'bottleneck', 'two_storeys', 'cars', 'corridor_counterflow'];

export function StartPage() {
  const { studio } = use_app();
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
        <label class="upload">Open a file…<input type="file" onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          if (file) void studio.upload(file);
        }} /></label>
      </div>
      {trouble && <p class="empty" role="alert">{trouble}</p>}
      <ul class="cards">
        {scenes.map((scene) => (
          <li key={scene.name}>
            <button class="card" data-scene={scene.name} onClick={() => void studio.open({ scene: scene.name })}>
              <img src={studio.api?.url(scene.picture)} alt="" loading="lazy" width="320" height="180" />
              <strong>{scene.title}</strong>
              <span class="numbers">{scene.people > 0 && `${scene.people.toLocaleString('en-GB')} people · `}{clock(scene.seconds, false)} min</span>
              <span class="about">{scene.description}</span>
            </button>
          </li>
        ))}
      </ul>
      {list && list.files.length > 0 && (
        <section class="files">
          <h2>In this folder</h2>
          <ul>
            {list.files.map((file) => (
              <li key={file.path}><button class="row" onClick={() => void studio.open({ path: file.path })}>{file.path} <span class="numbers">{file.kind}, {file_size(file.bytes)}</span></button></li>
            ))}
          </ul>
        </section>
      )}
    </main>
  );
}
