// SPDX-License-Identifier: MIT
// npm run bench -- PROGRAM [--people N] [--seconds N] [--replay-people N] [--replay-seconds N] [--seeks N] [--draw] [--json]: what the page's main thread does in
// script while it shows a live run at 10 Hz, and how soon it shows any moment of a long recording.
//
// Chromium's own trace says it: the processor time (thread time, so neither other programs nor the wait for a renderer count) of each animation frame, message,
// timer and callback of the main thread. A frame here is one that is drawn, with every task of script since the one before it.
//
// Software WebGL draws such a crowd once or twice a second, and a frame would then stand for many messages. So that the page runs as it does with a graphics card,
// draw calls reach the renderer with one triangle or point each: the page makes the same calls with the same data, uploads everything, and only the rasteriser has
// nothing to do. --draw leaves them whole.
//
// A seek is a press on the time bar; it is over when the frame of that moment has been drawn. The first ones come while charts still count the recording.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const words = process.argv.slice(2);
const option = (name, otherwise) => {
  const at = words.indexOf(name);
  return at < 0 ? otherwise : Number(words[at + 1]);
};
const program = words[0] && existsSync(words[0]) ? resolve(words[0]) : null;
const people = option('--people', 20_000);
const seconds = option('--seconds', 15);
const replay_people = option('--replay-people', 5000);
const replay_seconds = option('--replay-seconds', 600);
const seeks = option('--seeks', 100);
const as_json = words.includes('--json');
const draws = words.includes('--draw');
if (!program || !(people > 0) || !(seconds > 0)) {
  console.error('usage: npm run bench -- PROGRAM [--people N] [--seconds N] [--replay-people N] [--replay-seconds N] [--seeks N] [--draw] [--json]   (PROGRAM: the built throng)');
  process.exit(2);
}
const browser_path = process.env.THRONG_CHROMIUM ?? '/usr/bin/chromium';
if (!existsSync(browser_path)) {
  console.error(`${browser_path} is not there: apt-get install chromium`);
  process.exit(2);
}
const beside = join(dirname(program), '../share/studio');
const page_folder = process.env.THRONG_STUDIO_DIR ?? (existsSync(join(beside, 'index.html')) ? beside : fileURLToPath(new URL('../../dist', import.meta.url)));

const folder = mkdtempSync(join(tmpdir(), 'throng_bench_'));
const crowd = (count, duration) => JSON.stringify({
  throng_scenario: 1, name: 'crowd', scene: 'city:2600', plans: { stroll: { goals: [{ point: [700, 700] }], end: 'wander' } },
  populations: [{ count, plan: 'stroll' }], settings: { duration, stop_when_done: false },
});
writeFileSync(join(folder, 'crowd.json'), crowd(people, 3600));
if (seeks > 0) {
  console.error(`recording ${replay_people} people for ${replay_seconds} s`);
  writeFileSync(join(folder, 'replay.json'), crowd(replay_people, replay_seconds));
  execFileSync(program, ['run', 'replay.json', '-o', 'replay'], { cwd: folder, stdio: 'ignore' });
}
const server = spawn(program, ['studio', 'crowd.json', '--port', '0', '--no-open', '--json', '--dir', folder], {
  cwd: folder, env: { ...process.env, THRONG_STUDIO_DIR: page_folder }, stdio: ['ignore', 'pipe', 'inherit'],
});
const { url } = await new Promise((done, fail) => {
  let text = '';
  server.stdout.on('data', (data) => {
    text += data;
    try {
      done(JSON.parse(text));
    } catch {
      // Not all of it yet.
    }
  });
  server.on('exit', (code) => fail(new Error(`throng studio ended with ${code}`)));
});

const kScript = new Set(['FunctionCall', 'FireAnimationFrame', 'TimerFire', 'RunMicrotasks', 'EvaluateScript', 'EventDispatch', 'MinorGC', 'MajorGC', 'V8.GCScavenger']);
const kLayout = new Set(['UpdateLayoutTree', 'Layout', 'PrePaint', 'Paint', 'Layerize', 'Commit']);

/** The outermost events of some kinds on a thread, in order: begin (µs) and thread time (ms). */
function outermost(events, kinds) {
  const tasks = [];
  let end = -Infinity;
  for (const event of events.filter((one) => one.ph === 'X' && kinds.has(one.name)).sort((a, b) => a.ts - b.ts || b.dur - a.dur)) {
    if (event.ts < end) continue;
    if (event.tdur === undefined && event.dur > 50) throw new Error('the trace has no thread time');
    end = event.ts + event.dur;
    tasks.push({ at: event.ts, ms: (event.tdur ?? event.dur) / 1000, name: event.name });
  }
  return tasks;
}

/** Milliseconds of tasks for each frame that was drawn: what ran since the one before it, with itself. */
function by_frame(tasks, drawn) {
  const sums = new Array(Math.max(0, drawn.length - 1)).fill(0);
  let frame = 0;
  for (const task of tasks) {
    if (task.at <= drawn[0]) continue;
    while (frame + 1 < drawn.length && task.at > drawn[frame + 1]) frame++;
    if (frame + 1 < drawn.length) sums[frame] += task.ms;
  }
  return sums;
}

/** What the longest frame was made of: milliseconds by kind of task. */
function longest_of(tasks, drawn) {
  const sums = by_frame(tasks, drawn);
  const worst = sums.indexOf(Math.max(...sums));
  const kinds = {};
  for (const task of tasks) if (task.at > drawn[worst] && task.at <= drawn[worst + 1]) kinds[task.name] = (kinds[task.name] ?? 0) + task.ms;
  return kinds;
}

function spread(values) {
  const sorted = values.slice().sort((a, b) => a - b);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
  return { mean: sorted.reduce((sum, value) => sum + value, 0) / Math.max(1, sorted.length), median: at(0.5), p95: at(0.95), p99: at(0.99), worst: sorted.at(-1) ?? 0 };
}

async function trace_of(session, work) {
  const events = [];
  const collect = ({ value }) => events.push(...value);
  session.on('Tracing.dataCollected', collect);
  await session.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig: { recordMode: 'recordAsMuchAsPossible', includedCategories: ['devtools.timeline', '__metadata'] } });
  await work();
  const complete = new Promise((done) => session.once('Tracing.tracingComplete', done));
  await session.send('Tracing.end');
  await complete;
  session.off('Tracing.dataCollected', collect);
  return events;
}

async function measure(page, browser, name) {
  const session = await browser.newBrowserCDPSession();
  const now = () => page.evaluate(() => ({ step: window.throngStats.step, people: window.throngStats.people, figures: window.throngStats.figures }));
  let before;
  let after;
  const events = await trace_of(session, async () => {
    before = await now();
    await page.waitForTimeout(seconds * 1000);
    after = await now();
  });
  await session.detach();
  const marks = events.filter((event) => event.name === 'TimeStamp' && event.args?.data?.message === 'throng drawn').sort((a, b) => a.ts - b.ts);
  if (marks.length < 3) throw new Error(`only ${marks.length} frames were drawn`);
  if (after.step === before.step) throw new Error('the run did not go on');
  const mine = events.filter((event) => event.pid === marks[0].pid && event.tid === marks[0].tid);
  const drawn = marks.map((mark) => mark.ts);
  const messages = mine.filter((event) => event.name === 'WebSocketReceive');
  const all = outermost(mine, kScript);
  const received = by_frame(messages.map((event) => ({ at: event.ts, ms: 1 })), drawn);
  const steady = (drawn.at(-1) - drawn[0]) / 1e6;
  return {
    view: name, people: after.people, figures: after.figures, drawn: drawn.length - 1, drawn_per_second: (drawn.length - 1) / steady,
    messages_per_second: (after.step - before.step) / seconds, script_ms: spread(by_frame(all, drawn)), layout_ms: spread(by_frame(outermost(mine, kLayout), drawn)),
    with_message_ms: spread(by_frame(all, drawn).filter((_, i) => received[i] > 0)), without_message_ms: spread(by_frame(all, drawn).filter((_, i) => received[i] === 0)),
    longest: longest_of(all, drawn), most_messages: Math.max(...received), script_ms_per_second: all.reduce((sum, task) => sum + task.ms, 0) / seconds,
  };
}

function resident_mb(pid) {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
}

/** Presses on the time bar at random moments: how long until each is drawn, how far off it is, and what that took of memory. */
async function scrub(page) {
  await page.getByTitle('All scenes').click();
  const before = resident_mb(server.pid);
  const opened = Date.now();
  await page.getByRole('button', { name: /^replay run/ }).click();
  await page.waitForFunction((count) => window.throngStats?.people === count, replay_people);
  const open_ms = Date.now() - opened;
  const found = await page.evaluate(async ([count, seed]) => {
    let state = seed;
    const random = () => ((state = (state * 1103515245 + 12345) % 2 ** 31) / 2 ** 31);
    const track = document.querySelector('.track');
    const box = track.getBoundingClientRect();
    const most = Number(track.getAttribute('aria-valuemax'));
    const press = (share) => {
      const words = { bubbles: true, cancelable: true, button: 0, buttons: 1, pointerId: 1, isPrimary: true, clientX: box.left + share * box.width, clientY: box.top + box.height * 0.75 };
      track.dispatchEvent(new PointerEvent('pointerdown', words));
      track.dispatchEvent(new PointerEvent('pointerup', words));
    };
    track.setPointerCapture = () => {};
    const times = [];
    let farthest = 0;
    for (let k = 0; k < count; k++) {
      const share = random();
      const frames = window.throngStats.frames;
      const began = performance.now();
      press(share);
      while (window.throngStats.frames === frames || Math.abs(window.throngStats.time - share * most) > 0.51) {
        if (performance.now() - began > 20000) throw new Error(`nothing was shown for ${share * most} s; ${window.throngStats.time}`);
        await new Promise((done) => requestAnimationFrame(done));
      }
      times.push(performance.now() - began);
      farthest = Math.max(farthest, Math.abs(window.throngStats.time - share * most));
    }
    return { times, farthest, heap_mb: performance.memory.usedJSHeapSize / 1e6 };
  }, [seeks, 7]);
  return {
    people: replay_people, seconds: replay_seconds, file_mb: statSync(join(folder, 'replay/recording.throng')).size / 1e6, open_ms, seeks, ms: spread(found.times), first_ms: spread(found.times.slice(0, 20)),
    farthest_s: found.farthest, server_mb: resident_mb(server.pid) - before, page_mb: found.heap_mb,
  };
}

const browser = await chromium.launch({
  executablePath: browser_path, headless: true,
  args: ['--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
});
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  page.setDefaultTimeout(120_000);
  // The page does not know that it is measured: whoever asks for an animation frame leaves a stamp in the trace when something was drawn.
  await page.addInitScript(() => {
    const plain = window.requestAnimationFrame.bind(window);
    window.requestAnimationFrame = (work) =>
      plain((time) => {
        const before = window.throngStats?.frames;
        work(time);
        if (window.throngStats?.frames !== before) console.timeStamp('throng drawn');
      });
  });
  if (!draws) {
    await page.addInitScript(() => {
      const gl = WebGL2RenderingContext.prototype;
      const { drawArrays, drawElements, drawArraysInstanced, drawElementsInstanced, getParameter } = gl;
      gl.drawArrays = function (mode, first, count) { drawArrays.call(this, mode, first, Math.min(3, count)); };
      gl.drawElements = function (mode, count, type, offset) { drawElements.call(this, mode, Math.min(3, count), type, offset); };
      gl.drawArraysInstanced = function (mode, first, count, instances) { drawArraysInstanced.call(this, mode, first, Math.min(3, count), Math.min(1, instances)); };
      gl.drawElementsInstanced = function (mode, count, type, offset, instances) { drawElementsInstanced.call(this, mode, Math.min(3, count), type, offset, Math.min(1, instances)); };
      // Or the page would draw less often, as it does for a renderer that runs on the processor.
      const kUnmaskedRenderer = 0x9246;
      gl.getParameter = function (name) { return name === kUnmaskedRenderer ? 'measured' : getParameter.call(this, name); };
    });
  }
  await page.goto(url);
  await page.waitForFunction((wanted) => window.throngStats?.people === wanted, people);
  await page.keyboard.press('Space');
  // Shaders and hot functions are compiled by then.
  await page.waitForFunction(() => window.throngStats.time > 5);
  const results = [await measure(page, browser, 'the whole scene')];
  await page.mouse.move(640, 400);
  for (let k = 0; k < 30; k++) {
    await page.mouse.wheel(0, -300);
    await page.waitForTimeout(60);
    if ((await page.evaluate(() => window.throngStats.figures)) > 300) break;
  }
  await page.waitForTimeout(2000);
  results.push(await measure(page, browser, 'in the crowd'));
  if (seeks > 0) await page.keyboard.press('Space');
  const scrubbed = seeks > 0 ? await scrub(page) : null;
  if (as_json) console.log(JSON.stringify({ page: results, ...(scrubbed ? { scrub: scrubbed } : {}) }));
  else {
    console.log(`${people} people of a live run in headless chromium, 1280 × 800, ${draws ? 'drawn by software' : 'nothing rasterised'}; thread time of the page's main thread in script`);
    for (const one of results) {
      const f = (value) => value.toFixed(2);
      const { script_ms: s, layout_ms: l } = one;
      console.log(`${one.view}: ${one.figures} figures, ${one.people - one.figures} marks; ${one.drawn} frames drawn, ${one.drawn_per_second.toFixed(1)} a second, ${one.messages_per_second.toFixed(1)} steps a second`);
      console.log(`  script a drawn frame with its messages: mean ${f(s.mean)} ms, median ${f(s.median)}, 95 % ${f(s.p95)}, 99 % ${f(s.p99)}, worst ${f(s.worst)}`);
      for (const [words, m] of [['frames with a message', one.with_message_ms], ['without', one.without_message_ms]]) console.log(`    ${words}: mean ${f(m.mean)} ms, 95 % ${f(m.p95)}, 99 % ${f(m.p99)}`);
      console.log(`    the longest: ${Object.entries(one.longest).sort((a, b) => b[1] - a[1]).map(([kind, ms]) => `${kind} ${f(ms)}`).join(', ')} ms`);
      console.log(`  style, layout and paint besides: mean ${f(l.mean)} ms; all script ${f(one.script_ms_per_second)} ms a second`);
    }
    if (scrubbed) {
      const { ms } = scrubbed;
      const f = (value) => value.toFixed(0);
      console.log(`${seeks} presses on the time bar of ${scrubbed.seconds} s of ${scrubbed.people} people (${f(scrubbed.file_mb)} MB, shown ${(scrubbed.open_ms / 1000).toFixed(1)} s after it was chosen): until it is drawn median ${f(ms.median)} ms, 95 % ${f(ms.p95)}, worst ${f(ms.worst)}; the first 20, beside the counting for charts: median ${f(scrubbed.first_ms.median)}, worst ${f(scrubbed.first_ms.worst)}`);
      console.log(`  memory: ${f(scrubbed.server_mb)} MB more in the program, heap of the page ${f(scrubbed.page_mb)} MB`);
    }
  }
} finally {
  await browser.close();
  server.removeAllListeners('exit');
  const ended = new Promise((done) => server.on('exit', done));
  server.kill('SIGTERM');
  await ended;
  rmSync(folder, { recursive: true, force: true });
}
