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
  /** 1: nobody is a figure. */
  all_dots: { value: number };
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
      varying float v_size;
      uniform float all_dots;
      void main() {
        int i = int(who + 0.5);
        vec4 here = mix(person_texel(i, 0), person_texel(i, 1), share);
        vec4 gait = person_texel(i, 2);
        float size = person_size(gait);
        v_tint = person_tint(gait);
        vec4 seen = viewMatrix * vec4(here.xyz + vec3(0.0, 0.0, 0.85 * size), 1.0);
        gl_Position = projectionMatrix * seen;
        float pixels = mix(1.75, 0.62, smoothstep(0.6, 0.95, steep)) * size * focal / -seen.z;
        v_size = max(pixels, 5.4 * pixel_ratio) + 3.0 * pixel_ratio;
        gl_PointSize = v_size;
        v_big = smoothstep(7.0 * pixel_ratio, 11.0 * pixel_ratio, pixels);
        v_nose = mat2(viewMatrix) * vec2(cos(here.w), sin(here.w));
        bool shown = (all_dots > 0.5 || distance(cameraPosition, here.xyz) >= near) && here.z < cut;
        if (!shown) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
      }`,
    fragmentShader: `
      uniform float steep;
      uniform float pixel_ratio;
      uniform float all_dots;
      varying vec3 v_tint;
      varying vec2 v_nose;
      varying float v_big;
      varying float v_size;
      // One of the two is seen on any ground: 21 : 1 apart, so that one of them has 4.5 : 1 at least.
      const vec3 kDark = vec3(0.004, 0.006, 0.01);
      const vec3 kLight = vec3(0.95, 0.96, 0.98);
      void main() {
        vec2 at = (gl_PointCoord * 2.0 - 1.0);
        at.y = -at.y;
        // The outermost pixel and a half is a light rim, the next a dark one.
        float pixel = 2.0 / v_size * pixel_ratio;
        vec3 tint = v_tint;
        if (all_dots > 0.5 || steep > 0.85 || v_big < 0.01) {
          float r = length(at);
          if (r > 1.0) discard;
          if (r > 1.0 - 1.2 * pixel) {
            gl_FragColor = vec4(kLight, 1.0);
            #include <colorspace_fragment>
            return;
          }
          float rim = step(1.0 - 2.6 * pixel, r);
          float nose = smoothstep(0.16, 0.08, abs(at.x * v_nose.y - at.y * v_nose.x)) * step(0.1, dot(at, v_nose));
          tint = mix(tint, kDark, max(rim, 0.8 * nose * v_big));
        } else {
          // A pawn: head over body.
          float head = length((at - vec2(0.0, 0.76)) * vec2(1.0, 1.0)) - 0.17;
          vec2 body = abs(at - vec2(0.0, -0.2)) - vec2(0.14, 0.52);
          float torso = length(max(body, 0.0)) - 0.12;
          float d = min(head, torso);
          if (d > 1.0 * pixel) discard;
          if (d > -0.4 * pixel) {
            gl_FragColor = vec4(d > 0.3 * pixel ? kLight : kDark, 1.0);
            #include <colorspace_fragment>
            return;
          }
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
