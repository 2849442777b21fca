// SPDX-License-Identifier: MIT
import { describe, expect, it } from 'vitest';
import { FrameDecoder, FrameError } from '../../src/protocol/frames';
import { Encoder, type Walker } from './encoder';

function walker(number: number, x: number, y: number, more: Partial<Walker> = {}): Walker {
  return { number, x, y, z: 0, heading: 0, ...more };
}

function places(decoder: FrameDecoder): [number, number, number][] {
  const p = decoder.people;
  return Array.from({ length: p.count }, (_, i) => [p.number[i] as number, p.x[i] as number, p.y[i] as number]);
}

/** A repeatable stream of numbers; nothing of the decoder's. */
function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

describe('frames', () => {
  it('a key frame holds everybody with all that is known of them', () => {
    const decoder = new FrameDecoder();
    const header = decoder.decode(new Encoder().key([walker(7, 120, -45, { z: -300, heading: 64, level: 2, group: 9 })], 12, 3));
    expect(header).toEqual({ key: true, branch: 3, step: 12, time: 1.2, count: 1 });
    const p = decoder.people;
    expect([p.number[0], p.x[0], p.y[0], p.z[0], p.heading[0], p.level[0], p.group[0]]).toEqual([7, 120, -45, -300, 64, 2, 9]);
    expect([p.model[0], p.kind[0], p.goal[0], p.radius[0], p.preferred[0], p.speed[0]]).toEqual([1, 2, 3, 20, 134, 50]);
  });

  it('somebody who walks on as before costs one byte and lands where predicted', () => {
    const encoder = new Encoder();
    const decoder = new FrameDecoder();
    decoder.decode(encoder.key([walker(1, 0, 0)], 0));
    decoder.decode(encoder.delta([walker(1, 5, 0)], 1));
    const steady = encoder.delta([walker(1, 10, 0)], 2);
    expect(steady.byteLength).toBe(36 + 3);
    decoder.decode(steady);
    expect(places(decoder)).toEqual([[1, 10, 0]]);
    expect(decoder.people.speed[0]).toBe(50);
  });

  it('a jump too large for a nibble is escaped, for each of several people in order', () => {
    const encoder = new Encoder();
    const decoder = new FrameDecoder();
    decoder.decode(encoder.key([walker(1, 0, 0), walker(2, 0, 0), walker(3, 0, 0)], 0));
    decoder.decode(encoder.delta([walker(1, 900, -2), walker(2, 7, -7), walker(3, -5000, 8)], 1));
    expect(places(decoder)).toEqual([[1, 900, -2], [2, 7, -7], [3, -5000, 8]]);
  });

  it('a hundred random frames with people who come, leave and change are all as they were sent', () => {
    const draw = random(5);
    const encoder = new Encoder();
    const decoder = new FrameDecoder();
    let next = 0;
    let people: Walker[] = Array.from({ length: 40 }, () => walker(next++, Math.floor(draw() * 4000), Math.floor(draw() * 4000)));
    decoder.decode(encoder.key(people, 0));
    for (let step = 1; step <= 100; step++) {
      people = people.filter(() => draw() > 0.05);
      const changed: number[] = [];
      people = people.map((who) => {
        const far = draw() < 0.1 ? 300 : 12;
        const other_level = draw() < 0.05;
        if (other_level) changed.push(who.number);
        return { ...who, x: who.x + Math.floor((draw() - 0.5) * far), y: who.y + Math.floor((draw() - 0.5) * far), z: who.z + Math.floor((draw() - 0.5) * 20), heading: Math.floor(draw() * 256), level: other_level ? 1 : (who.level ?? 0) };
      });
      for (let k = Math.floor(draw() * 4); k > 0; k--) people.push(walker(next++, Math.floor(draw() * 4000), 0));
      decoder.decode(encoder.delta(people, step, changed));
      expect(places(decoder)).toEqual(people.map((who) => [who.number, who.x, who.y]));
      const p = decoder.people;
      expect(Array.from(p.heading.subarray(0, p.count))).toEqual(people.map((who) => who.heading));
      expect(Array.from(p.z.subarray(0, p.count))).toEqual(people.map((who) => who.z));
      expect(Array.from(p.level.subarray(0, p.count))).toEqual(people.map((who) => who.level ?? 0));
    }
  });

  it('says of each person where it was when that was last asked', () => {
    const encoder = new Encoder();
    const decoder = new FrameDecoder();
    decoder.decode(encoder.key([walker(1, 0, 0), walker(2, 0, 0), walker(3, 0, 0), walker(4, 0, 0)], 0));
    decoder.settle();
    decoder.decode(encoder.delta([walker(2, 0, 0), walker(4, 0, 0), walker(9, 0, 0)], 1));
    expect(Array.from(decoder.people.source.subarray(0, 3))).toEqual([1, 3, -1]);
    expect(decoder.index_of(9)).toBe(2);
    expect(decoder.index_of(1)).toBe(-1);
  });

  it('vehicles come after people', () => {
    const encoder = new Encoder();
    const decoder = new FrameDecoder();
    decoder.decode(encoder.key([walker(1, 0, 0)], 0));
    decoder.decode(encoder.delta([walker(1, 1, 1)], 1, [], [[2.5, -3, 4, 0.5, 4.5, 1.75]]));
    expect(decoder.vehicles).toEqual([{ x: 2.5, y: -3, z: 4, heading: 0.5, length: 4.5, width: 1.75 }]);
  });

  it('a frame that does not continue the last one is refused', () => {
    const encoder = new Encoder();
    encoder.key([walker(1, 0, 0)], 0);
    const delta = encoder.delta([walker(1, 1, 1)], 1);
    expect(() => new FrameDecoder().decode(delta)).toThrow(FrameError);
    expect(() => new FrameDecoder().decode(new ArrayBuffer(4))).toThrow(FrameError);
  });
});
