import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A bug that our tests must catch. It is planted in a copy of the sources, and the named tests must fail there. Each
 * package and application lists its own in `test/planted-bugs.json`.
 */
export interface PlantedBug {
  readonly name: string;
  readonly file: string;
  /** Text that occurs exactly once in the file. */
  readonly original: string;
  readonly planted: string;
  /** The tests that must fail: `lane` is the test configuration, `caughtBy` the file. */
  readonly lane: 'unit' | 'crash';
  readonly caughtBy: string;
}

/**
 * These bugs are planted in every test run. `HOLDFAST_PLANTED=all npm test -- planted` plants all others too, which
 * takes a quarter of an hour.
 */
export const storeBugs = bugsOf('packages/base', 'packages/keyspace', 'packages/sqlite');
export const otherBugs = [
  ...bugsOf('packages/accounts', 'packages/git', 'packages/http', 'packages/postgres'),
  ...bugsOf('apps/audiobooks', 'apps/codex', 'apps/hub', 'apps/np', 'apps/ringmaster', 'apps/utask'),
];

function bugsOf(...folders: readonly string[]): readonly PlantedBug[] {
  return folders.flatMap((folder) => {
    const path = join(import.meta.dirname, '../..', folder, 'test/planted-bugs.json');
    return JSON.parse(readFileSync(path, 'utf8')) as readonly PlantedBug[];
  });
}
