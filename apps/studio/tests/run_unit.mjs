// SPDX-License-Identifier: MIT
// Unit tests; ends with a line that counts them, like every suite of ./throng test.
import { startVitest } from 'vitest/node';

const vitest = await startVitest('test', process.argv.slice(2), { run: true, watch: false });
const tests = vitest.state.getFiles().flatMap(function all(task) {
  return task.type === 'test' ? [task] : (task.tasks ?? []).flatMap(all);
});
const broken = vitest.state.getFiles().filter((file) => file.result?.state === 'fail' && file.tasks.length === 0).length + vitest.state.getUnhandledErrors().length;
const count = (state) => tests.filter((test) => (test.result?.state ?? test.mode) === state).length;
const failed = count('fail') + broken;
await vitest.close();
console.log(`${count('pass')} passed, ${failed} failed, ${tests.length - count('pass') - count('fail')} skipped`);
process.exit(failed > 0 || tests.length === 0 ? 1 : 0);
