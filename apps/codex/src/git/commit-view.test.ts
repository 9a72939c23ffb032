import { execFileSync } from 'node:child_process';

import { afterAll, expect, it } from 'vitest';

import { openGitNotebook, removeFolders, temporaryFolder } from '../../test/git-notebook.ts';
import { commitView } from './history.ts';

afterAll(removeFolders);

it('shows what a commit did to each file of the notebook, up to a bound', async () => {
  // The notebook is a folder of a larger repository, whose other files must not appear.
  const base = temporaryFolder();
  execFileSync('git', ['init', '-q', base]);
  const notebook = await openGitNotebook({ base, folder: `${base}/sub` });
  const body = Array.from({ length: 30 }, (_, line) => `line ${line}`).join('\n');
  await notebook.write('odd "name".md', body);
  await notebook.write('image.bin', new Uint8Array([0, 1, 2, 3]));
  const first = (await notebook.flush()) ?? '';
  await notebook.rename('odd "name".md', 'b ü.md');
  await notebook.write('b ü.md', `${body}\ndiff --git a/fake b/fake\n`);
  await notebook.write('long.txt', 'x'.repeat(99).concat('\n').repeat(3_000));
  await notebook.write('zzz.txt', 'y'.repeat(99).concat('\n').repeat(9_000));
  await notebook.write('zzzz.txt', 'after the bound');
  // Commits with git itself, because codex would commit the rename separately from the edit.
  notebook.git('add', '-A', '.');
  notebook.git('commit', '-q', '-m', 'by hand');
  const second = notebook.git('rev-parse', 'HEAD').trim();
  const repository = await notebook.lanes.repository(notebook.id);

  const made = await commitView(repository, first);
  expect(made).toMatchObject({ sha: first, parent: null, author: 'Ada', file_count: 2 });
  expect(made.event_ids).toHaveLength(2);
  expect(made.files).toMatchObject([
    { path: 'image.bin', change: 'added', is_binary: true, is_cut: false },
    { path: 'odd "name".md', change: 'added', is_binary: false, is_cut: false },
  ]);
  expect(made.files[1]?.diff).toContain('+line 29');

  const changed = await commitView(repository, second.slice(0, 12));
  const byPath = new Map(changed.files.map((file) => [file.path, file]));
  expect(byPath.get('b ü.md')).toMatchObject({ change: 'renamed', from: 'odd "name".md', is_cut: false });
  expect(byPath.get('b ü.md')?.diff).toContain('+diff --git a/fake b/fake');
  expect(byPath.get('long.txt')).toMatchObject({ is_cut: true });
  expect(byPath.get('long.txt')?.diff?.length).toBe(128 * 1_024);
  expect(byPath.get('zzz.txt')).toMatchObject({ is_cut: true });
  expect(byPath.get('zzzz.txt')).toMatchObject({ diff: null, is_cut: true });
  expect(changed.parent).toBe(first);
  await expect(commitView(repository, 'ffffffff')).rejects.toThrow('no commit');
  await notebook.close();
});
