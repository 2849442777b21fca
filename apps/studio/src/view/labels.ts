// SPDX-License-Identifier: MIT
// Words in the scene: sprites from a canvas, made once for each text and colour.
import { CanvasTexture, type Group, type PerspectiveCamera, Sprite, SpriteMaterial, Vector3 } from 'three';

const kPixels = 44;

interface Drawn {
  texture: CanvasTexture;
  aspect: number;
}

const cache = new Map<string, Drawn>();
const kMostCached = 600;

function drawn(words: string, color: string, halo: string): Drawn {
  const key = `${words}\n${color}\n${halo}`;
  const known = cache.get(key);
  if (known) return known;
  if (cache.size > kMostCached) {
    for (const one of cache.values()) one.texture.dispose();
    cache.clear();
  }
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d') as CanvasRenderingContext2D;
  const font = `600 ${kPixels}px system-ui, sans-serif`;
  context.font = font;
  canvas.width = Math.ceil(context.measureText(words).width) + 16;
  canvas.height = kPixels + 20;
  context.font = font;
  context.textBaseline = 'middle';
  context.lineJoin = 'round';
  context.lineWidth = 8;
  context.strokeStyle = halo;
  context.strokeText(words, 8, canvas.height / 2);
  context.fillStyle = color;
  context.fillText(words, 8, canvas.height / 2);
  const texture = new CanvasTexture(canvas);
  texture.colorSpace = 'srgb';
  const made = { texture, aspect: canvas.width / canvas.height };
  cache.set(key, made);
  return made;
}

/** A label in metres, or of a fixed size on the screen where `size` is zero. */
export function label(words: string, x: number, y: number, z: number, size: number, color: string, halo: string): Sprite {
  const { texture, aspect } = drawn(words, color, halo);
  const on_screen = size <= 0;
  const sprite = new Sprite(new SpriteMaterial({ map: texture, depthTest: false, depthWrite: false, sizeAttenuation: !on_screen, transparent: true }));
  const height = on_screen ? 0.021 : size * 1.45;
  sprite.scale.set(height * aspect, height, 1);
  sprite.position.set(x, y, z);
  sprite.renderOrder = 20;
  sprite.userData['on_screen'] = on_screen;
  return sprite;
}

/** Lines a label may move up or down to find room; where there is none it stays. */
const kShifts = [0, 1, -1, 2, -2];

/** Labels of a fixed size that would cover each other on the screen make room. Says whether any moved. */
export function spread_labels(group: Group, camera: PerspectiveCamera): boolean {
  const placed: { x: number; y: number; wide: number; high: number }[] = [];
  const seen = new Vector3();
  const per_unit = 1 / Math.tan((camera.fov * Math.PI) / 360);
  let moved = false;
  for (const sprite of group.children) {
    if (!(sprite instanceof Sprite) || sprite.userData['on_screen'] !== true) continue;
    seen.copy(sprite.position).project(camera);
    const [wide, high] = [(sprite.scale.x * per_unit) / camera.aspect, sprite.scale.y * per_unit];
    const is_free = (y: number) => placed.every((one) => Math.abs(one.x - seen.x) * 2 > one.wide + wide || Math.abs(one.y - y) * 2 > (one.high + high) * 0.8);
    const shift = kShifts.find((lines) => is_free(seen.y + lines * high * 0.85)) ?? 0;
    placed.push({ x: seen.x, y: seen.y + shift * high * 0.85, wide, high });
    const centre = 0.5 - shift * 0.85;
    moved ||= sprite.center.y !== centre;
    sprite.center.y = centre;
  }
  return moved;
}
