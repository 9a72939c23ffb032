import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, expect, it } from 'vitest';

import { gitIn, openGitNotebook, removeFolders } from '../../test/git-notebook.ts';
import { untrackedFiles } from '../store/git.ts';

afterAll(removeFolders);

function makeNested(folder: string): void {
  mkdirSync(folder, { recursive: true });
  gitIn(folder, 'init', '-q', '-b', 'main');
  writeFileSync(join(folder, 'inner.md'), 'inner');
  gitIn(folder, 'add', '.');
  gitIn(folder, 'commit', '-qm', 'inner');
}

it('files of a repository inside the notebook stay out of the history, and stop no other file', async () => {
  const notebook = await openGitNotebook();
  makeNested(join(notebook.folder, 'deep/nested'));
  await notebook.write('deep/nested/inner.md', 'changed');
  await notebook.write('a.md', 'a');
  await notebook.flush();
  expect(notebook.git('ls-tree', '-r', '--name-only', 'HEAD').trim()).toBe('a.md');
  expect(untrackedFiles(notebook.store.reader, 1, 10)).toEqual([
    { path: 'deep/nested/inner.md', reason: 'in another git repository inside the notebook: commit it there' },
  ]);
  await notebook.close();
});

it.each(['stays', 'is removed'])('a submodule stops no commit when its folder %s', async (what) => {
  const notebook = await openGitNotebook();
  await notebook.write('a.md', 'a');
  await notebook.flush();
  makeNested(join(notebook.folder, 'sub'));
  notebook.git('add', 'sub');
  notebook.git('commit', '-qm', 'submodule');
  if (what === 'is removed') rmSync(join(notebook.folder, 'sub'), { recursive: true });
  await notebook.write('sub/new.md', 'new');
  await notebook.write('b.md', 'b');
  await notebook.flush();
  expect(notebook.git('ls-tree', '-r', '--name-only', 'HEAD').trim().split('\n')).toEqual(['a.md', 'b.md', 'sub']);
  expect(notebook.pendingCount()).toBe(0);
  await notebook.close();
});
