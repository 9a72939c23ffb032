/**
 * Runs tests in a copy of the sources: `mutation-tester FOLDER`. Reads a TestOrder per line, and prints the test files
 * that failed as a line of JSON; a run ends at the first failure. One process serves many orders, because starting Vitest takes longer than most tests.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { BaseSequencer, createVitest, type TestSpecification } from 'vitest/node';

export interface TestOrder {
  /** A file and the source that replaces it; undefined for a run without a change. */
  readonly change?: { readonly file: string; readonly source: string };
  readonly tests: readonly string[];
}

/** Keeps the order of the tests, because the first ones are the most likely to fail. */
class GivenOrder extends BaseSequencer {
  override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
    return specifications;
  }
}

const [folder = ''] = process.argv.slice(2);
const vitest = await createVitest('test', {
  root: folder,
  project: ['unit'],
  watch: false,
  bail: 1,
  testTimeout: 20_000,
  hookTimeout: 20_000,
  sequence: { sequencer: GivenOrder },
  // Without reporters, only our own lines are printed.
  reporters: [{}],
});
await vitest.standalone();

async function failedTests({ change, tests }: TestOrder): Promise<string[]> {
  const path = join(folder, change?.file ?? '');
  const original = change === undefined ? '' : readFileSync(path, 'utf8');
  if (change !== undefined) writeFileSync(path, change.source);
  vitest.invalidateFile(path);
  try {
    const specifications = await vitest.globTestSpecifications(tests.map((test) => join(folder, test)));
    const ordered = tests.flatMap((test) => specifications.filter(({ moduleId }) => moduleId === join(folder, test)));
    // Without this, the result would include earlier runs.
    vitest.state.filesMap.clear();
    const { testModules, unhandledErrors } = await vitest.runTestSpecifications(ordered);
    const failed = testModules.filter((module) => !module.ok()).map(({ relativeModuleId }) => relativeModuleId);
    return unhandledErrors.length > 0 && failed.length === 0 ? ['an unhandled error'] : failed;
  } finally {
    if (change !== undefined) writeFileSync(path, original);
    vitest.invalidateFile(path);
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const failed = await failedTests(JSON.parse(line) as TestOrder);
  process.stdout.write(`\nfailed ${JSON.stringify(failed)}\n`);
}
process.exit(0);
