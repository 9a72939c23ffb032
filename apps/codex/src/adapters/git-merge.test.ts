import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, expect, it } from 'vitest';

import { filesInCommit, gitIn, removeFolders, temporaryFolder } from '../../test/git-notebook.ts';
import { codexIdentity } from '../model/git.ts';
import { mergeCommits } from './git-merge.ts';
import { openRepository } from './git-repository.ts';
import { makeOwnFolder } from './notebook-folder.ts';

afterAll(removeFolders);

const TEXT = Array.from({ length: 20 }, (_, at) => `line ${at}\n`).join('');

type Change = (folder: string) => void;

/** Merges the changes of two branches that start with the files `a.md` and `b.md`. */
async function merged(ours: Change, theirs: Change): Promise<Record<string, string>> {
  const folder = temporaryFolder();
  makeOwnFolder(folder);
  const repository = await openRepository(folder);
  const commit = (change: Change): string => {
    change(folder);
    gitIn(folder, 'add', '-A');
    gitIn(folder, 'commit', '-qm', 'x');
    return gitIn(folder, 'rev-parse', 'HEAD').trim();
  };
  const base = commit(() => {
    for (const name of ['a.md', 'b.md']) writeFileSync(join(folder, name), `${name}\n${TEXT}`);
  });
  const one = commit(ours);
  gitIn(folder, 'checkout', '-q', base);
  const two = commit(theirs);
  const author = codexIdentity;
  const found = await mergeCommits(repository, { ours: one, theirs: two, author, message: 'm\n', now: 1_800_000_000 });
  return filesInCommit(folder, found);
}

const put =
  (path: string, text: string): Change =>
  (folder) =>
    writeFileSync(join(folder, path), text);
const move =
  (from: string, to: string, text: string): Change =>
  (folder) => {
    renameSync(join(folder, from), join(folder, to));
    writeFileSync(join(folder, to), text);
  };

it('a change follows a file that the other side has moved', async () => {
  const files = await merged(move('a.md', 'c.md', `a.md\n${TEXT}`), put('a.md', `changed\n${TEXT}`));
  expect(files).toEqual({ 'b.md': `b.md\n${TEXT}`, 'c.md': `changed\n${TEXT}` });
});

it.each([
  [
    'both move one file to different paths',
    move('a.md', 'c.md', `ours\n${TEXT}`),
    move('a.md', 'd.md', `theirs\n${TEXT}`),
  ],
  [
    'both move different files to one path',
    move('a.md', 'c.md', `ours\n${TEXT}`),
    move('b.md', 'c.md', `theirs\n${TEXT}`),
  ],
  [
    'one moves a file to a path at which the other creates one, and both change the moved file',
    (folder: string) => {
      move('a.md', 'c.md', `ours\n${TEXT}`)(folder);
    },
    (folder: string) => {
      put('a.md', `theirs\n${TEXT}`)(folder);
      put('c.md', 'new\n')(folder);
    },
  ],
  ['both change the same line', put('a.md', `ours\n${TEXT}`), put('a.md', `theirs\n${TEXT}`)],
])('if %s, both texts stay, without conflict markers', async (_what, ours, theirs) => {
  const texts = Object.values(await merged(ours, theirs));
  expect(texts.some((text) => text.startsWith('ours\n'))).toBe(true);
  expect(texts.some((text) => text.startsWith('theirs\n'))).toBe(true);
  expect(texts.join('')).not.toMatch(/^(?:<{7}|={7}|>{7})/m);
});
