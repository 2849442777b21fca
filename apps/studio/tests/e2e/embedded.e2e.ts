// SPDX-License-Identifier: MIT
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { kDist, launch, new_page } from './browser';
import { embedded_page } from './synthetic';

let browser: Browser;
const folder = mkdtempSync(join(tmpdir(), 'throng_studio_'));

beforeAll(async () => {
  browser = await launch();
});
afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function open(count: number, metres: number, seconds: number): Promise<{ page: Page; errors: string[] }> {
  const file = join(folder, `${count}.html`);
  writeFileSync(file, embedded_page(kDist, count, metres, seconds));
  const { page, errors } = await new_page(browser);
  await page.goto(`file://${file}`);
  await page.waitForFunction((people) => window.throngStats?.people === people, count);
  return { page, errors };
}

/** Processor time of the page's main thread in script, which other programs on the machine do not lengthen. */
async function script_time(page: Page, session: CDPSession): Promise<{ seconds: number; frames: number; step: number }> {
  const { metrics } = await session.send('Performance.getMetrics');
  const { frames, step } = await page.evaluate(() => ({ frames: window.throngStats.frames, step: window.throngStats.step }));
  return { seconds: metrics.find((one) => one.name === 'ScriptDuration')?.value ?? 0, frames, step };
}

describe('a recording inside a page, without a server', () => {
  it('plays, pauses, steps and scrubs', async () => {
    const { page, errors } = await open(60, 24, 20);
    await page.keyboard.press('Space');
    await page.waitForFunction(() => window.throngStats.time > 0.5);
    await page.keyboard.press('Space');
    const paused = await page.evaluate(() => window.throngStats.step);
    await page.keyboard.press('ArrowRight');
    await page.waitForFunction((step) => window.throngStats.step > step, paused);
    await page.keyboard.press('Home');
    await page.waitForFunction(() => window.throngStats.step === 0);
    const track = page.getByRole('slider', { name: 'Time' });
    const box = await track.boundingBox();
    await page.mouse.click((box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + 20);
    await page.waitForFunction(() => Math.abs(window.throngStats.time - 10) < 0.3);
    expect(errors).toEqual([]);
    await page.context().close();
  });

  it('draws near people as figures and far ones as marks, and says what 20,000 cost', async () => {
    const { page, errors } = await open(20_000, 200, 8);
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    await page.keyboard.press('Space');
    // Shaders are compiled by then.
    await page.waitForFunction(() => window.throngStats.time > 1, undefined, { timeout: 60_000 });
    const before = await script_time(page, session);
    await page.waitForFunction(() => window.throngStats.time > 7, undefined, { timeout: 60_000 });
    const after = await script_time(page, session);
    const stats = await page.evaluate(() => ({ ...window.throngStats }));
    expect(stats.people).toBe(20_000);
    expect(stats.figures).toBeLessThan(20_000);
    // A figure for the log: what is too slow depends on the machine, and no test asserts a time.
    const drawn = after.frames - before.frames;
    const messages = after.step - before.step;
    console.log(`20,000 people: ${(((after.seconds - before.seconds) * 1000) / drawn).toFixed(2)} ms of processor time for script a drawn frame (${drawn} frames, ${messages} messages); decoding ${stats.decode_median_ms.toFixed(2)} ms a message, ${stats.bytes_per_person.toFixed(2)} bytes a person`);
    expect(errors).toEqual([]);
    await page.context().close();
  });
});
