// SPDX-License-Identifier: MIT
// Nothing is lost: what is edited survives leaving, a reload, and the death of the page and of the program; and a run is never without an end.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { launch, new_page, screenshot } from './browser';
import { type Served, serve } from './server';

const kRoom = JSON.stringify({ throng_scene: 1, name: 'room', walkable: [[[0, 0], [20, 0], [20, 10], [0, 10]]] });

let browser: Browser;
let served: Served;
let page: Page;
let errors: string[];

beforeAll(async () => {
  browser = await launch();
});
afterAll(async () => {
  await browser?.close();
});
beforeEach(async () => {
  served = await serve();
  ({ page, errors } = await new_page(browser));
  page.setDefaultTimeout(30_000);
});
afterEach(async () => {
  await page.context().close();
  await served.stop();
  // A program that was killed leaves requests without an answer: that is what these tests do.
  expect(errors.filter((words) => !/ERR_CONNECTION|WebSocket connection|Failed to (load|fetch)/.test(words))).toEqual([]);
});

async function home(): Promise<void> {
  await page.goto(served.url);
  await page.locator('.card').first().waitFor();
}

async function open_scene(name: string): Promise<void> {
  await home();
  await page.locator(`[data-scene="${name}"]`).click();
  await page.locator('.time-bar').waitFor();
}

async function drop_room(): Promise<void> {
  await home();
  const data = await page.evaluateHandle((content) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([content], 'room.json'));
    return transfer;
  }, kRoom);
  await page.dispatchEvent('.window', 'drop', { dataTransfer: data });
  await page.locator('.time-bar').waitFor();
  await page.getByRole('tab', { name: 'Scene' }).click();
}

/** Something to lose. */
async function add_plan(): Promise<void> {
  await page.getByRole('tab', { name: 'Scene' }).click();
  await page.getByRole('button', { name: '+ plan' }).click();
  await page.getByRole('button', { name: 'plan 1', exact: true }).waitFor();
}

const kept = (state: 'saved' | 'draft' | 'unchanged' | 'nothing') => page.locator(`[data-kept="${state}"]`);
const plan = () => page.getByRole('button', { name: 'plan 1', exact: true });

describe('what is edited is not lost', () => {
  it('"saved" means a file: after a reload of an edited scene there is none, and the page does not say so', async () => {
    await open_scene('bottleneck');
    await kept('unchanged').waitFor();
    await add_plan();
    await kept('draft').waitFor();
    await page.getByRole('button', { name: 'Run changes', exact: true }).click();
    await page.getByRole('button', { name: 'Pause', exact: true }).waitFor();
    await page.reload();
    await page.locator('.time-bar').waitFor();
    await kept('draft').waitFor();
    expect(await kept('saved').count()).toBe(0);
    expect(readdirSync(served.folder).filter((name) => name.endsWith('.json'))).toEqual([]);
    await page.getByRole('tab', { name: 'Scene' }).click();
    await plan().waitFor();
    await page.keyboard.press('Control+s');
    await page.locator('dialog input[name=path]').fill('mine.json');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await kept('saved').waitFor();
    expect(readFileSync(join(served.folder, 'mine.json'), 'utf8')).toContain('plan 1');
    // Its draft has done its work.
    await expect.poll(() => readdirSync(join(served.folder, '.throng-drafts')).filter((name) => name.endsWith('.json'))).toEqual([]);
    await page.reload();
    await kept('saved').waitFor();
  });

  it('edits that were never run survive a reload', async () => {
    await drop_room();
    await add_plan();
    await kept('draft').waitFor();
    await page.reload();
    await page.locator('.time-bar').waitFor();
    await page.getByRole('tab', { name: 'Scene' }).click();
    await plan().waitFor();
  });

  it('leaving asks: Cancel stays, a draft is offered again, and what is discarded is gone', async () => {
    await open_scene('bottleneck');
    await add_plan();
    const leave = () => page.getByTitle('All scenes').click();
    await leave();
    const dialog = page.getByRole('dialog', { name: 'Leave this scene?' });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await plan().waitFor();
    await leave();
    await dialog.getByRole('button', { name: 'Leave, keep the draft' }).click();
    await page.locator('.card').first().waitFor();
    await page.getByRole('button', { name: /^Draft of bottleneck, not saved/ }).waitFor();
    await screenshot(page, 'drafts');
    // The scene itself is as it was, and says that there is a draft.
    await page.locator('[data-scene="bottleneck"]').click();
    await page.locator('.notice').getByText('There is a draft of bottleneck, not saved').waitFor();
    await page.getByRole('tab', { name: 'Scene' }).click();
    expect(await plan().count()).toBe(0);
    await page.locator('.notice').getByRole('button', { name: 'Open the draft' }).click();
    await plan().waitFor();
    await kept('draft').waitFor();
    await leave();
    await dialog.getByRole('button', { name: 'Discard what I edited' }).click();
    await page.locator('.card').first().waitFor();
    expect(await page.getByRole('button', { name: /^Draft of/ }).count()).toBe(0);
  });

  it('the browser asks before it leaves the page with something unsaved, and only then', async () => {
    const asked: string[] = [];
    page.on('dialog', (dialog) => {
      asked.push(dialog.type());
      void dialog.accept();
    });
    await open_scene('bottleneck');
    await page.reload();
    expect(asked).toEqual([]);
    await page.locator('.time-bar').waitFor();
    await add_plan();
    await page.reload();
    expect(asked).toEqual(['beforeunload']);
  });

  it('kill -9 of the program: the next one offers the draft, also where its scenario is wrong', async () => {
    await open_scene('bottleneck');
    await add_plan();
    await page.getByRole('button', { name: 'leave', exact: true }).click();
    await page.getByLabel('goals', { exact: true }).fill('["outsid"]');
    await page.locator('.field.wrong').waitFor();
    await kept('draft').waitFor();
    await served.kill();
    served = await serve({ folder: served.folder });
    await home();
    await page.getByRole('button', { name: /^Draft of bottleneck, not saved/ }).click();
    await page.locator('.time-bar').waitFor();
    await page.getByRole('tab', { name: 'Scene' }).click();
    await plan().waitFor();
    await page.getByRole('button', { name: /1 problem/ }).waitFor();
  });

  it('a program that comes back under the same address: the page goes on with what was edited', async () => {
    const token = 'a-token-that-stays-the-same';
    await served.stop();
    served = await serve({ token });
    await open_scene('bottleneck');
    await add_plan();
    await kept('draft').waitFor();
    await served.kill();
    await page.getByText('Connection lost').waitFor();
    await page.getByRole('button', { name: '+ kind' }).click();
    served = await serve({ folder: served.folder, port: served.port, token });
    await page.getByText('Connection lost').waitFor({ state: 'detached' });
    await kept('draft').waitFor();
    await plan().waitFor();
    await page.getByRole('button', { name: 'kind 1', exact: true }).waitFor();
    await page.keyboard.press('ArrowRight');
    await page.waitForFunction(() => window.throngStats.people > 0);
  });

  it('where no draft can be written the page says so', async () => {
    await open_scene('bottleneck');
    // A file where the folder should be.
    const { writeFileSync } = await import('node:fs');
    writeFileSync(join(served.folder, '.throng-drafts'), 'in the way');
    await add_plan();
    await page.getByText('not saved, no draft').waitFor();
    expect(existsSync(join(served.folder, '.throng-drafts'))).toBe(true);
  });

  it('every dialog has Cancel, and nothing happens by it', async () => {
    await open_scene('bottleneck');
    for (const [key, title] of [['Control+s', 'Save'], ['b', 'Go on from here with a change'], ['Control+k', 'Search'], ['?', 'Keys']] as const) {
      await page.keyboard.press(key);
      const dialog = page.getByRole('dialog', { name: title });
      await dialog.getByRole('button', { name: /^(Cancel|Close)$/ }).click();
      await dialog.waitFor({ state: 'detached' });
    }
    await page.getByRole('button', { name: 'Share' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await page.locator('.branch').count()).toBe(0);
    await kept('unchanged').waitFor();
  });

  it('one undo takes back one choice, also where the same field was changed before', async () => {
    await open_scene('bottleneck');
    await page.getByRole('tab', { name: 'Scene' }).click();
    await page.getByRole('button', { name: /^\d+ people in/ }).first().click();
    const model = page.locator('.inspector').getByLabel('model');
    const before = await model.inputValue();
    await model.selectOption('linear');
    await model.selectOption('rules');
    await page.getByRole('button', { name: 'Undo' }).click();
    expect(await model.inputValue()).toBe('linear');
    await page.getByRole('button', { name: 'Undo' }).click();
    expect(await model.inputValue()).toBe(before);
    await kept('unchanged').waitFor();
  });
});

describe('a run has an end', () => {
  it('To the end computes a new scene to its end, and the results are shown', async () => {
    await open_scene('bottleneck');
    await page.getByRole('button', { name: 'To the end' }).click();
    const card = page.getByRole('complementary', { name: 'Results' });
    await card.waitFor({ timeout: 60_000 });
    await card.getByText('All 150 arrived, the last after').waitFor();
    await card.getByText('mean travel time').waitFor();
    await card.getByText('lost').waitFor();
    await card.getByText('peak density').waitFor();
    expect(await card.locator('.bars li').count()).toBe(1);
    await expect(card.locator('.bars b').innerText()).resolves.toBe('150');
    await screenshot(page, 'results');
    await card.getByRole('button', { name: 'Close the results' }).click();
    await card.waitFor({ state: 'detached' });
    await page.locator('.time-bar').getByRole('button', { name: 'Results' }).click();
    await card.waitFor();
  });

  it('what takes long is stopped, and what is computed stays', async () => {
    await open_scene('city_rush_hour');
    await page.keyboard.press('End');
    await page.getByText(/^Computing/).waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText(/^Computing/).waitFor({ state: 'detached' });
    await page.waitForFunction(() => window.throngStats.people > 0);
  });

  it('a page exported from a new scene plays', async () => {
    await open_scene('closing_door');
    await page.getByRole('button', { name: 'Share' }).click();
    const coming = page.waitForEvent('download', { timeout: 120_000 });
    await page.getByRole('dialog').getByRole('button', { name: /page that plays/ }).click();
    const file = join(served.folder, 'new.html');
    await (await coming).saveAs(file);
    const alone = await new_page(browser);
    await alone.page.goto(`file://${file}`);
    await alone.page.waitForFunction(() => window.throngStats?.people > 0);
    await alone.page.keyboard.press('Space');
    await alone.page.waitForFunction(() => window.throngStats.time > 1);
    expect(alone.errors).toEqual([]);
    await alone.page.context().close();
  });
});
