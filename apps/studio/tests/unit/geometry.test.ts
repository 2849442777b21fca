// SPDX-License-Identifier: MIT
import { describe, expect, it } from 'vitest';
import type { Point, Polygon, Ring } from '../../src/protocol/messages';
import { lattice_floor, layer_at, layers_of, storeys_of } from '../../src/view/floors';
import { distance_to_path, finer_triangles, in_polygon, MeshBuilder, outlines_with_holes, ring_area, triangulate } from '../../src/view/geometry';
import { outline_wall } from '../../src/view/ground';

const kRoom: Ring = [[0, 0], [8, 0], [8, 10], [4.6, 10], [4.6, 10.2], [8, 10.2], [8, 15], [0, 15], [0, 10.2], [3.4, 10.2], [3.4, 10], [0, 10]];
const kSquare: Ring = [[0, 0], [10, 0], [10, 10], [0, 10]];
const kHole: Ring = [[4, 4], [6, 4], [6, 6], [4, 6]];

function triangle_area(points: Point[], triangles: number[][]): number {
  return triangles.reduce((sum, corners) => sum + Math.abs(ring_area(corners.map((i) => points[i] as Point))), 0);
}

describe('triangles', () => {
  it.each<[string, Polygon, number]>([
    ['a square', [kSquare], 100],
    ['a square with a hole', [kSquare, kHole], 96],
    ['a square with a hole, all clockwise', [kSquare.slice().reverse(), kHole.slice().reverse()], 96],
    ['two rooms with a door', [kRoom], 8 * 10 + 8 * 4.8 + 1.2 * 0.2],
  ])('cover exactly %s', (_name, polygon, area) => {
    const { points, triangles } = triangulate(polygon);
    expect(triangle_area(points, triangles)).toBeCloseTo(area);
  });

  it('are split until none is longer than asked, without a gap, and cover the same', () => {
    const { points, triangles } = triangulate([kSquare, kHole]);
    const finer = finer_triangles(points, triangles, 1.5);
    expect(triangle_area(finer.points, finer.triangles)).toBeCloseTo(96);
    const edges = new Map<string, number>();
    for (const corners of finer.triangles) {
      corners.forEach((a, k) => {
        const b = corners[(k + 1) % 3] as number;
        const [p, q] = [finer.points[a] as Point, finer.points[b] as Point];
        expect(Math.hypot(p[0] - q[0], p[1] - q[1])).toBeLessThanOrEqual(1.5);
        const key = [a, b].sort((one, two) => one - two).join();
        edges.set(key, (edges.get(key) ?? 0) + 1);
      });
    }
    // An edge that only one triangle has is on the outline: of the square or of the hole.
    for (const [key, count] of edges) {
      if (count === 2) continue;
      const [x, y] = key.split(',').map((i) => finer.points[Number(i)] as Point).reduce(([sx, sy], [px, py]) => [sx + px / 2, sy + py / 2], [0, 0]);
      const on = (ring: Ring) => distance_to_path(x, y, [...ring, ring[0] as Point]) < 1e-9;
      expect(on(kSquare) || on(kHole)).toBe(true);
    }
  });

  it('uneven ground is drawn with its heights', () => {
    // A ridge along x = 5, 2 m high.
    const z = Array.from({ length: 121 }, (_, i) => 2 - (2 * Math.abs((i % 11) - 5)) / 5);
    const floor = lattice_floor({ origin: [0, 0], step: 1, columns: 11, z });
    expect(floor(5, 3.3)).toBeCloseTo(2);
    expect(floor(2.5, 9.9)).toBeCloseTo(1);
    expect(floor(-4, 4)).toBeCloseTo(0);
    const builder = new MeshBuilder();
    builder.face([kSquare], floor, [1, 1, 1, 1]);
    const place = builder.geometry().getAttribute('position');
    let highest = 0;
    for (let i = 0; i < place.count; i++) {
      expect(place.getZ(i)).toBeCloseTo(floor(place.getX(i), place.getY(i)), 4);
      highest = Math.max(highest, place.getZ(i));
    }
    expect(highest).toBeGreaterThan(1.5);
  });

  it('a box has five visible sides that all look outwards', () => {
    const builder = new MeshBuilder();
    builder.extrude([kSquare], () => 1, 3, [1, 1, 1, 1], [1, 1, 1, 1]);
    const geometry = builder.geometry();
    const position = geometry.getAttribute('position');
    const normal = geometry.getAttribute('normal');
    let outwards = 0;
    for (let i = 0; i < position.count; i++) {
      const out = (position.getX(i) - 5) * normal.getX(i) + (position.getY(i) - 5) * normal.getY(i) + (position.getZ(i) - 2.5) * normal.getZ(i);
      if (out > 0) outwards++;
    }
    expect(outwards).toBe(position.count);
    expect(position.count).toBe(4 * 4 + 4);
  });
});

describe('rings', () => {
  it('even-odd: an island in a hole is an outline of its own', () => {
    const island: Ring = [[4.5, 4.5], [5.5, 4.5], [5.5, 5.5], [4.5, 5.5]];
    const polygons = outlines_with_holes([kHole, island, kSquare]);
    expect(polygons).toEqual([[island], [kSquare, kHole]]);
    expect(in_polygon(5, 5, [kSquare, kHole, island])).toBe(true);
    expect(in_polygon(4.2, 5, [kSquare, kHole, island])).toBe(false);
  });

  it('the walls round a room lie outside of its ground', () => {
    for (const piece of outline_wall(kRoom, false, 0.14)) {
      const [x, y] = piece.reduce(([sx, sy], [px, py]) => [sx + px / 4, sy + py / 4], [0, 0]);
      // The wall beside the door is thinner than twice a wall: its middle may lie on the other side of it, never on the ground of its own.
      expect(in_polygon(x as number, y as number, [kRoom])).toBe(false);
    }
  });

  it('distance to a path counts its inside and its ends', () => {
    expect(distance_to_path(5, 3, [[0, 0], [10, 0]])).toBe(3);
    expect(distance_to_path(13, 4, [[0, 0], [10, 0]])).toBe(5);
  });
});

describe('storeys', () => {
  const scenario = {
    scene: {
      layers: [
        { name: 'ground', walkable: [[[0, 0], [40, 0], [40, 24], [0, 24]]] },
        { name: 'stairs', elevation: -5, slope: [0.625, 0], walkable: [[[8, 10], [14.4, 10], [14.4, 13], [8, 13]]] },
        { name: 'upper', elevation: 4, walkable: [[[0, 0], [40, 0], [40, 24], [0, 24]]] },
      ],
    },
  };
  const document = { name: '', kind: 'scenario' as const, saved: true, scenario, bounds: [0, 0, 40, 24] as [number, number, number, number], layers: [], areas: [], models: [], kinds: [], branches: [], problems: [], dt: 0.1, duration: 1 };

  it('stairs are no storey', () => {
    expect(storeys_of(layers_of(document, scenario)).map((storey) => storey.name)).toEqual(['ground', 'upper']);
  });

  it('stairs open the floors they lead through, other obstacles stand', () => {
    const flight = [[8, 10], [14.4, 10], [14.4, 13], [8, 13]];
    const desk = [[20, 5], [22, 5], [22, 6], [20, 6]];
    const [ground, stairs, upper] = scenario.scene.layers;
    const with_obstacles = { scene: { layers: [{ ...ground, obstacles: [flight, desk] }, { ...stairs }, { ...upper, obstacles: [desk, flight] }] } };
    const layers = layers_of(document, with_obstacles as never);
    expect(layers.map((layer) => layer.openings)).toEqual([[flight], [], [flight]]);
  });

  it('the ground under a place is the highest one below the cut', () => {
    const layers = layers_of(document, scenario);
    expect(layer_at(layers, 1, 1, Infinity)?.name).toBe('upper');
    expect(layer_at(layers, 1, 1, 3)?.name).toBe('ground');
    expect(layer_at(layers, 12, 11, 3)?.name).toBe('stairs');
    expect(layer_at(layers, -5, 1, 3)).toBeNull();
    expect(layers[1]?.floor(14.4, 11)).toBeCloseTo(4);
  });
});
