// SPDX-License-Identifier: MIT
// The built program serving the built page, on a free port, in a folder of its own.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { kDist } from './browser';

export interface Served {
  url: string;
  token: string;
  port: number;
  folder: string;
  /** As `kill -9` does: its folder stays. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

export interface ServeOptions {
  /** One that is there already; else a new one, which goes with the program. */
  folder?: string;
  port?: number;
  token?: string;
}

export function program(): string {
  const path = process.env['THRONG_PROGRAM'];
  if (!path) throw new Error('THRONG_PROGRAM is not set: start with npm run e2e -- PROGRAM');
  return path;
}

export async function serve(options: ServeOptions = {}): Promise<Served> {
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'throng_studio_'));
  const child: ChildProcess = spawn(program(), ['studio', '--port', String(options.port ?? 0), '--no-open', '--json', '--dir', folder], {
    cwd: folder,
    env: { ...process.env, THRONG_STUDIO_DIR: kDist, ...(options.token ? { THRONG_STUDIO_TOKEN: options.token } : {}) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let complaints = '';
  child.stderr?.on('data', (data: Buffer) => (complaints += data.toString()));
  const said = await new Promise<{ url: string; token: string; port: number }>((resolve, reject) => {
    let text = '';
    child.stdout?.on('data', (data: Buffer) => {
      text += data.toString();
      try {
        resolve(JSON.parse(text) as { url: string; token: string; port: number });
      } catch {
        // Not all of it yet.
      }
    });
    child.on('exit', (code) => reject(new Error(`throng studio ended with ${code}: ${complaints}`)));
  });
  return {
    ...said,
    folder,
    kill: () =>
      new Promise((resolve) => {
        child.removeAllListeners('exit');
        child.on('exit', () => resolve());
        child.kill('SIGKILL');
      }),
    stop: () =>
      new Promise((resolve) => {
        child.removeAllListeners('exit');
        child.on('exit', () => {
          rmSync(folder, { recursive: true, force: true });
          resolve();
        });
        if (child.exitCode !== null || child.signalCode !== null) {
          rmSync(folder, { recursive: true, force: true });
          resolve();
          return;
        }
        child.kill('SIGTERM');
      }),
  };
}
