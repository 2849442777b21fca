// SPDX-License-Identifier: MIT
// npm run e2e -- PROGRAM [words of test names] [--acts N] [--seed N]: drives the built page in Debian's chromium against the built program.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { startVitest } from 'vitest/node';

const words = process.argv.slice(2);
/** Takes `--name NUMBER` out of the words. */
function option(name) {
  const at = words.indexOf(`--${name}`);
  if (at >= 0) process.env[`THRONG_E2E_${name.toUpperCase()}`] = words.splice(at, 2)[1];
}
option('acts');
option('seed');
const [program, ...names] = words;
if (!program || !existsSync(program)) {
  console.error('usage: npm run e2e -- PROGRAM [words of test names] [--acts N] [--seed N]   (PROGRAM: the built throng; N random acts, 40 unless told)');
  process.exit(2);
}
process.env.THRONG_PROGRAM = resolve(program);
const vitest = await startVitest('test', [], { run: true, watch: false, config: 'tests/e2e/vitest.config.ts', ...(names.length ? { testNamePattern: names.join(' ') } : {}) });
const tests = vitest.state.getFiles().flatMap(function all(task) {
  return task.type === 'test' ? [task] : (task.tasks ?? []).flatMap(all);
});
const broken = vitest.state.getFiles().filter((file) => file.result?.state === 'fail' && !file.tasks.length).length + vitest.state.getUnhandledErrors().length;
const count = (state) => tests.filter((test) => (test.result?.state ?? test.mode) === state).length;
const failed = count('fail') + broken;
await vitest.close();
console.log(`${count('pass')} passed, ${failed} failed, ${tests.length - count('pass') - count('fail')} skipped`);
process.exit(failed > 0 || count('pass') === 0 ? 1 : 0);
