// SPDX-License-Identifier: MIT
// Random acts against a model of the document: whatever the page has shown as kept, as a draft or as a file, is there after leaving, a reload, and kill -9 of the page and of the program.
//
// 40 acts unless told: npm run e2e -- PROGRAM --acts 200 --seed 7.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launch, new_page } from './browser';
import { type Served, serve } from './server';

const kActs = Number(process.env['THRONG_E2E_ACTS'] ?? 40);
const kSeed = Number(process.env['THRONG_E2E_SEED'] ?? 1);
const kKinds = ['plan', 'kind', 'model'] as const;
const kMostOfEach = 4;  // more are folded away in the outline
const kFile = 'mine.json';

/** What the model knows of a scenario: the names that were added to it. */
type Names = readonly string[];

/** mulberry32: the same acts for the same seed, on any machine. */
function numbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

function names_in(scenario: Record<string, Record<string, unknown> | undefined>): Names {
  return kKinds.flatMap((kind) => Object.keys(scenario[`${kind}s`] ?? {}).filter((name) => new RegExp(`^${kind} \\d+$`).test(name))).sort();
}

class Model {
  now: Names = [];
  past: Names[] = [];
  future: Names[] = [];
  /** In the file; null: there is none. */
  file: Names | null = null;

  edit(next: Names): void {
    this.past.push(this.now);
    this.future = [];
    this.now = [...next].sort();
  }

  /** Another page shows it: undo begins anew. */
  reopened(at: Names): void {
    this.now = at;
    this.past = [];
    this.future = [];
  }
}

let browser: Browser;
let served: Served;
let page: Page;

beforeAll(async () => {
  [browser, served] = await Promise.all([launch(), serve()]);
});
afterAll(async () => {
  await browser?.close();
  await served?.stop();
});

async function fresh_page(): Promise<void> {
  ({ page } = await new_page(browser, { viewport: { width: 1040, height: 560 } }));
  page.setDefaultTimeout(60_000);
}

async function kept(): Promise<string> {
  await page.waitForFunction(() => document.querySelector('[data-kept]')?.getAttribute('data-kept') !== 'nothing');
  return (await page.locator('[data-kept]').getAttribute('data-kept')) ?? '';
}

async function shown(): Promise<Names> {
  const rows = await page.locator('.outline .row').allInnerTexts();
  return rows.filter((name) => /^(plan|kind|model) \d+$/.test(name)).sort();
}

function drafts(): Names[] {
  const folder = join(served.folder, '.throng-drafts');
  if (!existsSync(folder)) return [];
  return readdirSync(folder).filter((name) => name.endsWith('.json')).map((name) => names_in((JSON.parse(readFileSync(join(folder, name), 'utf8')) as { scenario: never }).scenario));
}

async function scene_tab(): Promise<void> {
  await page.locator('.time-bar').waitFor();
  await page.getByRole('tab', { name: 'Scene' }).click();
  await page.locator('.outline').waitFor();
}

/** From the first page to the document again, as a user would who was told how it was kept. */
async function open_again(how: string): Promise<void> {
  await page.locator('.card').first().waitFor();
  if (how === 'draft') await page.locator('[data-draft]').first().click();
  else if (how === 'saved') await page.getByRole('button', { name: new RegExp(`^${kFile.replace('.', '\\.')}`) }).click();
  else await page.locator('[data-scene="circle_swap"]').click();
  await scene_tab();
}

describe('random acts', () => {
  it(`${kActs} of them (seed ${kSeed}): nothing that was shown as kept is gone`, async () => {
    const random = numbers(kSeed);
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
    const model = new Model();
    const log: string[] = [];
    let branches = 1;
    await fresh_page();
    await page.goto(served.url, { waitUntil: 'domcontentloaded' });
    await open_again('unchanged');

    const add = async (): Promise<void> => {
      const kind = pick(kKinds.filter((one) => model.now.filter((name) => name.startsWith(one)).length < kMostOfEach));
      let k = 1;
      while (model.now.includes(`${kind} ${k}`)) k++;
      await page.getByRole('button', { name: `+ ${kind}` }).click();
      model.edit([...model.now, `${kind} ${k}`]);
    };
    const remove = async (): Promise<void> => {
      const name = pick(model.now);
      await page.getByRole('button', { name, exact: true }).click();
      await page.getByRole('button', { name: 'Delete', exact: true }).click();
      model.edit(model.now.filter((one) => one !== name));
    };
    /** After something ended without a word: what was kept last, or what was edited since. */
    const comes_back_as = async (before: Names, last: Names): Promise<void> => {
      const found = await shown();
      expect([before, last], log.join('\n')).toContainEqual(found);
      model.reopened(found);
      branches = Number(await page.locator('.branch').count()) || 1;
    };
    const acts: Record<string, { weight: number; can: () => boolean; act: () => Promise<void> }> = {
      add: { weight: 34, can: () => model.now.length < 3 * kMostOfEach - 1, act: add },
      remove: { weight: 12, can: () => model.now.length > 0, act: remove },
      undo: { weight: 16, can: () => model.past.length > 0, act: async () => {
        await page.getByRole('button', { name: 'Undo' }).click();
        model.future.push(model.now);
        model.now = model.past.pop() as Names;
      } },
      redo: { weight: 16, can: () => model.future.length > 0, act: async () => {
        await page.getByRole('button', { name: 'Redo' }).click();
        model.past.push(model.now);
        model.now = model.future.pop() as Names;
      } },
      save: { weight: 5, can: () => true, act: async () => {
        await page.keyboard.press('Control+s');
        await page.locator('dialog input[name=path]').fill(kFile);
        await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
        const replace = page.getByRole('button', { name: 'Replace it' });
        await page.waitForFunction(() => document.querySelector('dialog') === null || document.querySelector('dialog .fix') !== null);
        if ((await replace.count()) > 0) await replace.click();
        await page.getByRole('dialog').waitFor({ state: 'detached' });
        model.file = model.now;
      } },
      branch: { weight: 5, can: () => branches < 20, act: async () => {
        await page.keyboard.press('b');
        await page.getByRole('dialog').getByRole('button', { name: 'Branch' }).click();
        branches++;
        await page.waitForFunction((count) => document.querySelectorAll('.branch').length === count, branches);
      } },
      leave: { weight: 9, can: () => true, act: async () => {
        const how = await kept();
        await page.getByTitle('All scenes').click();
        const leave = page.getByRole('dialog').getByRole('button', { name: /^Leave/ });
        await page.waitForFunction(() => document.querySelector('dialog[open], .card') !== null);
        if ((await leave.count()) > 0) await leave.click();
        await open_again(how);
        await comes_back_as(model.now, model.now);
      } },
      reload: { weight: 6, can: () => true, act: async () => {
        const before = model.now;
        if (await kept() !== '' && random() < 0.5 && model.now.length < 8) await add();
        await page.reload();
        await scene_tab();
        await comes_back_as(before, model.now);
      } },
      kill_page: { weight: 4, can: () => true, act: async () => {
        await kept();
        const before = model.now;
        if (random() < 0.5 && model.now.length < 8) await add();
        await page.context().close();
        await fresh_page();
        await page.goto(served.url, { waitUntil: 'domcontentloaded' });
        await scene_tab();
        await comes_back_as(before, model.now);
      } },
      kill_program: { weight: 3, can: () => true, act: async () => {
        const how = await kept();
        const before = model.now;
        if (how === 'draft' && random() < 0.5 && model.now.length < 8) await add();
        await served.kill();
        await page.context().close();
        served = await serve({ folder: served.folder });
        await fresh_page();
        await page.goto(served.url, { waitUntil: 'domcontentloaded' });
        await open_again(how);
        await comes_back_as(before, model.now);
      } },
    };

    for (let k = 0; k < kActs; k++) {
      const possible = Object.entries(acts).filter(([, one]) => one.can());
      let at = random() * possible.reduce((sum, [, one]) => sum + one.weight, 0);
      const [name, { act }] = possible.find(([, one]) => (at -= one.weight) < 0) ?? (possible[0] as (typeof possible)[0]);
      log.push(name);
      await act().catch(async (error: unknown) => {
        throw new Error(`${log.join(' ')}\n${await page.evaluate(() => document.body.innerText.slice(0, 1500))}\n${String(error)}`);
      });
      await expect.poll(shown, { message: log.join('\n'), timeout: 10_000 }).toEqual(model.now);
      if (random() < 0.3) continue;  // the next act comes before it is kept
      const how = await kept();
      if (how === 'draft') expect(drafts(), log.join('\n')).toContainEqual(model.now);
      else if (how === 'saved') expect(names_in(JSON.parse(readFileSync(join(served.folder, kFile), 'utf8')) as never), log.join('\n')).toEqual(model.now);
      else expect(model.now, log.join('\n')).toEqual([]);
    }
    console.log(`${kActs} acts: ${Object.keys(acts).map((name) => `${name} ${log.filter((one) => one === name).length}`).join(', ')}`);
    await page.context().close();
  }, 60_000 + kActs * 15_000);
});
