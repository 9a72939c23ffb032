import { rmSync } from 'node:fs';

import { describe, expect, it, onTestFinished } from 'vitest';

import audiobookBugs from '../../apps/audiobooks/test/planted-bugs.json' with { type: 'json' };
import codexBugs from '../../apps/codex/test/planted-bugs.json' with { type: 'json' };
import accountsBugs from '../../packages/accounts/test/planted-bugs.json' with { type: 'json' };
import httpBugs from '../../packages/http/test/planted-bugs.json' with { type: 'json' };
import { type PlantedBug, plantedBugs } from './bugs.ts';
import { copyFolder, plant, runTests } from './plant.ts';

/** Bugs of an application have its name as prefix. */
const isOfStore = ({ name }: PlantedBug): boolean => !name.includes(': ');

/** All bugs take a quarter of an hour; `HOLDFAST_PLANTED=all npm test -- planted` includes these. */
const others: readonly PlantedBug[] = [
  ...plantedBugs.filter((bug) => !isOfStore(bug)),
  ...([...httpBugs, ...accountsBugs, ...codexBugs, ...audiobookBugs] as readonly PlantedBug[]),
];
const store = plantedBugs.filter(isOfStore);
const bugs = process.env['HOLDFAST_PLANTED'] === 'all' ? [...store, ...others] : store;

describe('the tests notice', () => {
  it.each(bugs)('when $name', async (bug) => {
    const folder = copyFolder(bug.name);
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    plant(bug, folder);
    const { passed, output } = await runTests(folder, bug.lane, bug.caughtBy);
    expect(output).toMatch(/Tests .*failed|FAIL/);
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
