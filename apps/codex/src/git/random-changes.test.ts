import { type Stats, statSync } from 'node:fs';
import { join } from 'node:path';

import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';

import { expectClean } from '../../test/clean-repository.ts';
import { filesOnDisk, type GitNotebook, openGitNotebook, removeFolders } from '../../test/git-notebook.ts';

import { ancestorsOf, isBelow, type NotebookPath } from '../model/path.ts';

afterAll(removeFolders);

const names = fc.constantFrom('a', 'b', 'c', 'd/a', 'd/b', 'd/e/f', 'd/e/g', 'h/i', 'a/x', 'ö ü', 'q"uote');
const author = fc.constantFrom('Ada', 'Bob', 'Cy <cy@example.org>');
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('write'), path: names, text: fc.string(), author }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('remove'), path: names, author }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('remove'), path: fc.constantFrom('d', 'd/e', 'h', 'a'), author }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('rename'), path: names, to: names, author }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('rename'),
      path: fc.constantFrom('d', 'd/e', 'h'),
      to: fc.constantFrom('k', 'd2', 'h/j', 'k/l'),
      author,
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('flush') }) },
) as fc.Arbitrary<Step>;

interface Step {
  readonly do: string;
  readonly path?: string;
  readonly to?: string;
  readonly text?: string;
  readonly author?: string;
}

/** Applies a step if the file system allows it. */
async function take(notebook: GitNotebook, one: Step): Promise<void> {
  const { path = '', to = '', text = '' } = one;
  const change = { author: one.author ?? '' };
  const stat = (at: string): Stats | undefined => statSync(join(notebook.folder, at), { throwIfNoEntry: false });
  const isBelowFile = (at: string): boolean =>
    ancestorsOf(at as NotebookPath).some((above) => stat(above)?.isFile() === true);
  if (one.do === 'flush') await notebook.flush();
  else if (isBelowFile(path)) return;
  else if (one.do === 'write') {
    if (stat(path)?.isDirectory() !== true) await notebook.write(path, text, change);
  } else if (stat(path) === undefined) return;
  else if (one.do === 'remove') await notebook.remove(path, change);
  else if (!isBelowFile(to) && stat(to) === undefined && !isBelow(to, path)) await notebook.rename(path, to, change);
}

describe('any sequence of changes', () => {
  it(
    'leaves HEAD, index and working tree equal, and a repository that git finds sound',
    { timeout: 180_000 },
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
          const notebook = await openGitNotebook();
          try {
            await notebook.write('first', 'so that there is a commit');
            for (const one of steps) await take(notebook, one);
            await notebook.flush();
            expect(notebook.pendingCount()).toBe(0);
            expectClean(notebook);
            expect(Object.keys(filesOnDisk(notebook.folder))).toContain('first');
          } finally {
            await notebook.close();
          }
        }),
        { numRuns: 15 },
      );
    },
  );
});
