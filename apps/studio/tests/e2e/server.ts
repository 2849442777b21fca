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
  folder: string;
  stop(): Promise<void>;
}

export function program(): string {
  const path = process.env['THRONG_PROGRAM'];
  if (!path) throw new Error('THRONG_PROGRAM is not set: start with npm run e2e -- PROGRAM');
  return path;
}

export async function serve(): Promise<Served> {
  const folder = mkdtempSync(join(tmpdir(), 'throng_studio_'));
  const child: ChildProcess = spawn(program(), ['studio', '--port', '0', '--no-open', '--json', '--dir', folder], {
    cwd: folder,
    env: { ...process.env, THRONG_STUDIO_DIR: kDist },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let complaints = '';
  child.stderr?.on('data', (data: Buffer) => (complaints += data.toString()));
  const said = await new Promise<{ url: string; token: string }>((resolve, reject) => {
    let text = '';
    child.stdout?.on('data', (data: Buffer) => {
      text += data.toString();
      try {
        resolve(JSON.parse(text) as { url: string; token: string });
      } catch {
        // Not all of it yet.
      }
    });
    child.on('exit', (code) => reject(new Error(`throng studio ended with ${code}: ${complaints}`)));
  });
  return {
    ...said,
    folder,
    stop: () =>
      new Promise((resolve) => {
        child.removeAllListeners('exit');
        child.on('exit', () => {
          rmSync(folder, { recursive: true, force: true });
          resolve();
        });
        child.kill('SIGTERM');
      }),
  };
}
