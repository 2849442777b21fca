// SPDX-License-Identifier: MIT
import { render } from 'preact';
import { StudioApp } from './app';
import { PointerTools } from './edit/pointer_tools';
import { listen_to_keys } from './keys';
import type { App } from './panels/context';
import { type Connection, HttpApi, SocketConnection } from './protocol/connection';
import { EmbeddedConnection } from './protocol/embedded';
import { FrameError } from './protocol/frames';
import { bind_scene } from './view/bind_scene';
import { OverlayKeeper } from './state/overlays';
import { Studio } from './state/studio';
import { Theme } from './state/theme';
import { Visitor } from './state/visitor';
import { Stage } from './view/stage';
import './style/studio.css';

function connect(): { connection: Connection; api: HttpApi | null } {
  if (window.THRONG_EMBEDDED) return { connection: new EmbeddedConnection(window.THRONG_EMBEDDED), api: null };
  const token = new URLSearchParams(location.hash.slice(1)).get('token') ?? '';
  const api = new HttpApi(token);
  return { connection: new SocketConnection(api.socket_url()), api };
}

function start(root: HTMLElement): void {
  const canvas = document.createElement('canvas');
  canvas.tabIndex = 0;
  canvas.setAttribute('role', 'application');
  canvas.setAttribute('aria-label', 'The scene in 3D. Keys: question mark.');
  const { connection, api } = connect();
  const stage = new Stage(canvas);
  const studio = new Studio(connection, api);
  const app: App = {
    studio,
    stage,
    overlays: new OverlayKeeper(studio, stage),
    tools: new PointerTools(canvas, studio, stage),
    theme: new Theme(),
    visitor: new Visitor(studio, stage),
  };
  bind_scene(app);
  listen_to_keys(app);
  render(<StudioApp app={app} canvas={canvas} />, root);
  // The browser asks; meanwhile the draft goes to disk, so that the answer loses nothing.
  addEventListener('beforeunload', (event) => {
    if (!connection.live || !studio.document.value || studio.is_clean) return;
    void studio.drafts.flush();
    event.preventDefault();
  });
  stage.on_shown = (frame) => studio.frame_shown(frame.branch, frame.time, frame.count);
  let started = false;
  connection.listen({
    frame: (bytes) => {
      try {
        stage.receive(bytes);
      } catch (error) {
        if (!(error instanceof FrameError)) throw error;
        studio.refresh();
      }
    },
    push: (message) => studio.receive(message),
    state: (state) => {
      studio.link.value = state;
      // After a lost connection the program may be another one with another document: begin again.
      if (state !== 'open') return;
      studio.start().catch((error: unknown) => studio.fail(error, started ? 'The program did not answer' : 'The studio could not start'));
      started = true;
    },
  });
}

const root = document.getElementById('app');
if (root) {
  try {
    start(root);
  } catch (error) {
    root.textContent = `The studio needs WebGL 2, which this browser does not offer. (${error instanceof Error ? error.message : String(error)})`;
  }
}
