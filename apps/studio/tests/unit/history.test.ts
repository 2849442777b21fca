// SPDX-License-Identifier: MIT
import { describe, expect, it } from 'vitest';
import { History } from '../../src/state/history';
import { get_at, pointer_of, pointer_parts, rename_at, set_at } from '../../src/state/json';

describe('undo', () => {
  it('goes back and forth through all changes', () => {
    const history = new History(0);
    [1, 2, 3].forEach((value) => history.change(value, `to ${value}`));
    expect([history.undo(), history.undo(), history.current.value]).toEqual(['to 3', 'to 2', 1]);
    expect([history.redo(), history.current.value]).toEqual(['to 2', 2]);
    expect(history.redo_label).toBe('to 3');
  });

  it('a change after an undo forgets what was undone', () => {
    const history = new History(0);
    history.change(1, 'one');
    history.undo();
    history.change(2, 'two');
    expect(history.redo()).toBeNull();
    expect([history.undo(), history.current.value]).toEqual(['two', 0]);
  });

  it('a drag is one step, two drags are two', () => {
    const history = new History(0);
    [1, 2, 3].forEach((value) => history.change(value, 'move', 'drag a'));
    history.settle();
    [4, 5].forEach((value) => history.change(value, 'move', 'drag a'));
    history.undo();
    expect(history.current.value).toBe(3);
    history.undo();
    expect(history.current.value).toBe(0);
  });

  it('keeps no more steps than it should', () => {
    const history = new History(0, 3);
    [1, 2, 3, 4, 5].forEach((value) => history.change(value, ''));
    while (history.undo() !== null);
    expect(history.current.value).toBe(2);
  });
});

describe('JSON pointers', () => {
  it('a change leaves the old value as it was and shares the rest', () => {
    const before = { areas: { hall: { box: [0, 0, 1, 1] } }, settings: { dt: 0.1 } };
    const after = set_at(before, '/settings/dt', 0.05);
    expect(before.settings.dt).toBe(0.1);
    expect(after.settings.dt).toBe(0.05);
    expect(after.areas).toBe(before.areas);
  });

  it('undefined takes a key or a list entry out, and missing objects are made', () => {
    expect(set_at({ a: [1, 2, 3] }, '/a/1', undefined)).toEqual({ a: [1, 3] });
    expect(set_at({}, '/settings/interest/regions/x', { radius: 2 })).toEqual({ settings: { interest: { regions: { x: { radius: 2 } } } } });
  });

  it('names with slashes and tildes survive', () => {
    const pointer = pointer_of('areas', 'a/b~c');
    expect(pointer).toBe('/areas/a~1b~0c');
    expect(pointer_parts(pointer)).toEqual(['areas', 'a/b~c']);
    expect(get_at({ areas: { 'a/b~c': 5 } }, pointer)).toBe(5);
  });

  it('renaming keeps the order of keys', () => {
    expect(Object.keys(rename_at({ p: { a: 1, b: 2, c: 3 } }, '/p/b', 'z').p)).toEqual(['a', 'z', 'c']);
  });
});
