// SPDX-License-Identifier: MIT
// The window: the scene fills it, everything else lies on top of it or steps back.
import { useEffect, useRef, useState } from 'preact/hooks';
import { ChartDrawer } from './charts/drawer';
import { Compare } from './panels/compare';
import { type App, AppContext, use_app } from './panels/context';
import { Dialogs } from './panels/dialogs';
import { Header } from './panels/header';
import { Icon } from './panels/icons';
import { Inspector } from './panels/inspector';
import { Outline } from './panels/outline';
import { OneProblem } from './panels/problems';
import { ResultsCard } from './panels/results';
import { StartPage } from './panels/start_page';
import { TimeBar } from './panels/time_bar';
import { ViewCube } from './panels/view_cube';
import { CameraControls, Legend, StoreySlider } from './panels/view_controls';
import { selection } from './state/selection';
import { use_signal } from './state/signal';

export function StudioApp({ app, canvas }: { app: App; canvas: HTMLCanvasElement }) {
  return (
    <AppContext.Provider value={app}>
      <Window canvas={canvas} />
    </AppContext.Provider>
  );
}

function Window({ canvas }: { canvas: HTMLCanvasElement }) {
  const { studio } = use_app();
  const document = use_signal(studio.document);
  const mode = use_signal(studio.mode);
  const results = use_signal(studio.results_open);
  const selected = use_signal(selection);
  return (
    <DropTarget>
      <Header />
      <div class={document ? 'middle' : 'middle closed'}>
        <SceneCanvas canvas={canvas} />
        {document ? (
          <>
            {mode === 'scene' && studio.connection.live && <Outline />}
            <div class="floats">
              <div class="camera-row">
                <ViewCube />
                <CameraControls />
              </div>
              <StoreySlider />
              <Legend />
            </div>
            {mode === 'compare' ? <Compare /> : results && selected.what === 'nothing' ? <ResultsCard /> : <Inspector />}
          </>
        ) : studio.connection.live && <StartPage />}
      </div>
      {document && <TimeBar />}
      {document && studio.connection.live && <ChartDrawer />}
      <NoticeBox />
      <Dialogs />
    </DropTarget>
  );
}

function SceneCanvas({ canvas }: { canvas: HTMLCanvasElement }) {
  const { stage } = use_app();
  const holder = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const box = holder.current;
    if (!box) return undefined;
    box.append(canvas);
    const fit = () => stage.resize(Math.max(1, box.clientWidth), Math.max(1, box.clientHeight));
    const watcher = new ResizeObserver(fit);
    watcher.observe(box);
    fit();
    return () => watcher.disconnect();
  }, []);
  return <div class="scene" ref={holder} />;
}

const kNoticeMs = 4000;

function NoticeBox() {
  const { studio } = use_app();
  const notice = use_signal(studio.notice);
  useEffect(() => {
    if (notice?.kind !== 'done') return undefined;
    const timer = setTimeout(() => (studio.notice.value = null), kNoticeMs);
    return () => clearTimeout(timer);
  }, [notice]);
  if (!notice) return null;
  const close = () => (studio.notice.value = null);
  return (
    <div class={`notice ${notice.kind}`} role={notice.kind === 'error' ? 'alert' : 'status'}>
      <strong>{notice.words}</strong>
      <button class="close" aria-label="Close the message" onClick={close}><Icon name="close" /></button>
      {notice.actions && notice.actions.length > 0 && (
        <div class="buttons">
          {notice.actions.map(({ words, act }) => (
            <button key={words} onClick={() => {
              close();
              act();
            }}>{words}</button>
          ))}
          <button onClick={close}>Not now</button>
        </div>
      )}
      {notice.problems.slice(0, 8).map((problem, i) => <OneProblem key={i} problem={problem} />)}
      {notice.problems.length > 8 && <p>and {notice.problems.length - 8} more</p>}
    </div>
  );
}

function DropTarget({ children }: { children: preact.ComponentChildren }) {
  const { studio } = use_app();
  const [over, set_over] = useState(false);
  const live = studio.connection.live;
  return (
    <div
      class={over ? 'window over' : 'window'}
      onDragOver={(event) => {
        if (!live) return;
        event.preventDefault();
        set_over(true);
      }}
      onDragLeave={(event) => event.currentTarget === event.target && set_over(false)}
      onDrop={(event) => {
        if (!live) return;
        event.preventDefault();
        set_over(false);
        const file = event.dataTransfer?.files[0];
        if (file) studio.leave(() => void studio.upload(file));
      }}
    >
      {children}
      {over && <div class="drop-hint">Drop it to open it</div>}
    </div>
  );
}
