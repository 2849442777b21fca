// SPDX-License-Identifier: MIT
import { defineConfig } from 'vitest/config';

// One browser, one after the other: the machine has two cores and draws with them too.
export default defineConfig({
  test: { include: ['tests/e2e/**/*.e2e.ts'], environment: 'node', fileParallelism: false, testTimeout: 120_000, hookTimeout: 60_000, pool: 'forks' },
});
