// SPDX-License-Identifier: MIT
// What the engine draws of itself (cells, fields, flows …) as one mesh and some words. Later primitives cover earlier ones, as in its pictures.
import { DoubleSide, Group, Mesh, MeshBasicMaterial } from 'three';
import type { OverlayAnswer, OverlayItem, Point, Ring } from '../protocol/messages';
import { rgba } from './colors';
import { density_mesh } from './density_grid';
import type { LayerView } from './floors';
import { type Floor, in_ring, MeshBuilder, outlines_with_holes, raised } from './geometry';
import { label } from './labels';

const kAbove = 0.04;
const kMostLabels = 250;
const kThinnestM = 0.03;

export interface DrawnOverlay {
  group: Group;
  /** Primitives drawn: as many as the engine sent. */
  count: number;
}

function points_of(flat: number[]): Point[] {
  return Array.from({ length: flat.length >> 1 }, (_, i): Point => [flat[2 * i] as number, flat[2 * i + 1] as number]);
}

/** Rings come as lists of points or as flat lists of numbers. */
function rings_of(rings: number[][][] | number[][]): Ring[] {
  return rings.map((ring) => (Array.isArray(ring[0]) ? (ring as unknown as Ring) : points_of(ring as number[])));
}

/** The walkable ground of a layer as a mesh that lies a little above it. */
function ground_above(layer: LayerView, above: Floor): MeshBuilder {
  const builder = new MeshBuilder();
  for (const polygon of layer.walkable) {
    const openings = layer.openings.filter(([first]) => first && in_ring(first[0], first[1], polygon[0] as Ring));
    builder.face([...polygon, ...openings], above, [1, 1, 1, 1]);
  }
  return builder;
}

export function draw_overlay(answer: OverlayAnswer, floor: Floor, layer: LayerView | undefined, order: number, halo: string, metres_per_pixel: number): DrawnOverlay {
  const group = new Group();
  const builder = new MeshBuilder();
  const above = raised(floor, kAbove);
  const thinnest = Math.max(kThinnestM, metres_per_pixel * 1.2);
  let count = 0;
  let labels = 0;
  const add = (item: OverlayItem): void => {
    count++;
    switch (item[0]) {
      case 'line': {
        const width = item[3] < 0 ? -item[3] * metres_per_pixel : Math.max(item[3], thinnest);
        builder.ribbon(points_of(item[1]), width, above, rgba(item[2]));
        break;
      }
      case 'area':
        for (const polygon of outlines_with_holes(rings_of(item[1]))) builder.face(polygon, above, rgba(item[2]));
        break;
      case 'disc':
        builder.disc(item[1], item[2], item[3], above, rgba(item[4]));
        break;
      case 'grid':
        if (layer) group.add(density_mesh(ground_above(layer, above).geometry(), item, answer.legend.map((entry) => entry.color)));
        break;
      case 'text':
        if (labels++ < kMostLabels) group.add(label(item[3], item[1], item[2], floor(item[1], item[2]) + 0.4, Math.max(item[4], metres_per_pixel * 9), item[5].slice(0, 7), halo));
        break;
    }
  };
  for (const drawn of answer.layers) drawn.items.forEach(add);
  if (!builder.is_empty) {
    const material = new MeshBasicMaterial({ vertexColors: true, transparent: true, depthWrite: false, side: DoubleSide, polygonOffset: true, polygonOffsetFactor: -1 - order });
    const mesh = new Mesh(builder.geometry(), material);
    mesh.renderOrder = 1 + order * 0.01;
    group.add(mesh);
  }
  return { group, count };
}
