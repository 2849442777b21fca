// SPDX-License-Identifier: MIT
import { describe, expect, it } from 'vitest';
import { kAloneColor, kKindColors, kLevelColors, kPicked, people_palette, rgba } from '../../src/view/colors';
import { Crowd, stride_length } from '../../src/view/crowd';
import { Encoder, type Walker } from './encoder';

function walker(number: number, x: number, y: number, heading = 0): Walker {
  return { number, x, y, z: 0, heading };
}

function shown(crowd: Crowd, now: number): { x: number; y: number; z: number; heading: number } {
  return crowd.shown(0, now, { x: 0, y: 0, z: 0, heading: 0 });
}

/** A frame that comes and is drawn at once. */
function show(crowd: Crowd, bytes: ArrayBuffer, now: number): void {
  crowd.receive(bytes, now);
  crowd.update(now);
}

function phases(crowd: Crowd): [number, number] {
  const data = crowd.texture.image.data as Float32Array;
  return [data[8] as number, data[9] as number];
}

/** What the shaders make of the last number of a person: the rest of it, and a colour. */
function look(crowd: Crowd, i: number): { figure: number; color: number[] } {
  const packed = (crowd.texture.image.data as Float32Array)[i * 12 + 11] as number;
  const tint = Math.floor(packed / 64);
  return { figure: packed % 64, color: [...people_palette(false).subarray(3 * tint, 3 * tint + 3)] };
}

function linear(text: string): number[] {
  return [...Float32Array.from(rgba(text).slice(0, 3))];
}

function fresh(): { crowd: Crowd; encoder: Encoder } {
  const crowd = new Crowd();
  crowd.set_scene([10, 20], ['adult', 'adult', 'adult']);
  return { crowd, encoder: new Encoder() };
}

describe('the crowd on the screen', () => {
  it('is where a key frame says, at once', () => {
    const { crowd, encoder } = fresh();
    show(crowd, encoder.key([walker(1, 100, 200)], 0), 0);
    expect(shown(crowd, 0)).toMatchObject({ x: 11, y: 22 });
  });

  it('goes evenly from one frame to the next', () => {
    const { crowd, encoder } = fresh();
    show(crowd, encoder.key([walker(1, 0, 0)], 0), 0);
    show(crowd, encoder.delta([walker(1, 10, 0)], 1), 100);
    expect(shown(crowd, 100).x).toBeCloseTo(10);
    expect(shown(crowd, 150).x).toBeCloseTo(10.05);
    expect(shown(crowd, 200).x).toBeCloseTo(10.1);
    expect(shown(crowd, 400).x).toBeCloseTo(10.1);
  });

  it('never jumps, however early or late frames come', () => {
    const { crowd, encoder } = fresh();
    show(crowd, encoder.key([walker(1, 0, 0)], 0), 0);
    let now = 0;
    let x = 0;
    [100, 30, 180, 95, 60, 240, 100].forEach((gap, k) => {
      now += gap;
      const before = shown(crowd, now).x;
      x += 13;
      show(crowd, encoder.delta([walker(1, x, 0)], k + 1), now);
      expect(shown(crowd, now).x).toBeCloseTo(before, 5);
    });
  });

  it('turns the short way round', () => {
    const { crowd, encoder } = fresh();
    show(crowd, encoder.key([walker(1, 0, 0, 250)], 0), 0);
    show(crowd, encoder.delta([walker(1, 0, 0, 6)], 1), 100);
    const from = shown(crowd, 100).heading;
    const to = shown(crowd, 1000).heading;
    expect(to - from).toBeCloseTo((12 / 256) * 2 * Math.PI);
  });

  it('moves legs by the distance shown over the stride, so that feet do not slide', () => {
    const { crowd, encoder } = fresh();
    show(crowd, encoder.key([walker(1, 0, 0)], 0), 0);
    show(crowd, encoder.delta([walker(1, 13, 0)], 1), 100);
    const [from, to] = phases(crowd);
    expect(to - from).toBeCloseTo(0.13 / stride_length(1.3, 1), 5);
    show(crowd, encoder.delta([walker(1, 13, 0)], 2), 1000);
    const [still_from, still_to] = phases(crowd);
    expect(still_to).toBeCloseTo(still_from, 4);
  });

  it('is the same crowd when several frames come before it is drawn', () => {
    const { crowd, encoder } = fresh();
    crowd.receive(encoder.key([walker(1, 0, 0), walker(2, 500, 0), walker(3, 900, 0)], 0), 0);
    expect(shown(crowd, 0).x).toBeCloseTo(10);
    crowd.receive(encoder.delta([walker(2, 510, 0), walker(3, 910, 0)], 1), 100);
    crowd.receive(encoder.delta([walker(3, 920, 0), walker(4, 50, 0)], 2), 200);
    // The third person is the first now: shown from where it was seen last, not from where somebody else was.
    expect(shown(crowd, 210).x).toBeCloseTo(19);
    expect(shown(crowd, 900).x).toBeCloseTo(19.2);
    expect(crowd.shown(1, 900, { x: 0, y: 0, z: 0, heading: 0 }).x).toBeCloseTo(10.5);
    expect(crowd.count).toBe(2);
  });

  it('keeps people apart when one before them in the list leaves', () => {
    const { crowd, encoder } = fresh();
    show(crowd, encoder.key([walker(1, 0, 0), walker(2, 500, 0)], 0), 0);
    show(crowd, encoder.delta([walker(2, 510, 0)], 1), 100);
    expect(shown(crowd, 100).x).toBeCloseTo(15);
    expect(shown(crowd, 500).x).toBeCloseTo(15.1);
  });

  it('has the colours that are asked for, and otherwise stays as it is', () => {
    const { crowd, encoder } = fresh();
    const stands = { ...walker(1, 0, 0), group: 9, level: 2 };
    const walks = { ...walker(2, 500, 0), level: 1 };
    show(crowd, encoder.key([stands, walks], 0), 0);
    show(crowd, encoder.delta([stands, { ...walks, x: 514 }], 1), 100);
    const before = [look(crowd, 0).figure, look(crowd, 1).figure];
    expect(look(crowd, 0).color).toEqual(linear('#1f5fa8'));
    expect(look(crowd, 1).color).toEqual(linear('#fdf6e8'));
    crowd.set_colors('group', -1);
    expect(look(crowd, 0).color).toEqual(linear(kKindColors[2]));
    expect(look(crowd, 1).color).toEqual(linear(kAloneColor));
    crowd.set_colors('level', 2);
    expect(look(crowd, 0).color).toEqual(linear(kLevelColors[2]));
    expect(look(crowd, 1).color).toEqual(linear(kPicked));
    expect(look(crowd, 0).figure).toBeCloseTo(before[0] as number, 3);
    expect(look(crowd, 1).figure).toBeCloseTo(before[1] as number, 3);
    // Eight looks by number, sizes about that of a grown-up.
    expect(Math.floor((before[1] as number) / 8)).toBe(2);
    expect((before[1] as number) % 4).toBeGreaterThan(0.95);
    expect((before[1] as number) % 4).toBeLessThan(1.05);
  });
});
