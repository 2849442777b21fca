// SPDX-License-Identifier: MIT
// Words in the scene: sprites from a canvas, made once for each text and colour.
import { CanvasTexture, Sprite, SpriteMaterial } from 'three';

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
  return sprite;
}
