import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';

const common = {
  resolve: {
    conditions: ['holdfast-source'],
    alias: [{ find: /^fast-check$/, replacement: resolve(import.meta.dirname, 'scripts/runner/seeded-fast-check.ts') }],
  },
  ssr: { resolve: { conditions: ['holdfast-source'] } },
};

/** What is waited for comes late on a busy machine. */
const patient = { poll: { timeout: 15_000 } };

/**
 * Three lanes. `unit` is everything fast that runs in one process (unit, property, conformance, model). `crash` kills
 * processes and injects faults. `e2e` runs the built commands as a person would.
 */
export default defineConfig({
  test: {
    projects: [
      {
        ...common,
        test: {
          name: 'unit',
          include: ['packages/**/*.test.ts', 'apps/**/*.test.ts', 'scripts/**/*.test.ts', 'bench/**/*.test.ts'],
          exclude: ['**/node_modules/**', '**/*.crash.test.ts', '**/*.e2e.test.ts'],
          expect: patient,
          testTimeout: 300_000,
          hookTimeout: 300_000,
          // Two hundred files each load the same modules: once per process is enough, and halves the time.
          isolate: false,
          maxWorkers: 2,
        },
      },
      {
        ...common,
        test: {
          name: 'crash',
          include: ['packages/**/*.crash.test.ts', 'apps/**/*.crash.test.ts', 'scripts/**/*.crash.test.ts'],
          expect: patient,
          testTimeout: 300_000,
          hookTimeout: 300_000,
          // Each test starts processes of its own; two files at once are enough for two cores.
          maxWorkers: 2,
        },
      },
      {
        ...common,
        test: {
          name: 'e2e',
          include: ['packages/**/*.e2e.test.ts', 'apps/**/*.e2e.test.ts'],
          expect: patient,
          testTimeout: 300_000,
          hookTimeout: 300_000,
          maxWorkers: 2,
        },
      },
    ],
  },
});
