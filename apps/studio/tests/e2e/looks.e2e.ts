// SPDX-License-Identifier: MIT
// What one must see: people on any ground in both themes, density on walkable ground only, all of the scene beside the panels; and a result without a mouse.
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { kOverlays } from '../../src/state/overlays';
import { launch, new_page, screenshot } from './browser';
import { type Served, serve } from './server';

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
  page.setDefaultTimeout(60_000);
});
afterEach(async () => {
  await page.context().close();
  expect(errors).toEqual([]);
});

async function open_scene(name: string): Promise<void> {
  await page.goto(served.url, { waitUntil: 'domcontentloaded' });
  await page.waitForFunction(() => document.querySelector('.card') !== null || window.throngStats?.frames > 0);
  if ((await page.locator('.card').count()) === 0) await page.getByTitle('All scenes').click();
  await page.locator(`[data-scene="${name}"]`).click();
  await page.locator('.time-bar').waitFor();
  await page.waitForFunction(() => window.throngStats.people > 0);
}

async function drop(text: object): Promise<void> {
  await page.goto(served.url, { waitUntil: 'domcontentloaded' });
  await page.waitForFunction(() => document.querySelector('.card') !== null || window.throngStats?.frames > 0);
  const data = await page.evaluateHandle((content) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([content], 'ground.json'));
    return transfer;
  }, JSON.stringify(text));
  await page.dispatchEvent('.window', 'drop', { dataTransfer: data });
  await page.waitForFunction(() => window.throngStats?.people === 12);
}

/** By its key: it is on or off by that. */
async function toggle(name: string): Promise<void> {
  await page.locator('.scene canvas').focus();
  await page.keyboard.press(String(kOverlays.findIndex((kind) => kind.name === name) + 1));
}

async function settled(): Promise<void> {
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  await page.waitForFunction(() => window.throngStats.at_rest, undefined, { timeout: 60_000 });
}

/** Pixels of the page round some places, as [r, g, b] each. */
async function pixels(places: readonly { x: number; y: number }[], reach: number): Promise<[number, number, number][][]> {
  const shot = (await page.screenshot()).toString('base64');
  return page.evaluate(async ([data, all, radius]) => {
    const image = new Image();
    image.src = `data:image/png;base64,${data as string}`;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = image.width;
    canvas.height = image.height;
    const context = canvas.getContext('2d') as CanvasRenderingContext2D;
    context.drawImage(image, 0, 0);
    const r = radius as number;
    return (all as { x: number; y: number }[]).map(({ x, y }) => {
      const bytes = context.getImageData(Math.round(x) - r, Math.round(y) - r, 2 * r + 1, 2 * r + 1).data;
      return Array.from({ length: bytes.length / 4 }, (_, i) => [bytes[4 * i], bytes[4 * i + 1], bytes[4 * i + 2]] as [number, number, number]);
    });
  }, [shot, places, reach] as const);
}

/** WCAG's. */
function luminance([r, g, b]: readonly [number, number, number]): number {
  const linear = (value: number) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);
  return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
}

function contrast(a: number, b: number): number {
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

async function on_page(x: number, y: number, z = 0): Promise<{ x: number; y: number }> {
  return page.evaluate(([px, py, pz]) => window.throngStats.on_page(px as number, py as number, pz as number), [x, y, z]);
}

const kPlaces = Array.from({ length: 12 }, (_, i): [number, number] => [3 + 4 * (i % 4), 3 + 3 * Math.floor(i / 4)]);
/** Twelve who stand, two of them before obstacles as seen from the south. */
const kGround = {
  throng_scenario: 1, name: 'ground', scene: { throng_scene: 1, walkable: [[[0, 0], [20, 0], [20, 14], [0, 14]]], obstacles: [[[2, 10.5], [4, 10.5], [4, 11.5], [2, 11.5]], [[6, 10.5], [8, 10.5], [8, 11.5], [6, 11.5]]] },
  populations: [{ positions: kPlaces }], settings: { duration: 5, stop_when_done: false },
};
/** From here on a picture holds enough of a person: 12 pixels of a line, or of a body. */
const kLeastPixels = 12;

describe('people are seen', () => {
  it('at 3 : 1 or more on the ground, on overlays and before obstacles, by day and by night, as figures and as dots', async () => {
    await drop(kGround);
    const least: Record<string, number> = {};
    for (const theme of ['day', 'night']) {
      if (theme === 'night') await page.getByRole('button', { name: 'Use dark colours' }).click();
      for (const shape of ['figures', 'dots']) {
        await page.getByLabel('Drawn as').selectOption(shape);
        for (const overlay of [null, 'density', 'cells', 'topology', 'zones'] as const) {
          if (overlay) await toggle(overlay);
          if (overlay) await page.waitForFunction((name) => (window.throngStats.overlays[name] ?? 0) > 0, overlay);
          await settled();
          const centres = await Promise.all(kPlaces.map(([x, y]) => on_page(x, y, shape === 'dots' ? 0.85 : 0.9)));
          // What is beside each: the ground as the picture has it there, overlay and all; north of the last row are obstacles.
          const beside = await Promise.all(kPlaces.map(([x, y]) => on_page(x + 0.9, y, 0)));
          const [near, ground] = [await pixels(centres, 9), await pixels(beside, 1)];
          near.forEach((patch, i) => {
            const under = luminance((ground[i] as [number, number, number][])[4] as [number, number, number]);
            const ratios = patch.map((one) => contrast(luminance(one), under)).sort((a, b) => b - a);
            const key = `${theme} ${shape} ${overlay ?? 'ground'}`;
            least[key] = Math.min(least[key] ?? Infinity, ratios[kLeastPixels] ?? 0);
          });
          if (overlay) await toggle(overlay);
        }
      }
    }
    console.log(Object.entries(least).map(([key, value]) => `${key} ${value.toFixed(1)}`).join(', '));
    for (const [key, value] of Object.entries(least)) expect(value, key).toBeGreaterThanOrEqual(3);
  }, 240_000);
});

describe('the scene fits beside what lies over it', () => {
  it('all four corners are on free canvas in every mode, from the side and from above, at 1280 and at 800', async () => {
    for (const width of [1280, 800]) {
      await page.setViewportSize({ width, height: 800 });
      await drop(kGround);
      for (const mode of ['Run', 'Scene']) {
        await page.getByRole('tab', { name: mode }).click();
        await page.locator('.scene canvas').focus();
        await page.keyboard.press('h');
        for (const view of ['side', 'above']) {
          if (view === 'above') await page.keyboard.press('t');
          await settled();
          for (const [x, y] of [[0, 0], [20, 0], [20, 14], [0, 14]] as const) {
            const at = await on_page(x, y);
            const covered = await page.evaluate(({ x: px, y: py }) => document.elementFromPoint(px, py)?.closest('.panel, .float, .header, .time-bar')?.className ?? (document.elementFromPoint(px, py) ? '' : 'outside'), at);
            expect(covered, `${width} ${mode} ${view} ${x},${y}`).toBe('');
          }
        }
        await page.keyboard.press('t');
      }
    }
  }, 120_000);
});

describe('without a mouse', () => {
  it('from opening a scene to its result by the keyboard alone', async () => {
    await page.goto(served.url, { waitUntil: 'domcontentloaded' });
    await page.waitForFunction(() => document.querySelector('.card') !== null || window.throngStats?.frames > 0);
    const focus = async (holds: (name: string) => boolean, most = 80): Promise<void> => {
      for (let k = 0; k < most; k++) {
        await page.keyboard.press('Tab');
        const name = await page.evaluate(() => document.activeElement?.getAttribute('data-scene') ?? document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '');
        if (holds(name.trim())) return;
      }
      throw new Error('Tab never got there');
    };
    if ((await page.locator('.card').count()) === 0) {
      await focus((name) => name === 'Throng');
      await page.keyboard.press('Enter');
      await page.locator('.card').first().waitFor();
    }
    await focus((name) => name === 'bottleneck');
    await page.keyboard.press('Enter');
    await page.locator('.time-bar').waitFor();
    await page.waitForFunction(() => window.throngStats.people > 0);
    await focus((name) => name === 'To the end');
    await page.keyboard.press('Enter');
    const card = page.getByRole('complementary', { name: 'Results' });
    await card.waitFor();
    await card.getByText('All 150 arrived').waitFor();
    await focus((name) => name === 'Close the results');
    await page.keyboard.press('Enter');
    await card.waitFor({ state: 'detached' });
  });
});

describe('screens', () => {
  it('at 1280 and 800 pixels, by day and by night', async () => {
    for (const width of [1280, 800]) {
      await page.setViewportSize({ width, height: 800 });
      for (const theme of ['light', 'dark']) {
        await open_scene('station_square');
        if ((await page.locator('html').getAttribute('data-theme')) !== theme) await page.getByRole('button', { name: /^Use (dark|light) colours$/ }).click();
        await page.keyboard.press('Shift+ArrowRight');
        await page.waitForFunction(() => window.throngStats.time > 0.9);
        await toggle('density');
        await page.waitForFunction(() => (window.throngStats.overlays['density'] ?? 0) > 0);
        await settled();
        await screenshot(page, `look_${width}_${theme}`);
        await page.getByTitle('All scenes').click();
        await page.locator('.card').first().waitFor();
        await page.waitForFunction(() => [...document.querySelectorAll<HTMLImageElement>('.card img')].slice(0, 4).every((image) => image.complete && image.naturalWidth > 0));
        await screenshot(page, `look_${width}_${theme}_start`);
      }
    }
  }, 240_000);
});
