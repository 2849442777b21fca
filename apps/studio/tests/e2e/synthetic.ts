// SPDX-License-Identifier: MIT
// A recording made of nothing but arithmetic, inlined into the built page as the server's export does it.
import { readFileSync } from 'node:fs';
import type { StudioDocument } from '../../src/protocol/messages';
import { Encoder, type Walker } from '../unit/encoder';

export function crowd_at(count: number, step: number, metres: number): Walker[] {
  return Array.from({ length: count }, (_, i) => {
    const lane = i % Math.floor(metres);
    const speed = 80 + ((i * 37) % 70);
    const east = i % 2 === 0;
    const way = (i * 977 + (speed * step) / 10) % (metres * 100);
    return { number: i, x: Math.round(east ? way : metres * 100 - way), y: lane * 100 + ((i * 53) % 60), z: 0, heading: east ? 0 : 128, level: i % 3, group: i % 9 };
  });
}

export function synthetic_document(metres: number, seconds: number): StudioDocument {
  const walkable: [number, number][] = [[0, 0], [metres, 0], [metres, metres], [0, metres]];
  const pillar = (x: number, y: number): [number, number][] => [[x, y], [x + 2, y], [x + 2, y + 2], [x, y + 2]];
  const walls = [pillar(metres / 4, metres / 4), pillar(metres / 2, metres / 2), pillar((metres * 3) / 4, metres / 4)];
  return {
    name: 'synthetic', kind: 'recording', saved: true, scenario: { scene: { throng_scene: 1, walkable: [walkable], obstacles: walls } }, bounds: [0, 0, metres, metres],
    layers: [{ name: 'ground', elevation: 0, height: 3, walkable: [[walkable]], walls: walls.map((ring) => [ring]) }], areas: [], models: ['reactive', 'linear'], kinds: ['adult', 'child', 'elderly'], goals: [],
    branches: [{ branch: 0, name: 'A', parent: null, from: 0, start: 0, end: seconds, running: false, done: true, events: [{ time: seconds / 2, kind: 'note', words: 'half of it' }] }],
    problems: [], dt: 0.1, duration: seconds,
  };
}

export function embedded_page(dist: string, count: number, metres: number, seconds: number): string {
  const encoder = new Encoder();
  const parts: Buffer[] = [];
  for (let step = 0; step <= seconds * 10; step++) {
    const people = crowd_at(count, step, metres);
    const frame = Buffer.from(step % 50 === 0 ? encoder.key(people, step) : encoder.delta(people, step));
    const length = Buffer.alloc(4);
    length.writeUInt32LE(frame.length);
    parts.push(length, frame);
  }
  const embedded = JSON.stringify({ document: synthetic_document(metres, seconds), branch: 0, frames: Buffer.concat(parts).toString('base64') });
  const script = readFileSync(`${dist}/assets/studio.js`, 'utf8').replaceAll('</script', '<\\/script');
  const style = readFileSync(`${dist}/assets/studio.css`, 'utf8');
  return readFileSync(`${dist}/index.html`, 'utf8')
    .replace(/<link rel="stylesheet"[^>]*>/, () => `<style>${style}</style>`)
    .replace(/<link rel="icon"[^>]*>/, '')
    .replace(/<script type="module"[^>]*><\/script>/, () => `<script>window.THRONG_EMBEDDED=${embedded}</script><script type="module">${script}</script>`);
}
