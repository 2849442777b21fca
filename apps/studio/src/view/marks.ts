// SPDX-License-Identifier: MIT
// People far from the camera: points in one draw call, each a small pawn from the side or a disc with a nose from above.
import { BufferAttribute, BufferGeometry, Points, ShaderMaterial } from 'three';
import { kPersonShader } from './crowd';
import type { PeopleUniforms } from './figures';

export interface MarkUniforms {
  /** Pixels of a metre at a metre's distance. */
  focal: { value: number };
  /** 1 when looking straight down. */
  steep: { value: number };
  pixel_ratio: { value: number };
}

function material(people: PeopleUniforms, marks: MarkUniforms): ShaderMaterial {
  return new ShaderMaterial({
    uniforms: { ...people, ...marks },
    vertexShader: `${kPersonShader}
      attribute float who;
      uniform float focal;
      uniform float steep;
      uniform float pixel_ratio;
      varying vec3 v_tint;
      varying vec2 v_nose;
      varying float v_big;
      void main() {
        int i = int(who + 0.5);
        vec4 here = mix(person_texel(i, 0), person_texel(i, 1), share);
        vec4 gait = person_texel(i, 2);
        float size = person_size(gait);
        v_tint = person_tint(gait);
        vec4 seen = viewMatrix * vec4(here.xyz + vec3(0.0, 0.0, 0.85 * size), 1.0);
        gl_Position = projectionMatrix * seen;
        float pixels = mix(1.75, 0.62, smoothstep(0.6, 0.95, steep)) * size * focal / -seen.z;
        gl_PointSize = max(pixels, 5.2 * pixel_ratio);
        v_big = smoothstep(7.0 * pixel_ratio, 11.0 * pixel_ratio, pixels);
        v_nose = mat2(viewMatrix) * vec2(cos(here.w), sin(here.w));
        bool shown = distance(cameraPosition, here.xyz) >= near && here.z < cut;
        if (!shown) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
      }`,
    fragmentShader: `
      uniform float steep;
      varying vec3 v_tint;
      varying vec2 v_nose;
      varying float v_big;
      void main() {
        vec2 at = gl_PointCoord * 2.0 - 1.0;
        at.y = -at.y;
        vec3 tint = v_tint;
        if (steep > 0.85 || v_big < 0.01) {
          float r = length(at);
          if (r > 1.0) discard;
          float rim = smoothstep(0.7, 0.95, r);
          float nose = smoothstep(0.16, 0.08, abs(at.x * v_nose.y - at.y * v_nose.x)) * step(0.1, dot(at, v_nose));
          tint = mix(tint, vec3(0.01, 0.015, 0.03), max(0.8 * rim * max(v_big, 0.85), 0.8 * nose * v_big));
        } else {
          // A pawn: head over body.
          float head = length((at - vec2(0.0, 0.76)) * vec2(1.0, 1.0)) - 0.17;
          vec2 body = abs(at - vec2(0.0, -0.2)) - vec2(0.14, 0.52);
          float torso = length(max(body, 0.0)) - 0.12;
          float d = min(head, torso);
          if (d > 0.0) discard;
          tint = head < torso ? mix(tint, vec3(0.35, 0.22, 0.16), 0.75) : at.y < -0.28 ? tint * 0.28 : tint;
          tint *= 0.72 + 0.28 * smoothstep(0.25, -0.2, at.x);
        }
        gl_FragColor = vec4(tint, 1.0);
        #include <colorspace_fragment>
      }`,
  });
}

export class Marks {
  readonly points: Points;
  private readonly geometry = new BufferGeometry();
  private capacity = 0;

  constructor(people: PeopleUniforms, marks: MarkUniforms) {
    this.points = new Points(this.geometry, material(people, marks));
    this.points.frustumCulled = false;
    this.show(0);
  }

  show(count: number): void {
    if (count > this.capacity || this.capacity === 0) {
      this.capacity = Math.max(1024, count, this.capacity * 2);
      this.geometry.dispose();
      this.geometry.setAttribute('who', new BufferAttribute(Float32Array.from({ length: this.capacity }, (_, i) => i), 1));
    }
    this.geometry.setDrawRange(0, count);
  }
}
