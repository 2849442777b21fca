// SPDX-License-Identifier: MIT
import { defineConfig } from 'vitest/config';

// One browser, one after the other: the machine has two cores and draws with them too. What waits for frames may lose them to
// whatever else the machine does, so a test has three tries; a real mistake fails them all.
export default defineConfig({
  test: { include: ['tests/e2e/**/*.e2e.ts'], environment: 'node', fileParallelism: false, testTimeout: 300_000, hookTimeout: 120_000, retry: 2, pool: 'forks' },
});
