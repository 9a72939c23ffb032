import { rmSync } from 'node:fs';

import { describe, expect, it, onTestFinished } from 'vitest';

import { otherBugs, storeBugs } from './bugs.ts';
import { copyFolder, plant, runTests } from './plant.ts';

const bugs = process.env['HOLDFAST_PLANTED'] === 'all' ? [...storeBugs, ...otherBugs] : storeBugs;

describe('the tests notice', () => {
  it.each(bugs)('when $name', async (bug) => {
    const folder = copyFolder(bug.name);
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    plant(bug, folder);
    const { passed, output } = await runTests(folder, bug.lane, bug.caughtBy);
    expect(output).toMatch(/Tests .*failed|FAIL/);
    // A copy that cannot be loaded fails without the bug too.
    expect(output).not.toMatch(/Cannot find (?:module|package)|Failed to (?:resolve|load)|No test files found/);
    expect(passed).toBe(false);
  });

  it('and find nothing in a copy without a bug, so that it is the bug they notice', async () => {
    const folder = copyFolder('no bug');
    plant(undefined, folder);
    const { passed, output } = await runTests(folder, 'unit', 'packages/keyspace/src/indexes.test.ts');
    rmSync(folder, { recursive: true, force: true });
    expect(output).toMatch(/Tests .*passed/);
    expect(passed).toBe(true);
  });
});
