// SPDX-License-Identifier: MIT
// Density on the walkable ground of a layer, smooth between the squares it was counted in, in the colours of its levels of service.
import { type BufferGeometry, ClampToEdgeWrapping, DataTexture, DoubleSide, LinearFilter, Mesh, RedFormat, ShaderMaterial, UnsignedByteType, Vector2, Vector3 } from 'three';
import type { OverlayItem } from '../protocol/messages';
import { rgba } from './colors';

/** Where each level of service of a walkway begins, people per m² (Fruin 1971). */
export const kServiceLevels = [0, 1 / 3.24, 1 / 2.32, 1 / 1.39, 1 / 0.93, 1 / 0.46] as const;
const kOpacity = 0.88;

type Grid = Extract<OverlayItem, ['grid', ...unknown[]]>;

export function bytes_of(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

export function density_mesh(ground: BufferGeometry, [, x, y, square, columns, unit, data]: Grid, colors: readonly string[]): Mesh {
  const bytes = bytes_of(data);
  const rows = Math.max(1, Math.floor(bytes.length / Math.max(1, columns)));
  const texture = new DataTexture(bytes, columns, rows, RedFormat, UnsignedByteType);
  texture.minFilter = texture.magFilter = LinearFilter;
  texture.wrapS = texture.wrapT = ClampToEdgeWrapping;
  texture.unpackAlignment = 1;
  texture.needsUpdate = true;
  const material = new ShaderMaterial({
    uniforms: {
      density: { value: texture },
      low: { value: new Vector2(x, y) },
      size: { value: new Vector2(columns * square, rows * square) },
      squares: { value: new Vector2(columns, rows) },
      unit: { value: unit * 255 },
      levels: { value: [...kServiceLevels] },
      colors: { value: kServiceLevels.map((_, k) => new Vector3(...rgba(colors[k] ?? '#888888').slice(0, 3))) },
    },
    transparent: true,
    depthWrite: false,
    side: DoubleSide,
    polygonOffset: true,
    polygonOffsetFactor: -1,
    vertexShader: `
      varying vec2 v_place;
      void main() {
        v_place = position.xy;
        gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
      }`,
    fragmentShader: `
      uniform sampler2D density;
      uniform vec2 low;
      uniform vec2 size;
      uniform vec2 squares;
      uniform float unit;
      uniform float levels[6];
      uniform vec3 colors[6];
      varying vec2 v_place;
      // Four bilinear looks give a cubic: no squares are seen.
      float smooth_density(vec2 uv) {
        vec2 at = uv * squares - 0.5;
        vec2 f = fract(at);
        vec2 base = floor(at);
        vec2 w0 = (1.0 - f) * (1.0 - f) * (1.0 - f) / 6.0;
        vec2 w1 = (4.0 - 6.0 * f * f + 3.0 * f * f * f) / 6.0;
        vec2 w3 = f * f * f / 6.0;
        vec2 w2 = 1.0 - w0 - w1 - w3;
        vec2 g0 = w0 + w1;
        vec2 g1 = w2 + w3;
        vec2 h0 = (base - 0.5 + w1 / g0) / squares;
        vec2 h1 = (base + 1.5 + w3 / g1) / squares;
        return g0.y * (g0.x * texture2D(density, vec2(h0.x, h0.y)).r + g1.x * texture2D(density, vec2(h1.x, h0.y)).r)
             + g1.y * (g0.x * texture2D(density, vec2(h0.x, h1.y)).r + g1.x * texture2D(density, vec2(h1.x, h1.y)).r);
      }
      void main() {
        vec2 uv = (v_place - low) / size;
        if (uv.x < 0.0 || uv.y < 0.0 || uv.x > 1.0 || uv.y > 1.0) discard;
        float d = smooth_density(uv) * unit;
        float soft = max(fwidth(d), 0.004);
        vec3 color = colors[0];
        for (int k = 1; k < 6; k++) color = mix(color, colors[k], smoothstep(levels[k] - soft, levels[k] + soft, d));
        gl_FragColor = vec4(color, ${kOpacity.toFixed(2)} * smoothstep(0.04, 0.2, d));
        #include <colorspace_fragment>
      }`,
  });
  const mesh = new Mesh(ground, material);
  mesh.renderOrder = 1;
  mesh.userData['texture'] = texture;
  return mesh;
}
