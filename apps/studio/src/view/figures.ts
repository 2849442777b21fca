// SPDX-License-Identifier: MIT
// People near the camera as walking figures: one instanced draw call for bodies, one for their shadows on the ground. The vertex shader bends the legs: a foot
// that stands stays where it is (it goes back under the body as fast as the body goes on), the other swings forward, and knees follow from the leg's length.
import {
  BackSide, BoxGeometry, BufferAttribute, BufferGeometry, CapsuleGeometry, CircleGeometry, Color, ConeGeometry, CylinderGeometry, DynamicDrawUsage, InstancedBufferAttribute,
  InstancedBufferGeometry, type IUniform, Mesh, MeshLambertMaterial, ShaderMaterial, SphereGeometry, TorusGeometry,
} from 'three';
import { kPersonShader } from './crowd';

/** Which part of a body a vertex belongs to: the shader moves each in its own way. */
const enum Part { body, left_thigh, right_thigh, left_shin, right_shin, left_foot, right_foot, left_arm, right_arm, long_hair, coat, bag, chair }
const enum Tone { shirt, trousers, skin, hair, shoe, metal }

export const kMostFigures = 700;

interface Piece {
  geometry: BufferGeometry;
  part: Part;
  tone: Tone;
}

function piece(geometry: BufferGeometry, part: Part, tone: Tone, x: number, y: number, z: number): Piece {
  geometry.translate(x, y, z);
  return { geometry, part, tone };
}

/** Upright along z: three's capsules and cylinders stand along y. */
function upright<T extends BufferGeometry>(geometry: T): T {
  geometry.rotateX(Math.PI / 2);
  return geometry;
}

function pieces(): Piece[] {
  const torso = upright(new CapsuleGeometry(0.15, 0.3, 3, 10));
  torso.scale(0.74, 1.22, 1);
  const hips = new SphereGeometry(0.15, 10, 6);
  hips.scale(0.8, 1.08, 0.75);
  const hair = new SphereGeometry(0.118, 10, 6, 0, Math.PI * 2, 0, Math.PI * 0.55);
  hair.rotateX(Math.PI / 2);
  hair.rotateY(-0.35);
  const long_hair = upright(new CapsuleGeometry(0.09, 0.14, 2, 8));
  long_hair.scale(0.6, 1.1, 1);
  const coat = upright(new ConeGeometry(0.25, 0.5, 10, 1, true));
  const head = new SphereGeometry(0.105, 12, 8);
  head.scale(0.95, 0.85, 1.15);
  const limb = (radius: number, length: number) => upright(new CapsuleGeometry(radius, length - 2 * radius, 2, 7));
  const foot = () => new BoxGeometry(0.24, 0.09, 0.075);
  const arm = () => {
    const geometry = limb(0.047, 0.58);
    geometry.rotateY(-0.06);
    return geometry;
  };
  const wheel = () => new TorusGeometry(0.28, 0.025, 5, 18).rotateX(Math.PI / 2);
  const legs = ([[1, Part.left_thigh, Part.left_shin, Part.left_foot], [-1, Part.right_thigh, Part.right_shin, Part.right_foot]] as const).flatMap(([side, thigh, shin, ankle]) => [
    piece(limb(0.078, 0.5), thigh, Tone.trousers, 0, side * 0.088, 0.67),
    piece(limb(0.058, 0.46), shin, Tone.trousers, 0, side * 0.088, 0.27),
    piece(foot(), ankle, Tone.shoe, 0.055, side * 0.088, 0.042),
  ]);
  return [
    piece(torso, Part.body, Tone.shirt, 0, 0, 1.19),
    piece(hips, Part.body, Tone.trousers, 0, 0, 0.92),
    piece(upright(new CylinderGeometry(0.05, 0.055, 0.1, 8, 1, true)), Part.body, Tone.skin, 0, 0, 1.47),
    piece(head, Part.body, Tone.skin, 0.012, 0, 1.6),
    piece(hair, Part.body, Tone.hair, 0, 0, 1.615),
    piece(long_hair, Part.long_hair, Tone.hair, -0.085, 0, 1.5),
    piece(coat, Part.coat, Tone.shirt, 0, 0, 0.84),
    piece(new BoxGeometry(0.15, 0.28, 0.36), Part.bag, Tone.shoe, -0.18, 0, 1.2),
    ...legs,
    piece(arm(), Part.left_arm, Tone.shirt, 0, 0.225, 1.12),
    piece(arm(), Part.right_arm, Tone.shirt, 0, -0.225, 1.12),
    piece(new SphereGeometry(0.047, 7, 5), Part.left_arm, Tone.skin, 0.015, 0.225, 0.83),
    piece(new SphereGeometry(0.047, 7, 5), Part.right_arm, Tone.skin, 0.015, -0.225, 0.83),
    piece(wheel(), Part.chair, Tone.metal, -0.02, 0.3, 0.305),
    piece(wheel(), Part.chair, Tone.metal, -0.02, -0.3, 0.305),
    piece(new BoxGeometry(0.44, 0.48, 0.06), Part.chair, Tone.metal, 0.02, 0, 0.42),
    piece(new BoxGeometry(0.05, 0.48, 0.5), Part.chair, Tone.metal, -0.22, 0, 0.68),
  ];
}

export function figure_geometry(): BufferGeometry {
  const all = pieces();
  const position: number[] = [];
  const normal: number[] = [];
  const role: number[] = [];
  const index: number[] = [];
  for (const { geometry, part, tone } of all) {
    const base = position.length / 3;
    const points = geometry.getAttribute('position');
    const normals = geometry.getAttribute('normal');
    for (let i = 0; i < points.count; i++) {
      position.push(points.getX(i), points.getY(i), points.getZ(i));
      normal.push(normals.getX(i), normals.getY(i), normals.getZ(i));
      role.push(part, tone);
    }
    for (const i of geometry.index?.array ?? []) index.push(base + i);
    geometry.dispose();
  }
  const merged = new BufferGeometry();
  merged.setAttribute('position', new BufferAttribute(new Float32Array(position), 3));
  merged.setAttribute('normal', new BufferAttribute(new Float32Array(normal), 3));
  merged.setAttribute('role', new BufferAttribute(new Float32Array(role), 2));
  merged.setIndex(index);
  return merged;
}

const kPose = /* glsl */ `
  attribute float who;
  attribute vec2 role;
  varying vec3 v_tint;
  const float kHip = 0.9;
  const float kThigh = 0.44;
  const float kShin = 0.42;
  const float kAnkle = 0.06;

  // Where a foot is, before or behind the body and above the ground, at this phase of the walk.
  vec2 foot_at(float phase, float stride, float liveliness) {
    float u = fract(phase);
    if (u < 0.5) return vec2(stride * (0.25 - u), 0.0);
    float s = (u - 0.5) * 2.0;
    return vec2(stride * (-0.25 + 0.5 * smoothstep(0.0, 1.0, s)), 0.13 * liveliness * sin(3.14159 * s));
  }
  vec2 turned(vec2 v, float angle) { return vec2(v.x * cos(angle) + v.y * sin(angle), v.y * cos(angle) - v.x * sin(angle)); }
  vec3 hash_color(float seed, vec3 a, vec3 b, vec3 c) {
    float k = fract(seed * 0.618);
    return k < 0.34 ? a : k < 0.67 ? b : c;
  }

  void pose_person(inout vec3 place, inout vec3 normal_, out vec3 tint) {
    int i = int(who + 0.5);
    vec4 from = person_texel(i, 0);
    vec4 to = person_texel(i, 1);
    vec4 gait = person_texel(i, 2);
    vec3 shirt = person_tint(gait);
    vec4 here = mix(from, to, share);
    float variant = person_variant(gait);
    bool sits = person_sits(gait);
    float size = person_size(gait);
    float phase = mix(gait.x, gait.y, share);
    float speed = gait.z;
    float stride = sits ? 0.0 : (0.25 * size + 0.8 * speed) / size * smoothstep(0.02, 0.12, speed);
    float liveliness = clamp(speed, 0.0, 1.0);
    int part = int(role.x + 0.5);
    int tone = int(role.y + 0.5);
    bool shown = distance(cameraPosition, here.xyz) < near && here.z < cut;
    if (part == ${Part.long_hair}) shown = shown && mod(variant, 2.0) > 0.5;
    if (part == ${Part.coat}) shown = shown && (variant == 2.0 || variant == 5.0 || variant == 7.0) && !sits;
    if (part == ${Part.bag}) shown = shown && (variant == 1.0 || variant == 4.0) && !sits;
    if (part == ${Part.chair}) shown = shown && sits;

    bool left = part == ${Part.left_thigh} || part == ${Part.left_shin} || part == ${Part.left_foot};
    vec2 foot = foot_at(phase + (left ? 0.0 : 0.5), stride, liveliness);
    vec2 stands = fract(phase) < 0.5 ? foot_at(phase, stride, liveliness) : foot_at(phase + 0.5, stride, liveliness);
    float reach = kThigh + kShin - 0.005;
    float hip = min(kHip, kAnkle + sqrt(max(0.2, reach * reach - stands.x * stands.x)));
    if (sits) hip = 0.5;
    float drop = hip - kHip;

    if (part >= ${Part.left_thigh} && part <= ${Part.right_foot}) {
      vec2 ankle = vec2(foot.x, foot.y + kAnkle - hip);
      if (sits) ankle = vec2(0.42, 0.14 - hip);
      float far = clamp(length(ankle), 0.1, reach);
      float lean = atan(ankle.x, -ankle.y);
      float bend = acos(clamp((kThigh * kThigh + far * far - kShin * kShin) / (2.0 * kThigh * far), -1.0, 1.0));
      float thigh = lean + bend;
      vec2 knee = vec2(sin(thigh), -cos(thigh)) * kThigh;
      float shin = atan(ankle.x - knee.x, knee.y - ankle.y);
      if (part <= ${Part.right_thigh}) {
        vec2 moved = turned(vec2(place.x, place.z - kHip), -thigh);
        place.xz = moved + vec2(0.0, hip);
        normal_.xz = turned(normal_.xz, -thigh);
      } else if (part <= ${Part.right_shin}) {
        vec2 moved = turned(vec2(place.x, place.z - (kHip - kThigh)), -shin);
        place.xz = moved + knee + vec2(0.0, hip);
        normal_.xz = turned(normal_.xz, -shin);
      } else {
        float pitch = 2.2 * foot.y * (foot.x < 0.0 ? 1.4 : -0.6);
        place.xz = turned(vec2(place.x, place.z - kAnkle), pitch) + vec2(ankle.x, ankle.y + hip);
      }
    } else if (part == ${Part.left_arm} || part == ${Part.right_arm}) {
      float side = part == ${Part.left_arm} ? 1.0 : -1.0;
      float swing = side * sin(6.28318 * phase) * -0.5 * liveliness;
      if (sits) swing = 0.75 + 0.15 * sin(6.28318 * phase);
      vec2 shoulder = vec2(0.0, 1.4);
      place.xz = turned(place.xz - shoulder, -swing) + shoulder + vec2(0.0, drop);
      normal_.xz = turned(normal_.xz, -swing);
    } else if (part == ${Part.coat}) {
      place.x *= 1.0 + 0.9 * abs(stands.x);
      place.z += drop;
    } else if (part != ${Part.chair}) {
      place.z += drop;
    }
    // Some are broader than others.
    if (part == ${Part.body} && tone == ${Tone.shirt}) place.xy *= 0.94 + 0.035 * mod(variant, 4.0);

    vec3 skin = hash_color(variant + 1.0, vec3(0.78, 0.52, 0.38), vec3(0.42, 0.24, 0.15), vec3(0.62, 0.38, 0.25));
    vec3 hair = hash_color(variant * 3.0 + 2.0, vec3(0.03, 0.02, 0.015), vec3(0.16, 0.08, 0.035), vec3(0.36, 0.28, 0.18));
    vec3 trousers = hash_color(variant * 5.0 + 3.0, vec3(0.035, 0.045, 0.07), vec3(0.08, 0.08, 0.085), vec3(0.05, 0.06, 0.1));
    tint = tone == ${Tone.shirt} ? shirt : tone == ${Tone.trousers} ? mix(trousers, shirt, 0.12) : tone == ${Tone.skin} ? skin : tone == ${Tone.hair} ? hair
         : tone == ${Tone.shoe} ? vec3(0.03) : vec3(0.12, 0.13, 0.15);
    if (part == ${Part.coat}) tint *= 0.82;
    if (part == ${Part.bag}) tint = vec3(0.1, 0.09, 0.08);

    float c = cos(here.w);
    float s = sin(here.w);
    place *= shown ? size : 0.0;
    place.xy = vec2(place.x * c - place.y * s, place.x * s + place.y * c);
    normal_.xy = vec2(normal_.x * c - normal_.y * s, normal_.x * s + normal_.y * c);
    place += here.xyz;
  }
`;

export type PeopleUniforms = Record<'people' | 'share' | 'cut' | 'near' | 'palette' | 'focal', IUniform>;

const kOutlineDark = 0x0d1217;
const kOutlineLight = 0xf6f8fa;
const kOutlinePixels = 0.95;

function figure_material(uniforms: PeopleUniforms): MeshLambertMaterial {
  const material = new MeshLambertMaterial();
  material.onBeforeCompile = (shader) => {
    Object.assign(shader.uniforms, uniforms);
    shader.vertexShader = kPersonShader + kPose + shader.vertexShader
      .replace('#include <beginnormal_vertex>', 'vec3 objectNormal = normal; vec3 posed = position; pose_person(posed, objectNormal, v_tint);')
      .replace('#include <begin_vertex>', 'vec3 transformed = posed;');
    shader.fragmentShader = 'varying vec3 v_tint;\n' + shader.fragmentShader.replace('#include <color_fragment>', 'diffuseColor.rgb = v_tint;');
  };
  return material;
}

/** The back of a body that is a little larger than it: seen as a line round it, of the same width near and far. */
function outline_material(uniforms: PeopleUniforms, tint: number, width: number): ShaderMaterial {
  return new ShaderMaterial({
    uniforms: { ...uniforms, outline: { value: new Color(tint) }, outline_width: { value: width } },
    side: BackSide,
    vertexShader: `${kPersonShader}${kPose}
      uniform float focal;
      uniform float outline_width;
      void main() {
        vec3 place = position;
        vec3 turned_normal = normal;
        pose_person(place, turned_normal, v_tint);
        vec4 seen = viewMatrix * vec4(place, 1.0);
        // Thinner round those of a few pixels: their colour is to be seen too.
        float width = outline_width * min(1.0, 0.05 * focal / -seen.z);
        seen.xyz += normalize((viewMatrix * vec4(turned_normal, 0.0)).xyz) * width * -seen.z / focal;
        gl_Position = projectionMatrix * seen;
        // Behind all of the body: the line goes round the whole, not round each arm.
        vec4 behind = projectionMatrix * vec4(seen.xy, seen.z - 0.35, 1.0);
        gl_Position.z = behind.z / behind.w * gl_Position.w;
      }`,
    fragmentShader: `
      uniform vec3 outline;
      void main() {
        gl_FragColor = vec4(outline, 1.0);
        #include <colorspace_fragment>
      }`,
  });
}

function shadow_material(uniforms: PeopleUniforms): ShaderMaterial {
  return new ShaderMaterial({
    uniforms,
    transparent: true,
    depthWrite: false,
    polygonOffset: true,
    polygonOffsetFactor: -2,
    vertexShader: `${kPersonShader}
      attribute float who;
      varying vec2 v_at;
      void main() {
        int i = int(who + 0.5);
        vec4 here = mix(person_texel(i, 0), person_texel(i, 1), share);
        float size = person_size(person_texel(i, 2));
        v_at = position.xy;
        bool shown = distance(cameraPosition, here.xyz) < near && here.z < cut;
        // Stretched away from the sun, which stands in the south-west.
        vec2 at = position.xy * 0.27 + vec2(0.7071) * 0.2 * (dot(position.xy, vec2(0.7071)) + 1.0);
        gl_Position = projectionMatrix * viewMatrix * vec4(here.xy + at * (shown ? size : 0.0), here.z + 0.025, 1.0);
      }`,
    fragmentShader: `
      varying vec2 v_at;
      void main() { gl_FragColor = vec4(0.02, 0.03, 0.05, 0.42 * smoothstep(1.0, 0.15, length(v_at))); }`,
  });
}

export class Figures {
  readonly meshes: readonly Mesh[];
  private readonly who = new InstancedBufferAttribute(new Float32Array(kMostFigures), 1).setUsage(DynamicDrawUsage);
  private readonly geometries: InstancedBufferGeometry[];

  constructor(uniforms: PeopleUniforms) {
    this.geometries = [figure_geometry(), new CircleGeometry(1, 18)].map((shape) => {
      const geometry = new InstancedBufferGeometry();
      geometry.setIndex(shape.index);
      for (const name of Object.keys(shape.attributes)) geometry.setAttribute(name, shape.getAttribute(name));
      geometry.setAttribute('who', this.who);
      geometry.instanceCount = 0;
      return geometry;
    });
    const bodies = new Mesh(this.geometries[0], figure_material(uniforms));
    bodies.receiveShadow = true;
    const shadows = new Mesh(this.geometries[1], shadow_material(uniforms));
    shadows.renderOrder = 2;
    // Dark within light: one of them is seen on any ground.
    const outlines = [outline_material(uniforms, kOutlineDark, kOutlinePixels), outline_material(uniforms, kOutlineLight, 1.8 * kOutlinePixels)].map((material) => new Mesh(this.geometries[0], material));
    this.meshes = [bodies, shadows, ...outlines];
    for (const mesh of this.meshes) mesh.frustumCulled = false;
  }

  get count(): number {
    return this.geometries[0]?.instanceCount ?? 0;
  }

  /** Who is drawn as a figure: indices into the crowd. */
  show(indices: Float32Array, count: number): void {
    (this.who.array as Float32Array).set(indices.subarray(0, count));
    this.who.needsUpdate = true;
    for (const geometry of this.geometries) geometry.instanceCount = count;
  }
}
