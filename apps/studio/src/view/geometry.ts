// SPDX-License-Identifier: MIT
// Plane geometry as triangles: floors, extruded walls, ribbons and discs, collected into one mesh.
import { BufferAttribute, BufferGeometry, ShapeUtils, Vector2 } from 'three';
import type { Point, Polygon, Ring } from '../protocol/messages';

/** Height of a floor at a place. */
export interface Floor {
  (x: number, y: number): number;
  /** Only of uneven ground: metres within which it is nearly a plane, and its lowest and highest point. */
  grain?: number;
  range?: readonly [number, number];
}

export function raised(floor: Floor, by: number): Floor {
  const above: Floor = (x, y) => floor(x, y) + by;
  if (floor.grain !== undefined) above.grain = floor.grain;
  return above;
}

/** The same line with a point at least every so many metres. */
export function finer_line(points: readonly Point[], most: number | undefined, closed: boolean): Point[] {
  if (most === undefined) return points.slice();
  const out: Point[] = [];
  points.forEach(([ax, ay], i) => {
    out.push([ax, ay]);
    if (i + 1 === points.length && !closed) return;
    const [bx, by] = points[(i + 1) % points.length] as Point;
    const pieces = Math.min(400, Math.ceil(Math.hypot(bx - ax, by - ay) / most));
    for (let k = 1; k < pieces; k++) out.push([ax + ((bx - ax) * k) / pieces, ay + ((by - ay) * k) / pieces]);
  });
  return out;
}

const kMostTriangles = 60_000;

/** Splits edges until none is longer than asked. Neighbours split a common edge at the same point, so no gap opens. */
export function finer_triangles(points: Point[], triangles: number[][], most: number): { points: Point[]; triangles: number[][] } {
  const all = points.slice();
  const halves = new Map<number, number>();
  const out: number[][] = [];
  const waiting = triangles.slice();
  const half = (a: number, b: number): number => {
    const key = Math.min(a, b) * 4_194_304 + Math.max(a, b);
    const known = halves.get(key);
    if (known !== undefined) return known;
    const [p, q] = [all[a] as Point, all[b] as Point];
    all.push([(p[0] + q[0]) / 2, (p[1] + q[1]) / 2]);
    halves.set(key, all.length - 1);
    return all.length - 1;
  };
  const is_long = (a: number, b: number) => Math.hypot((all[a] as Point)[0] - (all[b] as Point)[0], (all[a] as Point)[1] - (all[b] as Point)[1]) > most;
  for (let one = waiting.pop(); one; one = waiting.pop()) {
    const [a, b, c] = one as [number, number, number];
    const long = [is_long(a, b), is_long(b, c), is_long(c, a)];
    const count = long.filter(Boolean).length;
    if (count === 0) {
      out.push(one);
    } else if (count === 3) {
      const [ab, bc, ca] = [half(a, b), half(b, c), half(c, a)];
      waiting.push([a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]);
    } else {
      // The first long edge is split; the other, if there is one, in the next turn.
      const turn = long.indexOf(true);
      const [p, q, r] = [one[turn] as number, one[(turn + 1) % 3] as number, one[(turn + 2) % 3] as number];
      const middle = half(p, q);
      waiting.push([p, middle, r], [middle, q, r]);
    }
  }
  return { points: all, triangles: out };
}

export function ring_area(ring: Ring): number {
  let twice = 0;
  for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
    const [ax, ay] = ring[j] as Point;
    const [bx, by] = ring[i] as Point;
    twice += ax * by - bx * ay;
  }
  return twice / 2;
}

export function in_ring(x: number, y: number, ring: Ring): boolean {
  let inside = false;
  for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
    const [ax, ay] = ring[i] as Point;
    const [bx, by] = ring[j] as Point;
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside;
  }
  return inside;
}

/** Even-odd over all rings. */
export function in_polygon(x: number, y: number, polygon: Polygon): boolean {
  return polygon.reduce((inside, ring) => (in_ring(x, y, ring) ? !inside : inside), false);
}

export function ring_bounds(rings: Ring[]): [number, number, number, number] {
  let [x0, y0, x1, y1] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const ring of rings) {
    for (const [x, y] of ring) {
      x0 = Math.min(x0, x);
      y0 = Math.min(y0, y);
      x1 = Math.max(x1, x);
      y1 = Math.max(y1, y);
    }
  }
  return [x0, y0, x1, y1];
}

/** Distance of a place to a line through points. */
export function distance_to_path(x: number, y: number, points: readonly Point[]): number {
  let best = Infinity;
  for (let i = 0; i + 1 < points.length; i++) {
    const [ax, ay] = points[i] as Point;
    const [bx, by] = points[i + 1] as Point;
    const dx = bx - ax;
    const dy = by - ay;
    const squared = dx * dx + dy * dy;
    const t = squared === 0 ? 0 : Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / squared));
    best = Math.min(best, Math.hypot(x - ax - t * dx, y - ay - t * dy));
  }
  return best;
}

export function open_ring(ring: Ring): Ring {
  const first = ring[0];
  const last = ring.at(-1);
  return first && last && ring.length > 1 && first[0] === last[0] && first[1] === last[1] ? ring.slice(0, -1) : ring;
}

/** Rings under even-odd, as outlines each with its holes. */
export function outlines_with_holes(rings: Ring[]): Polygon[] {
  if (rings.length <= 1) return rings.length ? [rings] : [];
  const depth = rings.map((ring, i) => {
    const [x, y] = ring[0] as Point;
    return rings.filter((other, j) => j !== i && in_ring(x, y, other)).length;
  });
  const outer = rings.flatMap((ring, i) => ((depth[i] as number) % 2 === 0 ? [{ ring, depth: depth[i] as number, holes: [] as Ring[] }] : []));
  rings.forEach((ring, i) => {
    if ((depth[i] as number) % 2 === 0) return;
    const [x, y] = ring[0] as Point;
    const owner = outer.find((one) => one.depth === (depth[i] as number) - 1 && in_ring(x, y, one.ring));
    owner?.holes.push(ring);
  });
  return outer.map((one) => [one.ring, ...one.holes]);
}

/** Triangles of a polygon as indices into its points, ring after ring. */
export function triangulate(polygon: Polygon): { points: Point[]; triangles: number[][] } {
  const rings = polygon.map(open_ring).filter((ring) => ring.length >= 3);
  const [outer, ...holes] = rings;
  if (!outer) return { points: [], triangles: [] };
  const oriented = [ring_area(outer) < 0 ? outer.slice().reverse() : outer, ...holes.map((hole) => (ring_area(hole) > 0 ? hole.slice().reverse() : hole))];
  const [contour, ...inner] = oriented.map((ring) => ring.map(([x, y]) => new Vector2(x, y)));
  return { points: oriented.flat(), triangles: ShapeUtils.triangulateShape(contour as Vector2[], inner) };
}

export class MeshBuilder {
  private positions: number[] = [];
  private normals: number[] = [];
  private colors: number[] = [];
  private indices: number[] = [];

  get is_empty(): boolean {
    return this.indices.length === 0;
  }

  private vertex(x: number, y: number, z: number, nx: number, ny: number, nz: number, color: readonly number[]): number {
    this.positions.push(x, y, z);
    this.normals.push(nx, ny, nz);
    this.colors.push(color[0] ?? 1, color[1] ?? 1, color[2] ?? 1, color[3] ?? 1);
    return this.positions.length / 3 - 1;
  }

  /** A flat or sloping face that looks up. */
  face(polygon: Polygon, floor: Floor, color: readonly number[]): void {
    const coarse = triangulate(polygon);
    const { grain } = floor;
    const area = grain === undefined ? 0 : Math.abs(ring_area(polygon[0] ?? []));
    const { points, triangles } = grain === undefined ? coarse : finer_triangles(coarse.points, coarse.triangles, Math.max(1.5 * grain, 2 * Math.sqrt(area / kMostTriangles)));
    const base = this.positions.length / 3;
    for (const [x, y] of points) {
      if (grain === undefined) {
        this.vertex(x, y, floor(x, y), 0, 0, 1, color);
        continue;
      }
      const slope_x = (floor(x + grain, y) - floor(x - grain, y)) / (2 * grain);
      const slope_y = (floor(x, y + grain) - floor(x, y - grain)) / (2 * grain);
      const length = Math.hypot(slope_x, slope_y, 1);
      this.vertex(x, y, floor(x, y), -slope_x / length, -slope_y / length, 1 / length, color);
    }
    for (const [a, b, c] of triangles) this.indices.push(base + (a as number), base + (b as number), base + (c as number));
  }

  /** Upright sides along a ring, seen from outside of a counter-clockwise one. */
  sides(ring: Ring, low: Floor, high: Floor, color: readonly number[]): void {
    const points = finer_line(open_ring(ring), low.grain ?? high.grain, true);
    for (let i = 0; i < points.length; i++) {
      const [ax, ay] = points[i] as Point;
      const [bx, by] = points[(i + 1) % points.length] as Point;
      const length = Math.hypot(bx - ax, by - ay);
      if (length === 0) continue;
      const nx = (by - ay) / length;
      const ny = -(bx - ax) / length;
      const a = this.vertex(ax, ay, low(ax, ay), nx, ny, 0, color);
      this.vertex(bx, by, low(bx, by), nx, ny, 0, color);
      this.vertex(bx, by, high(bx, by), nx, ny, 0, color);
      this.vertex(ax, ay, high(ax, ay), nx, ny, 0, color);
      this.indices.push(a, a + 1, a + 2, a, a + 2, a + 3);
    }
  }

  /** A solid with a lid: a building, a piece of furniture. */
  extrude(polygon: Polygon, floor: Floor, height: number, side: readonly number[], lid: readonly number[]): void {
    const top = raised(floor, height);
    polygon.forEach((ring, i) => {
      const outward = i === 0 ? ring_area(ring) > 0 : ring_area(ring) < 0;
      this.sides(outward ? ring : ring.slice().reverse(), floor, top, side);
    });
    this.face(polygon, top, lid);
  }

  /** A line of some width on the ground, mitred where it bends gently. */
  ribbon(line: readonly Point[], width: number, floor: Floor, color: readonly number[], closed = false): void {
    const points = finer_line(line, floor.grain, closed);
    const half = width / 2;
    const count = points.length;
    for (let i = 0; i + 1 < count + (closed ? 1 : 0); i++) {
      const [ax, ay] = points[i % count] as Point;
      const [bx, by] = points[(i + 1) % count] as Point;
      const length = Math.hypot(bx - ax, by - ay);
      if (length === 0) continue;
      const ux = ((bx - ax) / length) * half;
      const uy = ((by - ay) / length) * half;
      // Each piece is longer by half its width where another follows, so that corners are closed.
      const back = i > 0 || closed ? 1 : 0;
      const on = i + 2 < count || closed ? 1 : 0;
      const [sx, sy, ex, ey] = [ax - ux * back, ay - uy * back, bx + ux * on, by + uy * on];
      const a = this.vertex(sx - uy, sy + ux, floor(sx, sy), 0, 0, 1, color);
      this.vertex(sx + uy, sy - ux, floor(sx, sy), 0, 0, 1, color);
      this.vertex(ex + uy, ey - ux, floor(ex, ey), 0, 0, 1, color);
      this.vertex(ex - uy, ey + ux, floor(ex, ey), 0, 0, 1, color);
      this.indices.push(a, a + 1, a + 2, a, a + 2, a + 3);
    }
  }

  disc(x: number, y: number, radius: number, floor: Floor, color: readonly number[]): void {
    const pieces = radius > 2 ? 40 : 16;
    if (floor.grain !== undefined && radius > floor.grain) {
      this.face([circle(x, y, radius, pieces)], floor, color);
      return;
    }
    const centre = this.vertex(x, y, floor(x, y), 0, 0, 1, color);
    for (let k = 0; k < pieces; k++) {
      const angle = (2 * Math.PI * k) / pieces;
      const px = x + radius * Math.cos(angle);
      const py = y + radius * Math.sin(angle);
      this.vertex(px, py, floor(px, py), 0, 0, 1, color);
      this.indices.push(centre, centre + 1 + k, centre + 1 + ((k + 1) % pieces));
    }
  }

  geometry(): BufferGeometry {
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(new Float32Array(this.positions), 3));
    geometry.setAttribute('normal', new BufferAttribute(new Float32Array(this.normals), 3));
    geometry.setAttribute('color', new BufferAttribute(new Float32Array(this.colors), 4));
    geometry.setIndex(new BufferAttribute(new Uint32Array(this.indices), 1));
    return geometry;
  }
}

export function circle(x: number, y: number, radius: number, pieces = 48): Ring {
  return Array.from({ length: pieces }, (_, k): Point => {
    const angle = (2 * Math.PI * k) / pieces;
    return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
  });
}

export function box_ring([x0, y0, x1, y1]: [number, number, number, number]): Ring {
  return [[Math.min(x0, x1), Math.min(y0, y1)], [Math.max(x0, x1), Math.min(y0, y1)], [Math.max(x0, x1), Math.max(y0, y1)], [Math.min(x0, x1), Math.max(y0, y1)]];
}
