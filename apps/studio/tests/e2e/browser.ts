// SPDX-License-Identifier: MIT
// Chromium without a screen, and what every test of the page needs from it.
import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

const kFlags = [
  '--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync',
  '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader',
];

/** The page that ./throng has built beside the program; else what `npm run build` left here. */
function built_page(): string {
  const beside = join(dirname(process.env['THRONG_PROGRAM'] ?? ''), '../share/studio');
  return existsSync(join(beside, 'index.html')) ? beside : fileURLToPath(new URL('../../dist', import.meta.url));
}
export const kDist = process.env['THRONG_STUDIO_DIR'] ?? built_page();
const kImages = fileURLToPath(new URL('../../../../docs/images', import.meta.url));

export async function launch(): Promise<Browser> {
  const executablePath = process.env['THRONG_CHROMIUM'] ?? '/usr/bin/chromium';
  if (!existsSync(executablePath)) throw new Error(`${executablePath} is not there: apt-get install chromium`);
  return chromium.launch({ executablePath, headless: true, args: kFlags });
}

/** A page whose errors fail the test. */
export async function new_page(browser: Browser, options: BrowserContextOptions = {}): Promise<{ page: Page; errors: string[] }> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, colorScheme: 'light', reducedMotion: 'reduce', ...options });
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    // What ANGLE says about its own speed is no error of ours, and a refused file is answered with 400: the page shows it.
    if (message.type() === 'error' && !/GPU stall|GL Driver|status of 400/.test(message.text())) errors.push(message.text());
  });
  return { page, errors };
}

/** For docs/studio.md, and only when asked for. */
export async function screenshot(page: Page, name: string): Promise<void> {
  const folder = process.env['THRONG_SCREENSHOTS'] ?? (process.env['THRONG_WRITE_SCREENSHOTS'] === '1' ? kImages : null);
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: `${folder}/studio_${name}.png` });
}
