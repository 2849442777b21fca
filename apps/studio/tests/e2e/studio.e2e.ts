// SPDX-License-Identifier: MIT
// The page as people use it, against the real program.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { OverlayAnswer, SceneList, Series } from '../../src/protocol/messages';
import { kOverlays } from '../../src/state/overlays';
import { launch, new_page, screenshot } from './browser';
import { program, type Served, serve } from './server';

let browser: Browser;
let served: Served;
let page: Page;
let errors: string[];

beforeAll(async () => {
  [browser, served] = await Promise.all([launch(), serve()]);
});
afterAll(async () => {
  await browser?.close();
  await served?.stop();
});
beforeEach(async () => {
  ({ page, errors } = await new_page(browser));
  page.setDefaultTimeout(45_000);
});
afterEach(async () => {
  await page.context().close();
  expect(errors).toEqual([]);
});

async function home(): Promise<void> {
  await page.goto(served.url);
  await page.waitForFunction(() => document.querySelector('.card') !== null || window.throngStats?.frames > 0);
  if ((await page.locator('.card').count()) === 0) {
    await page.getByTitle('All scenes').click();
    // It asks where the test before left something unsaved.
    const discard = page.getByRole('dialog', { name: 'Leave this scene?' }).getByRole('button', { name: /^(Discard what I edited|Leave)$/ });
    await page.locator('.card').first().or(discard).waitFor();
    if (await discard.isVisible()) await discard.click();
  }
  await page.locator('.card').first().waitFor();
}

async function open_scene(name: string, people = true): Promise<void> {
  await home();
  await page.locator(`[data-scene="${name}"]`).click();
  await page.locator('.time-bar').waitFor({ timeout: 60_000 });
  if (people) await page.waitForFunction(() => window.throngStats.people > 0);
}

async function drop_file(name: string, text: string): Promise<void> {
  const data = await page.evaluateHandle(([file, content]) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([content as string], file as string));
    return transfer;
  }, [name, text]);
  await page.dispatchEvent('.window', 'dragover', { dataTransfer: data });
  await page.dispatchEvent('.window', 'drop', { dataTransfer: data });
}

async function stats(): Promise<{ time: number; step: number; people: number; branch: number; overlays: Record<string, number> }> {
  return page.evaluate(() => {
    const { time, step, people, branch, overlays } = window.throngStats;
    return { time, step, people, branch, overlays: { ...overlays } };
  });
}

async function until_time(at_least: number): Promise<void> {
  await page.waitForFunction((time) => window.throngStats.time >= time, at_least, { timeout: 50_000 });
}

/** Computes up to a moment and shows it. */
async function go_to(time: number): Promise<void> {
  const track = page.locator('.track');
  const [box, most] = [await track.boundingBox(), Number(await track.getAttribute('aria-valuemax'))];
  if (!box) throw new Error('no track');
  await page.mouse.click(box.x + (box.width * time) / most, box.y + box.height * 0.75);
  await page.waitForFunction(([wanted, slack]) => Math.abs(window.throngStats.time - (wanted as number)) <= (slack as number), [time, 0.2 + most / box.width], { timeout: 50_000 });
}

async function on_page(x: number, y: number, z = 0): Promise<{ x: number; y: number }> {
  return page.evaluate(([px, py, pz]) => window.throngStats.on_page(px as number, py as number, pz as number), [x, y, z]);
}

type Place = readonly [number, number];

/** With the mouse held down, from one place of the ground to another. */
async function drag([x0, y0]: Place, [x1, y1]: Place): Promise<void> {
  const [from, to] = [await on_page(x0, y0), await on_page(x1, y1)];
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2);
  await page.mouse.move(to.x, to.y);
  await page.mouse.up();
}

async function draw_box(key: string, [x0, y0, x1, y1]: readonly [number, number, number, number]): Promise<void> {
  await page.keyboard.press(key);
  await drag([x0, y0], [x1, y1]);
}

/** An empty room of 20 m x 10 m, to be edited. */
async function edit_room(): Promise<void> {
  await home();
  await drop_file('room.json', kRoom);
  await page.locator('.time-bar').waitFor();
  await page.getByRole('tab', { name: 'Scene' }).click();
}

/** The scenario as it is saved now. */
async function saved_as(file: string): Promise<Record<string, unknown>> {
  rmSync(join(served.folder, file), { force: true });  // of another try
  await page.keyboard.press('Control+s');
  await page.locator('dialog input[name=path]').fill(file);
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await page.getByText(`Saved as ${file}`).waitFor();
  return JSON.parse(readFileSync(join(served.folder, file), 'utf8')) as Record<string, unknown>;
}

/** Asks the server on a connection of its own, beside the page's. */
async function ask<T>(verb: string, words: object): Promise<T> {
  return page.evaluate(
    ([token, name, rest]) =>
      new Promise<never>((resolve, reject) => {
        const socket = new WebSocket(`ws://${location.host}/ws?token=${token as string}`);
        socket.onopen = () => socket.send(JSON.stringify({ id: 1, do: name, ...(rest as object) }));
        socket.onerror = () => reject(new Error('no connection'));
        socket.onmessage = (event) => {
          if (typeof event.data !== 'string') return;
          const message = JSON.parse(event.data) as { id?: number };
          if (message.id !== 1) return;
          socket.close();
          resolve(message as never);
        };
      }),
    [served.token, verb, words] as const,
  ) as Promise<T>;
}

/** Of the first branch, once all of it is counted. */
async function whole_series(): Promise<Series> {
  for (;;) {
    const series = await ask<Series>('series', { branch: 0 });
    if (series.complete) return series;
  }
}

/** Nothing moves any more, and all there is has been drawn. */
async function settled(): Promise<void> {
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  await page.waitForFunction(() => window.throngStats.at_rest, undefined, { timeout: 30_000 });
}

async function serious_findings(): Promise<string[]> {
  const require = createRequire(import.meta.url);
  // By evaluation, not as a script element: the page's own policy forbids those, as it should.
  await page.evaluate(readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8'));
  const results = await page.evaluate(() => (window as unknown as { axe: { run(options: RunOptions): Promise<AxeResults> } }).axe.run({ resultTypes: ['violations'], runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] }));
  return results.violations
    .filter((one) => one.impact === 'serious' || one.impact === 'critical')
    .map((one) => `${one.id}: ${one.nodes.map((node) => node.target.join(' ')).join(', ')}`);
}

const kRoom = JSON.stringify({ throng_scene: 1, name: 'room', walkable: [[[0, 0], [20, 0], [20, 10], [0, 10]]] });

describe('the start page', () => {
  it('shows every named scene with its picture', async () => {
    await home();
    const list = await page.evaluate(async (token) => (await fetch(`/api/scenes?token=${token}`)).json(), served.token) as SceneList;
    expect(list.scenes.length).toBeGreaterThan(10);
    await expect(page.locator('.card').count()).resolves.toBe(list.scenes.length);
    await page.waitForFunction(() => [...document.querySelectorAll<HTMLImageElement>('.card img')].slice(0, 8).every((image) => image.complete && image.naturalWidth > 0), undefined, { timeout: 50_000 });
    await screenshot(page, 'start');
    expect(await serious_findings()).toEqual([]);
  });

  it('shows what the folder has, down to runs in folders of folders', async () => {
    mkdirSync(join(served.folder, 'plans/old'), { recursive: true });
    writeFileSync(join(served.folder, 'plans/room.json'), kRoom);
    execFileSync(program(), ['run', 'bottleneck', '-o', join(served.folder, 'plans/old/run'), '--duration', '3'], { stdio: 'ignore' });
    await home();
    await page.getByRole('button', { name: 'plans', exact: true }).click();
    await page.getByRole('button', { name: /^room\.json scene/ }).waitFor();
    await page.getByRole('button', { name: 'old', exact: true }).click();
    await page.getByRole('button', { name: 'back to plans' }).waitFor();
    expect(await serious_findings()).toEqual([]);
    await page.getByRole('button', { name: /^run run, / }).click();
    await page.waitForFunction(() => window.throngStats?.people === 150);
    await page.keyboard.press('End');
    await page.waitForFunction(() => Math.abs(window.throngStats.time - 3) < 0.01);
  });

  it('opens each named scene and steps in it', async () => {
    await home();
    const names = await page.locator('.card').evaluateAll((cards) => cards.map((card) => (card as HTMLElement).dataset['scene'] ?? ''));
    const large = (name: string): boolean => existsSync(new URL(`../../../../scenes/large/${name}.json`, import.meta.url));
    // Thousands of figures drawn by software take minutes here: those scenes are stepped by the program's own tests.
    for (const name of names.filter((one) => !large(one))) {
      await open_scene(name, false);
      await page.keyboard.press('ArrowRight');
      await page.waitForFunction(() => window.throngStats.step === 1, undefined, { timeout: 50_000 }).catch((error: unknown) => {
        throw new Error(`${name}: ${String(error)}`);
      });
    }
  }, 480_000);

  it('says what is wrong with a broken file that is dropped, where, and what to do', async () => {
    await home();
    const broken = JSON.parse(readFileSync(new URL('../../../../scenes/bottleneck.json', import.meta.url), 'utf8')) as Record<string, unknown>;
    broken['popluations'] = broken['populations'];
    delete broken['populations'];
    await drop_file('broken.json', JSON.stringify(broken));
    const notice = page.locator('.notice.error');
    await notice.waitFor();
    const text = await notice.innerText();
    expect(text).toContain('broken.json');
    expect(text).toContain('/popluations');
    expect(text).toContain('populations');
    await drop_file('nonsense.json', '{"throng_scenario": 1,');
    await page.waitForFunction(() => document.querySelector('.notice.error')?.textContent?.includes('nonsense.json'));
  });
});

describe('time', () => {
  it('runs, pauses, steps, scrubs and changes speed', async () => {
    await open_scene('bottleneck');
    await page.keyboard.press('Space');
    await until_time(1);
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
    await settled();
    const paused = await stats();
    await page.keyboard.press('ArrowRight');
    await page.waitForFunction((step) => window.throngStats.step === step + 1, paused.step);
    await page.keyboard.press('ArrowLeft');
    await page.waitForFunction((step) => window.throngStats.step === step, paused.step);
    await go_to(12);
    expect((await stats()).people).toBeLessThan(150);
    await settled();
    await screenshot(page, 'run');
    await page.keyboard.press('Home');
    await page.waitForFunction(() => window.throngStats.step === 0 && window.throngStats.people === 150);
    await page.keyboard.press(']');
    await page.keyboard.press(']');
    await page.waitForFunction(() => document.querySelector('.speed b')?.textContent === '5×');
    const start = Date.now();
    await page.keyboard.press('Space');
    await until_time(8);
    // Five times as fast as the clock, and not as fast as it can: slow machines are slower, none is faster.
    expect(Date.now() - start).toBeGreaterThan(1000);
    await page.keyboard.press('Space');
  });

  it('jumps to an event, and the closed door stands in the scene', async () => {
    await open_scene('closing_door');
    await go_to(20);
    const tick = page.locator('.tick[aria-label*="near door closes"]');
    await tick.waitFor();
    await tick.dispatchEvent('pointerdown');
    await page.waitForFunction(() => window.throngStats.time < 20);
    await settled();
  });

  it('rewinds, branches with a closed door, and compares both', async () => {
    await open_scene('station_square');
    await go_to(30);
    await go_to(10);
    await page.keyboard.press('b');
    await page.getByRole('dialog').getByRole('button', { name: 'Branch' }).click();
    await page.locator('.branch').nth(1).waitFor();
    await page.waitForFunction(() => window.throngStats.branch === 1);
    await until_time(14);
    await page.keyboard.press('Space');
    const names = await page.locator('.branch').allInnerTexts();
    expect(names).toHaveLength(2);
    expect(names[1]).toContain('close south door');
    await page.getByRole('tab', { name: 'Compare' }).click();
    const table = page.locator('.compare table');
    await table.waitFor();
    await page.waitForFunction(() => [...document.querySelectorAll('.compare tbody tr')].some((row) => row.textContent?.startsWith('people') && !row.textContent.includes('–')));
    // Both to the same time: only then do the numbers compare.
    await page.getByRole('button', { name: /^Compute close south door to/ }).click();
    await page.waitForFunction(() => {
      const row = [...document.querySelectorAll('.compare tbody tr')].find((one) => one.textContent?.startsWith('computed to'));
      return new Set([...(row?.querySelectorAll('td') ?? [])].map((cell) => cell.textContent)).size === 1;
    }, undefined, { timeout: 50_000 });
    await page.locator('.compare .plot canvas').waitFor();
    await settled();
    await screenshot(page, 'compare');
    await page.locator('.branch').first().click();
    await page.waitForFunction(() => window.throngStats.branch === 0);
  });
});

describe('editing', () => {
  it('an obstacle and 20 people with a goal: they arrive; saved and opened again, it is the same run', async () => {
    await edit_room();
    await settled();
    await draw_box('o', [9, 2, 10, 8]);
    await page.getByRole('button', { name: 'obstacle 1' }).waitFor();
    await settled();
    await draw_box('p', [1.5, 2, 4.5, 8]);
    await page.getByRole('button', { name: '20 people in crowd 1' }).waitFor();
    await settled();
    await draw_box('g', [16, 3, 19, 7]);
    await page.getByRole('button', { name: 'goal 1', exact: true }).waitFor();
    await page.getByRole('button', { name: 'to goal 1', exact: true }).waitFor();
    await settled();
    await screenshot(page, 'editing');
    await page.getByRole('button', { name: 'Run changes', exact: true }).click();
    await page.waitForFunction(() => window.throngStats.people === 20);
    await until_time(1);
    await page.evaluate(() => window.dispatchEvent(new KeyboardEvent('keydown', { key: ']' })));
    await page.evaluate(() => window.dispatchEvent(new KeyboardEvent('keydown', { key: ']' })));
    await page.waitForFunction(() => window.throngStats.people === 0 && window.throngStats.time > 5, undefined, { timeout: 50_000 });
    const first = await whole_series();
    expect(first.arrived.at(-1)).toBe(20);

    await saved_as('mine.json');
    await page.locator('.saved').waitFor();

    await home();
    await page.getByRole('button', { name: /^mine\.json/ }).click();
    await page.waitForFunction(() => window.throngStats.people === 20);
    await page.evaluate(() => window.dispatchEvent(new KeyboardEvent('keydown', { key: ']' })));
    await page.evaluate(() => window.dispatchEvent(new KeyboardEvent('keydown', { key: ']' })));
    await page.keyboard.press('Space');
    await page.waitForFunction(() => window.throngStats.people === 0 && window.throngStats.time > 5, undefined, { timeout: 50_000 });
    const again = await whole_series();
    expect(again.travel_times).toEqual(first.travel_times);
    // And it is what the command line runs.
    const summary = JSON.parse(execFileSync(program(), ['run', join(served.folder, 'mine.json'), '-o', join(served.folder, 'out'), '--json'], { stdio: ['ignore', 'pipe', 'ignore'] }).toString()) as { arrived: number };
    expect(summary.arrived).toBe(20);
  }, 150_000);

  it('obstacles, doors, areas, sources, goals, people, regions, vehicles and lines are drawn, moved, and undone', async () => {
    await edit_room();
    await page.keyboard.press('t');
    await settled();
    const row = (name: string) => page.getByRole('button', { name, exact: true });
    const boxes: [key: string, name: string, box: [number, number, number, number]][] = [
      ['o', 'obstacle 1', [12.5, 6, 14, 7]], ['d', 'door 1', [8, 1, 9, 3]], ['a', 'area 1', [1, 7, 3, 9]], ['s', 'source in entrance 1', [1, 1, 3, 3]], ['p', '20 people in crowd 1', [4, 3, 7, 7]],
      ['g', 'goal 1', [16, 3, 19, 7]], ['r', 'region 1', [10, 5, 12, 5]],
    ];
    for (const [key, name, box] of boxes) {
      await draw_box(key, box);
      await row(name).waitFor();
      await settled();
    }
    for (const [key, name, path] of [['v', 'vehicle 1', [[2, 5], [10, 8.5], [18, 8.5]]], ['m', 'line 1', [[15, 1], [15, 9]]]] as const) {
      await page.keyboard.press(key);
      for (const [x, y] of path) {
        const at = await on_page(x, y);
        await page.mouse.click(at.x, at.y);
      }
      if (key === 'v') await page.keyboard.press('Enter');
      await row(name).waitFor();
      await settled();
    }
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');

    // Each is dragged; what is saved says where it went.
    const drawn = await saved_as('drawn.json');
    const ground = 'layers' in (drawn['scene'] as object) ? ['scene', 'layers', '0', 'obstacles', '0'] : ['scene', 'obstacles', '0'];
    const things: [name: string, from: Place, to: Place, pointer: string[]][] = [
      ['obstacle 1', [13.2, 6.5], [13.2, 5.5], ground], ['door 1', [8.5, 2], [8.5, 3], ['scene', 'areas', '0', 'polygon']], ['area 1', [2, 8], [3, 8], ['areas', 'area 1', 'box']],
      ['source in entrance 1', [2, 2], [3, 2.5], ['areas', 'entrance 1', 'box']], ['20 people in crowd 1', [5.5, 6], [6.5, 5], ['areas', 'crowd 1', 'box']],
      ['goal 1', [17.5, 5], [17.5, 6], ['areas', 'goal 1', 'box']], ['region 1', [10, 5], [11, 5], ['settings', 'interest', 'regions', 'region 1', 'centre']],
      ['vehicle 1', [14, 8.5], [14, 8], ['vehicles', 'vehicle 1', 'path']], ['line 1', [15, 3], [14, 3.5], ['measurements', 'lines', 'line 1']],
    ];
    for (const [name, from, to] of things) {
      await row(name).click();
      await settled();
      await drag(from, to);
      await settled();
    }
    const moved = await saved_as('moved.json');
    // All numbers of a shape, x and y in turn.
    const places = (whole: unknown, pointer: string[]): number[] => {
      const flat = (value: unknown): number[] => (typeof value === 'number' ? [value] : value !== null && typeof value === 'object' ? Object.values(value).flatMap(flat) : []);
      return flat(pointer.reduce((value, key) => (value as Record<string, unknown> | undefined)?.[key], whole));
    };
    for (const [name, from, to, pointer] of things) {
      const [before, after] = [places(drawn, pointer), places(moved, pointer)];
      expect(before.length, name).toBeGreaterThanOrEqual(2);
      expect(after, name).toHaveLength(before.length);
      // The whole of it goes as far as the mouse did, to the nearest of what a pixel and the snapping leave.
      after.forEach((value, i) => {
        const way = i % 2 === 0 ? to[0] - from[0] : to[1] - from[1];
        expect(Math.abs(value - (before[i] ?? 0) - way), `${name} ${JSON.stringify(before)} ${JSON.stringify(after)}`).toBeLessThan(0.15);
      });
    }
    // Whoever stands or comes there still does: only places changed.
    for (const key of ['populations', 'sources', 'plans']) expect(moved[key], key).toEqual(drawn[key]);
    // One step back each, the last first.
    await page.keyboard.press('Control+z');
    const line = ['measurements', 'lines', 'line 1'];
    const without = await saved_as('one_back.json');
    expect(places(without, line)).toEqual(places(drawn, line));
    expect(without['areas']).toEqual(moved['areas']);
    for (let k = 1; k < things.length; k++) await page.keyboard.press('Control+z');
    expect(await saved_as('undone.json')).toEqual(drawn);
    execFileSync(program(), ['run', join(served.folder, 'drawn.json'), '-o', join(served.folder, 'drawn_out'), '--json'], { stdio: ['ignore', 'pipe', 'ignore'] });
  }, 200_000);

  it('people are given a goal, a plan of several, groups, a model and a priority', async () => {
    await open_scene('bottleneck');
    await page.getByRole('tab', { name: 'Scene' }).click();
    await page.getByRole('button', { name: /^\d+ people in/ }).first().click();
    const inspector = page.locator('.inspector');
    await inspector.getByLabel('goes to').selectOption({ index: 0 });
    await inspector.getByLabel('goes to').selectOption('area room');
    // By its name, not by its position: a plan to the area was made.
    await page.getByRole('button', { name: 'to room', exact: true }).waitFor();
    await inspector.getByLabel('priority').fill('3');
    await inspector.getByText('does not know priorities').waitFor();
    await inspector.getByRole('button', { name: 'Walk by rules' }).click();
    await inspector.getByText('does not know priorities').waitFor({ state: 'detached' });
    await inspector.getByLabel('pairs').fill('2');
    await inspector.getByLabel('alone').fill('1');
    // Members are of different kinds: one kind is not enough, and that is said where it is.
    await inspector.locator('.wrong').first().waitFor();
    await inspector.getByLabel('pairs').fill('');
    await inspector.getByLabel('alone').fill('');
    await inspector.locator('.wrong').first().waitFor({ state: 'detached' });
    await screenshot(page, 'people');

    await page.getByRole('button', { name: '+ plan' }).click();
    await inspector.getByLabel('then to').selectOption('room');
    await inspector.getByRole('list', { name: 'Goals of the plan' }).locator('li').nth(1).waitFor();
    await page.getByRole('button', { name: /^\d+ people in/ }).first().click();
    await inspector.getByLabel('goes to').selectOption('plan plan 1');
    const saved = (await saved_as('given.json')) as { populations: Record<string, unknown>[]; plans: Record<string, { goals: unknown[] }> };
    expect(saved.populations[0]).toMatchObject({ plan: 'plan 1', priority: 3, model: 'rules' });
    expect(saved.plans['plan 1']?.goals).toHaveLength(2);
    for (const name of ['+ kind', '+ model', '+ event']) await page.getByRole('button', { name }).click();
    for (const name of ['kind 1', 'model 1']) await page.getByRole('button', { name, exact: true }).waitFor();
    await page.getByRole('button', { name: /^event at/ }).first().waitFor();
    expect(await serious_findings()).toEqual([]);
  });

  it('people are put down one by one, and an area is measured', async () => {
    await edit_room();
    await page.keyboard.press('t');
    await settled();
    await page.keyboard.press('p');
    for (const [x, y] of [[3, 3], [5, 4], [4, 7]] as const) {
      const at = await on_page(x, y);
      await page.mouse.click(at.x, at.y);
    }
    await page.getByRole('button', { name: '3 people', exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await settled();
    await draw_box('g', [16, 3, 19, 7]);
    await page.getByRole('checkbox', { name: 'measured' }).check();
    const saved = (await saved_as('one_by_one.json')) as { populations: { positions: number[][]; plan: string }[]; measurements: { areas: string[] } };
    expect(saved.populations).toHaveLength(1);
    saved.populations[0]?.positions.forEach((place, i) => {
      const wanted = [[3, 3], [5, 4], [4, 7]][i] as number[];
      expect(Math.hypot((place[0] ?? 0) - (wanted[0] ?? 0), (place[1] ?? 0) - (wanted[1] ?? 0))).toBeLessThan(0.15);
    });
    expect(saved.populations[0]?.plan).toBe('to goal 1');
    expect(saved.measurements.areas).toEqual(['goal 1']);
    await page.getByRole('button', { name: 'Run changes', exact: true }).click();
    await page.waitForFunction(() => window.throngStats.people === 3);
    await go_to(5);
    await page.keyboard.press('c');
    await page.locator('.drawer .plot', { hasText: 'Density' }).locator('canvas').waitFor();
  });

  it('a file of the same name is replaced only when one says so', async () => {
    writeFileSync(join(served.folder, 'precious.json'), '{"mine": true}');
    await edit_room();
    await settled();
    await draw_box('a', [4, 4, 6, 6]);
    await page.keyboard.press('Control+s');
    await page.locator('dialog input[name=path]').fill('precious.json');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByText('There is a file of this name already').waitFor();
    expect(readFileSync(join(served.folder, 'precious.json'), 'utf8')).toBe('{"mine": true}');
    expect(await serious_findings()).toEqual([]);
    await page.getByRole('button', { name: 'Replace it' }).click();
    await page.getByText('Saved as precious.json').waitFor();
    expect(readFileSync(join(served.folder, 'precious.json'), 'utf8')).toContain('area 1');
    // From now on it is this scenario's own.
    await page.getByRole('button', { name: 'area 1', exact: true }).click();
    await page.keyboard.press('Delete');
    await page.keyboard.press('Control+s');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.waitForFunction(() => document.querySelector('.saved') !== null);
    expect(readFileSync(join(served.folder, 'precious.json'), 'utf8')).not.toContain('area 1');
  });

  it('undo and redo bring things back; Delete and dragging are steps too', async () => {
    await edit_room();
    await settled();
    await draw_box('a', [4, 4, 6, 6]);
    const row = page.getByRole('button', { name: 'area 1', exact: true });
    await row.waitFor();
    await settled();
    await drag([5, 5], [10, 5]);
    await page.waitForFunction(() => Number((document.querySelector('[id$="-box"]') as HTMLTextAreaElement | null)?.value.split(/[[,]/)[1]) > 8);
    await page.keyboard.press('Delete');
    await row.waitFor({ state: 'detached' });
    await page.keyboard.press('Control+z');
    await row.waitFor();
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+z');
    await row.waitFor({ state: 'detached' });
    await page.keyboard.press('Control+Shift+z');
    await row.waitFor();
  });

  it('a mistake in a form is shown at its field, and the fix is a button', async () => {
    await open_scene('bottleneck');
    await page.getByRole('tab', { name: 'Scene' }).click();
    await page.getByRole('button', { name: 'leave', exact: true }).click();
    await page.getByLabel('goals', { exact: true }).fill('["outsid"]');
    await page.locator('.field.wrong').waitFor();
    await page.getByRole('button', { name: /1 problem/ }).waitFor();
    await screenshot(page, 'mistake');
    await page.locator('.field.wrong .fix').click();
    await page.locator('.field.wrong').waitFor({ state: 'detached' });
    await page.waitForFunction(() => document.querySelector('.problem-count') === null);
  });
});

describe('looking closer', () => {
  it('a person tells what it does and why', async () => {
    await open_scene('bottleneck');
    await go_to(6);
    await page.keyboard.press('Control+k');
    await page.getByLabel('Search', { exact: true }).last().fill('90');
    await page.getByRole('button', { name: 'Person 90' }).click();
    const inspector = page.locator('.inspector');
    await inspector.getByText('m/s', { exact: false }).first().waitFor();
    await inspector.getByRole('heading', { name: 'Why?' }).waitFor();
    await inspector.locator('.plan .now').waitFor();
    const place = (await inspector.locator('.fact[title="scene coordinates"] dd').innerText()).match(/-?[\d.]+/g)?.map(Number) ?? [];
    await settled();
    await screenshot(page, 'person');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await inspector.waitFor({ state: 'detached' });
    await settled();
    const head = await on_page(place[0] ?? 0, place[1] ?? 0, 1.6);
    await page.mouse.click(head.x, head.y);
    await inspector.getByRole('heading', { name: /^Person \d+$/ }).waitFor();
  });

  it('the camera follows a person', async () => {
    await open_scene('open_plaza');
    await go_to(2);
    await page.keyboard.press('Control+k');
    await page.getByLabel('Search', { exact: true }).last().fill('90');
    await page.getByRole('button', { name: 'Person 90' }).click();
    const place = page.locator('.inspector .fact[title="scene coordinates"] dd');
    const where = async () => (await place.innerText()).match(/-?[\d.]+/g)?.map(Number) as [number, number];
    await place.waitFor();
    await page.keyboard.press('f');
    await settled();
    const from = await where();
    await go_to(12);
    await expect.poll(async () => Math.hypot((await where())[0] - from[0], (await where())[1] - from[1])).toBeGreaterThan(5);
    await settled();
    const to = await where();
    // In the middle of what the panel leaves free, where it was ten seconds ago is not.
    const canvas = await page.locator('.scene canvas').boundingBox();
    const middle = { x: (canvas?.x ?? 0) + ((canvas?.width ?? 0) - 290) / 2, y: (canvas?.y ?? 0) + (canvas?.height ?? 0) / 2 };
    const off = async ([x, y]: [number, number]) => {
      const seen = await on_page(x, y, 1);
      return Math.hypot(seen.x - middle.x, seen.y - middle.y);
    };
    expect(await off(to)).toBeLessThan(60);
    expect(await off(from)).toBeGreaterThan(120);
  });

  it('a place tells how wide the way is there, and over time how many walk through and stand around', async () => {
    await open_scene('bottleneck');
    await page.keyboard.press('t');
    await settled();
    // In the door, where nobody stands yet: who is clicked is looked at, not the place.
    const inspector = page.locator('.inspector');
    for (const x of [4, 3.6, 4.4, 3.8, 4.2]) {
      const door = await on_page(x, 10.15);
      await page.mouse.click(door.x, door.y);
      await inspector.locator('h2').waitFor();
      await settled();
      if ((await inspector.locator('h2').innerText()).startsWith('Place')) break;
    }
    const fact = async (title: string) => Number.parseFloat(await inspector.locator('.fact', { has: page.locator(`dt:text-is("${title}")`) }).locator('dd').innerText());
    await inspector.locator('.fact', { hasText: 'width1.2 m' }).waitFor();
    expect(await fact('passed')).toBe(0);
    await go_to(30);
    await inspector.getByRole('heading', { name: 'Flow over time, people/s' }).waitFor();
    await inspector.getByRole('heading', { name: 'Density over time, 1/m²' }).waitFor();
    await page.waitForFunction(() => [...document.querySelectorAll('.inspector .fact')].some((row) => /^passed[1-9]/.test(row.textContent ?? '')));
    await settled();
    // The scenario measures a line in the same door.
    const series = await whole_series();
    const { time } = await stats();
    const flow = series.lines[0]?.flow[series.time.findIndex((one) => one > time - 0.05)] ?? 0;
    expect(flow).toBeGreaterThan(1);
    await expect.poll(() => fact('flow')).toBeGreaterThan(flow - 0.41);
    expect(await fact('flow')).toBeLessThan(flow + 0.41);
    await screenshot(page, 'place');
    // Beside a corner the way is as wide as the shortest line that cuts it off: (a^2/3 + b^2/3)^3/2.
    const corner = await on_page(7.5, 12.4);
    await page.mouse.click(corner.x, corner.y);
    await page.waitForFunction(() => /^Place 7/.test(document.querySelector('.inspector h2')?.textContent ?? ''));
    const [x = 0, y = 0] = (await inspector.locator('h2').innerText()).match(/[\d.]+/g)?.map(Number) ?? [];
    await inspector.locator('.fact', { hasText: 'width' }).waitFor();
    expect(await fact('width')).toBeCloseTo(((8 - x) ** (2 / 3) + (y - 10.2) ** (2 / 3)) ** 1.5, 1);
  });

  it('the view cube shows how the scene lies, and each side is a place to look from', async () => {
    await open_scene('open_plaza');
    await settled();
    /** Where the middle of the scene and what is east and north of it are on the page. */
    const axes = async () => {
      const [from, east, north] = [await on_page(0, 0), await on_page(5, 0), await on_page(0, 5)];
      return { east: [east.x - from.x, east.y - from.y] as const, north: [north.x - from.x, north.y - from.y] as const };
    };
    /** The side of the cube that is in front, a little below its middle. */
    const in_front = () => page.evaluate(() => {
      const box = document.querySelector('.view-cube')?.getBoundingClientRect();
      return box ? document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2 + 4)?.getAttribute('data-side') : null;
    });
    const cube = page.getByRole('button', { name: 'Look from the next side' });
    await cube.focus();
    // From the south east is on the right, from the east north is; from the other sides they are on the left.
    for (const [side, right, sign] of [['S', 'east', 1], ['E', 'north', 1], ['N', 'east', -1], ['W', 'north', -1], ['top', 'east', 1]] as const) {
      await page.keyboard.press('Enter');
      await settled();
      const seen = (await axes())[right];
      expect(Math.abs(seen[1]), side).toBeLessThan(0.12 * Math.abs(seen[0]) + 1);
      expect(Math.sign(seen[0]), side).toBe(sign);
      expect(await in_front()).toBe(side);
    }
    // With the mouse: in the first view the south is in front.
    await page.keyboard.press('h');
    await settled();
    expect(await in_front()).toBe('S');
    const box = await cube.boundingBox();
    await page.mouse.click((box?.x ?? 0) + 28, (box?.y ?? 0) + 32);
    await settled();
    const { east } = await axes();
    expect(Math.abs(east[1])).toBeLessThan(0.12 * east[0] + 1);
  });

  it('every overlay draws as many primitives as the engine\'s stream holds, and changes the picture', async () => {
    await open_scene('station_square');
    await go_to(8);
    await settled();
    const canvas = page.locator('.scene canvas');
    const drawn: string[] = [];
    await page.getByRole('button', { name: 'Overlays' }).click();
    let bare = await canvas.screenshot();
    for (const kind of kOverlays) {
      if (kind.needs === 'person') {
        await page.keyboard.press('Control+k');
        await page.getByLabel('Search', { exact: true }).last().fill('100');
        await page.getByRole('button', { name: 'Person 100' }).click();
      } else if (kind.needs === 'place') {
        await page.keyboard.press('h');
        await settled();
        const free = await on_page(40, 12);
        await page.mouse.click(free.x, free.y);
        await page.locator('.inspector').getByRole('heading', { name: /^Place/ }).waitFor();
      }
      if (kind.needs) {
        await settled();
        bare = await canvas.screenshot();
      }
      await page.getByRole('checkbox', { name: new RegExp(`^${kind.title}( \\d)?$`) }).check();
      await page.waitForFunction((name) => (window.throngStats.overlays[name] ?? 0) > 0, kind.name, { timeout: 20_000 }).catch(async () => {
        throw new Error(`${kind.name}: ${await page.locator('.overlay').innerText()}`);
      });
      await settled();
      const { time, overlays } = await stats();
      const answer = await ask<OverlayAnswer>('overlay', { name: kind.name, layer: 0, branch: 0, time, agent: 100, at: [40, 12], depth: 4 });
      const items = answer.layers.reduce((sum, layer) => sum + layer.items.length, 0);
      expect([kind.name, overlays[kind.name]]).toEqual([kind.name, items]);
      expect((await canvas.screenshot()).equals(bare), kind.name).toBe(false);
      if (kind.name === 'density') await screenshot(page, 'overlay_density');
      drawn.push(kind.name);
      await page.getByRole('checkbox', { name: new RegExp(`^${kind.title}( \\d)?$`) }).uncheck();
      await page.waitForFunction((name) => !(name in window.throngStats.overlays), kind.name);
    }
    expect(drawn).toHaveLength(kOverlays.length);
  }, 240_000);

  it('charts grow with the run', async () => {
    await open_scene('bottleneck');
    await go_to(20);
    await page.keyboard.press('c');
    await page.locator('.drawer .plot canvas').first().waitFor();
    await page.waitForFunction(() => document.querySelectorAll('.drawer .plot canvas').length >= 5);
    await settled();
    await screenshot(page, 'charts');
  });

  it('storeys can be looked into one by one', async () => {
    await open_scene('two_storeys', false);
    await go_to(40);
    await settled();
    await screenshot(page, 'storeys');
    const canvas = page.locator('.scene canvas');
    const whole = await canvas.screenshot();
    await page.getByLabel('Storey').fill('0');
    await settled();
    expect((await canvas.screenshot()).equals(whole)).toBe(false);
  });

  it('uneven ground is drawn and clicked where it is', async () => {
    await home();
    // A hill of 4 m in the middle of 30 x 20 m.
    const height = (x: number, y: number) => 4 * Math.exp(-((x - 15) ** 2 + (y - 10) ** 2) / 30);
    const runs = Array.from({ length: 21 }, (_, row) => [row, 0, ...Array.from({ length: 31 }, (_unused, column) => Number(height(column, row).toFixed(3)))]);
    const scene = { throng_scene: 1, name: 'hill', walkable: [[[0, 0], [30, 0], [30, 20], [0, 20]]], obstacles: [[[20, 4], [22, 4], [22, 6], [20, 6]]], heights: { origin: [0, 0], step: 1, rise: 2, runs } };
    await drop_file('hill.json', JSON.stringify({ throng_scenario: 1, name: 'hill', scene, populations: [{ count: 60 }], settings: { duration: 5, stop_when_done: false } }));
    await page.waitForFunction(() => window.throngStats?.people === 60);
    await settled();
    await screenshot(page, 'uneven');
    for (const [x, y] of [[13, 8], [15, 11.5], [5, 15]] as const) {
      const at = await on_page(x, y, height(x, y));
      await page.mouse.click(at.x, at.y);
      const title = page.locator('.inspector h2');
      await title.waitFor();
      // Somebody may stand there: then it is a person.
      const words = await title.innerText();
      if (words.startsWith('Place')) {
        const [px, py] = (words.match(/-?[\d.]+/g) ?? []).map(Number);
        expect(Math.hypot((px ?? 0) - x, (py ?? 0) - y), words).toBeLessThan(0.4);
      }
      await page.keyboard.press('Escape');
      await title.waitFor({ state: 'detached' });
      await settled();
    }
  });

  it('one can walk in the crowd, and leave again', async () => {
    await open_scene('open_plaza');
    await settled();
    await page.keyboard.press('w');
    await page.waitForFunction(() => document.querySelector('[aria-label=Walk]')?.getAttribute('aria-pressed') === 'true');
    const people = (await stats()).people;
    await until_time(1);
    const before = await on_page(0, 0, 30);
    await page.keyboard.down('ArrowUp');
    await page.waitForFunction((place) => Math.hypot(window.throngStats.on_page(0, 0, 30).x - place.x, window.throngStats.on_page(0, 0, 30).y - place.y) > 1, before);
    await page.keyboard.up('ArrowUp');
    expect((await stats()).people).toBeGreaterThanOrEqual(people);
    await page.keyboard.press('Space');
    await screenshot(page, 'walk');
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => document.querySelector('[aria-label=Walk]')?.getAttribute('aria-pressed') === 'false');
  });
});

describe('for everybody', () => {
  it('axe finds nothing serious, in light and in dark, while editing, running and comparing', async () => {
    await open_scene('station_square');
    await page.getByRole('tab', { name: 'Scene' }).click();
    await page.getByRole('button', { name: '60 people in square' }).click();
    await page.locator('.inspector .form').first().waitFor();
    await page.keyboard.press('c');
    await page.locator('.drawer').waitFor();
    expect(await serious_findings()).toEqual([]);
    await page.getByRole('button', { name: 'Use dark colours' }).click();
    await go_to(20);
    await page.waitForFunction(() => document.querySelectorAll('.drawer .plot canvas').length >= 4);
    await settled();
    await screenshot(page, 'dark');
    expect(await serious_findings()).toEqual([]);
    await page.getByRole('tab', { name: 'Compare' }).click();
    expect(await serious_findings()).toEqual([]);
    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor();
    expect(await serious_findings()).toEqual([]);
  });

  it('everything is in the window at 800 pixels', async () => {
    await page.setViewportSize({ width: 800, height: 700 });
    await open_scene('station_square');
    for (const mode of ['Scene', 'Run', 'Compare']) {
      await page.getByRole('tab', { name: mode }).click();
      const outside = await page.evaluate(() =>
        [...document.querySelectorAll<HTMLElement>('.header button, .time-bar button, .camera button')].filter((button) => {
          const box = button.getBoundingClientRect();
          return box.width > 0 && (box.left < 0 || box.right > innerWidth + 0.5 || box.bottom > innerHeight + 0.5);
        }).map((button) => button.getAttribute('aria-label') ?? button.textContent));
      expect(outside).toEqual([]);
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(800);
    await settled();
    expect(await serious_findings()).toEqual([]);
    await page.getByRole('button', { name: 'Use dark colours' }).click();
    await page.getByRole('tab', { name: 'Scene' }).click();
    await page.getByRole('button', { name: '60 people in square' }).click();
    await page.locator('.inspector .form').first().waitFor();
    await settled();
    await screenshot(page, 'narrow_dark');
    // Nothing that one presses lies under something else.
    const covered = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('.header button, .time-bar button, .camera button, .inspector .close')].filter((button) => {
        const box = button.getBoundingClientRect();
        const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
        return box.width > 0 && top !== null && !button.contains(top);
      }).map((button) => button.getAttribute('aria-label') ?? button.textContent));
    expect(covered).toEqual([]);
    expect(await serious_findings()).toEqual([]);
  });

  it('works without a mouse: Tab reaches the scene, the tools and play', async () => {
    await open_scene('bottleneck');
    await page.getByRole('tab', { name: 'Scene' }).focus();
    await page.keyboard.press('Enter');
    const seen = new Set<string>();
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    for (let k = 0; k < 90; k++) {
      await page.keyboard.press('Tab');
      seen.add(await page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? ''));
    }
    for (const name of ['Undo', 'Share', 'People', 'Obstacle', 'From above', 'Play', 'Time', 'Branch here', 'room']) expect([...seen]).toContain(name === 'Undo' ? 'Save' : name);
    await page.keyboard.press('?');
    await page.getByRole('dialog').getByText('play or pause').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('two viewers see one document', async () => {
    await open_scene('circle_swap');
    const other = await new_page(browser);
    await other.page.goto(served.url);
    await other.page.waitForFunction(() => window.throngStats?.people === 100);
    await other.page.context().close();
    expect(other.errors).toEqual([]);
  });

  /** Presses a button of the share window; the file that comes of it. */
  async function shared(button: RegExp, name: string): Promise<string> {
    await page.getByRole('button', { name: 'Share' }).click();
    const coming = page.waitForEvent('download', { timeout: 120_000 });
    await page.getByRole('dialog').getByRole('button', { name: button }).click();
    const file = join(served.folder, name);
    await (await coming).saveAs(file);
    return file;
  }

  it('a page that plays is shared: it needs neither a server nor a network', async () => {
    await open_scene('closing_door');
    await go_to(10);
    const file = await shared(/page that plays/, 'shared.html');
    const alone = await new_page(browser);
    const asked: string[] = [];
    alone.page.on('request', (request) => asked.push(request.url()));
    await alone.page.context().setOffline(true);
    await alone.page.goto(`file://${file}`);
    await alone.page.waitForFunction(() => window.throngStats?.people > 0);
    const people = await alone.page.evaluate(() => window.throngStats.people);
    await alone.page.keyboard.press('Space');
    await alone.page.waitForFunction(() => window.throngStats.time > 0.5);
    await alone.page.keyboard.press('Space');
    await alone.page.keyboard.press('End');
    await alone.page.waitForFunction(() => Math.abs(window.throngStats.time - 10) < 0.3);
    await alone.page.getByLabel('People by').selectOption('goal');
    await alone.page.keyboard.press('Home');
    await alone.page.waitForFunction((count) => window.throngStats.step === 0 && window.throngStats.people === count, people);
    expect(asked.filter((url) => !/^(file|data|blob):/.test(url))).toEqual([]);
    expect(asked).toHaveLength(1);
    expect(alone.errors).toEqual([]);
    await alone.page.context().close();
  });

  it('a screenshot is shared: the scene as it is seen', async () => {
    await open_scene('closing_door');
    await settled();
    const bytes = readFileSync(await shared(/Screenshot/, 'shared.png'));
    expect(bytes.subarray(1, 4).toString()).toBe('PNG');
    const box = await page.locator('.scene canvas').boundingBox();
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([Math.round(box?.width ?? 0), Math.round(box?.height ?? 0)]);
    // An empty picture of this size takes far less.
    expect(bytes.length).toBeGreaterThan(15_000);
  });

  it('a video is shared: as long as the run', async () => {
    await open_scene('closing_door');
    await go_to(6);
    const { time } = await stats();
    const file = await shared(/Video/, 'shared.mp4');
    const said = execFileSync('ffprobe', ['-v', 'error', '-count_frames', '-select_streams', 'v:0', '-show_entries', 'stream=codec_name,nb_read_frames,width', '-show_entries', 'format=duration', '-of', 'json', file]).toString();
    const { streams, format } = JSON.parse(said) as { streams: { codec_name: string; nb_read_frames: string; width: number }[]; format: { duration: string } };
    expect(streams[0]?.codec_name).toBe('h264');
    // It is computed a little further than it is shown.
    expect(Number(format.duration)).toBeGreaterThan(time - 0.1);
    expect(Number(format.duration)).toBeLessThan(time + 3);
    expect(Number(streams[0]?.nb_read_frames)).toBeGreaterThan(25 * time - 3);
  });

  it('a recording is shared: the command line reads it, and the studio shows the same people with their goals', async () => {
    await open_scene('station_square');
    await go_to(12);
    const file = await shared(/Recording/, 'shared.throng');
    execFileSync(program(), ['export', file, '-o', join(served.folder, 'shared.sqlite')], { stdio: 'ignore' });
    const live = await whole_series();
    await home();
    await page.getByRole('button', { name: /^shared\.throng/ }).click();
    await page.locator('.time-bar').waitFor();
    await go_to(8);
    await settled();
    const shown = await stats();
    expect(shown.people).toBe(live.present[live.time.findIndex((time) => Math.abs(time - shown.time) < 1e-6)]);
    // Goals come a moment later: they are found by running it again.
    const canvas = page.locator('.scene canvas');
    await page.getByLabel('People by').selectOption('goal');
    await page.waitForFunction(() => window.throngStats.goals > 0, undefined, { timeout: 30_000 });
    await settled();
    const by_goal = await canvas.screenshot();
    await page.getByLabel('People by').selectOption('speed');
    await settled();
    expect((await canvas.screenshot()).equals(by_goal)).toBe(false);
  });
});
