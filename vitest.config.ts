import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';

const common = {
  resolve: {
    conditions: ['holdfast-source'],
    alias: [{ find: /^fast-check$/, replacement: resolve(import.meta.dirname, 'scripts/runner/seeded-fast-check.ts') }],
  },
  ssr: { resolve: { conditions: ['holdfast-source'] } },
};

// Node parses the certificates of NODE_EXTRA_CA_CERTS at every start, which can take longer than the start itself. Only
// npm needs them (package.e2e.test.ts).
const { NODE_EXTRA_CA_CERTS } = process.env;
if (NODE_EXTRA_CA_CERTS !== undefined) {
  process.env['HOLDFAST_NPM_CA_CERTS'] = NODE_EXTRA_CA_CERTS;
  delete process.env['NODE_EXTRA_CA_CERTS'];
}

/** Tests often wait for the disk or a process, so two cores are busy only with three test files at a time. */
const maxWorkers = 3;

/** A busy machine needs longer than the default of one second. */
const patient = { poll: { timeout: 15_000 } };

/**
 * Four projects. `unit` runs fast tests in one process (unit, property, conformance, model). `postgres` runs the
 * service tests of the applications again, on PostgreSQL. `crash` kills processes and injects faults. `e2e` runs the
 * built commands.
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
          // The slowest test takes half a minute on a quiet machine, and a busy one is four times slower.
          testTimeout: 120_000,
          hookTimeout: 120_000,
          // Two hundred files load the same modules: loading them once per process halves the time.
          isolate: false,
          maxWorkers,
        },
      },
      {
        ...common,
        test: {
          name: 'postgres',
          include: [
            'packages/accounts/src/service/*.test.ts',
            'apps/np/src/service/*.test.ts',
            // The other tests of audiobooks use the store in the same way, and would take minutes.
            'apps/audiobooks/src/service/{listening,changes,transfer}/*.test.ts',
          ],
          exclude: ['**/*.property.test.ts', '**/*.crash.test.ts'],
          env: { HOLDFAST_TEST_ENGINE: 'postgres' },
          expect: patient,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          isolate: false,
          maxWorkers,
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
          maxWorkers,
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
          // Browsers need a core each.
          maxWorkers: 2,
        },
      },
    ],
  },
});
