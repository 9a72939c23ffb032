import { afterAll, afterEach, describe, expect, it } from 'vitest';

import { expectClean } from '../../test/clean-repository.ts';
import { gitIn, type GitNotebook, openGitNotebook, removeFolders, temporaryFolder } from '../../test/git-notebook.ts';
import { fileDiff, fileHistory, fileVersion, notebookHistory } from './history.ts';
import type { NotebookRepository } from './notebook-repository.ts';

const opened: GitNotebook[] = [];
afterEach(async () => {
  for (const notebook of opened.splice(0)) await notebook.close();
});
afterAll(removeFolders);

const LONG = Array.from({ length: 30 }, (_, line) => `line ${line}`).join('\n');

/**
 * Creates a notebook with two files: the first is written, moved and changed; the second is then created at the first
 * one's old path.
 */
async function told(
  folder?: string,
  base?: string,
): Promise<{ repository: NotebookRepository; shas: string[]; notebook: GitNotebook }> {
  const notebook = await openGitNotebook({
    ...(folder === undefined ? {} : { folder }),
    ...(base === undefined ? {} : { base }),
  });
  opened.push(notebook);
  const shas: string[] = [];
  const commit = async (): Promise<void> => void shas.push((await notebook.flush()) ?? '');
  await notebook.write('old name.md', LONG);
  await notebook.write('other.md', 'beside');
  await commit();
  await notebook.rename('old name.md', 'dir/new.md', { author: 'Bob' });
  await commit();
  await notebook.write('dir/new.md', `${LONG}\nmore`, { author: 'Cy' });
  await notebook.write('old name.md', 'another file', { author: 'Cy' });
  await commit();
  await notebook.remove('dir/new.md');
  await commit();
  return { repository: await notebook.lanes.repository(notebook.id), shas, notebook };
}

describe('the history of a file', () => {
  it('follows it through renames, with the events and the name it had', async () => {
    const { repository, shas } = await told();
    const history = await fileHistory(repository, 'dir/new.md', { limit: 10 });
    expect(history.map(({ sha }) => sha)).toEqual(shas.toReversed());
    expect(history.map(({ changes }) => changes[0])).toEqual([
      { path: 'dir/new.md', change: 'deleted', from: null },
      { path: 'dir/new.md', change: 'modified', from: null },
      { path: 'dir/new.md', change: 'renamed', from: 'old name.md' },
      { path: 'old name.md', change: 'added', from: null },
    ]);
    expect(history.map(({ author }) => author)).toEqual(['Ada', 'Cy', 'Bob', 'Ada']);
    expect(history.every(({ event_ids: ids }) => ids.length > 0)).toBe(true);
    const rest = await fileHistory(repository, 'dir/new.md', { limit: 1, before: shas[2] });
    expect(rest.map(({ sha }) => sha)).toEqual([shas[1]]);
  });

  it('follows it through a rename that waited together with edits, a new file at its old name, and a taken name', async () => {
    const notebook = await openGitNotebook();
    opened.push(notebook);
    for (const name of ['a', 'b', 'c', 'dir/d']) await notebook.write(`${name}.md`, `the first words of ${name}`);
    const first = await notebook.flush();
    await notebook.write('a.md', 'quite different');
    await notebook.rename('a.md', 'a2.md');
    await notebook.rename('b.md', 'b2.md');
    await notebook.write('b2.md', 'something else');
    await notebook.remove('c.md');
    await notebook.rename('dir', 'dir2');
    await notebook.rename('dir2/d.md', 'c.md');
    await notebook.write('dir2/d.md', 'new here');
    await notebook.write('fresh.md', 'f');
    await notebook.rename('fresh.md', 'renamed before its first commit.md');
    await notebook.flush();
    expectClean(notebook);
    const repository = await notebook.lanes.repository(notebook.id);
    const names = { 'a2.md': 'a.md', 'b2.md': 'b.md', 'c.md': 'dir/d.md' };
    for (const [name, before] of Object.entries(names)) {
      const history = await fileHistory(repository, name, { limit: 10 });
      expect(history.at(-1)).toMatchObject({ sha: first, changes: [{ path: before, change: 'added' }] });
      const version = await fileVersion(repository, name, first!);
      expect(Buffer.from(version.content).toString()).toBe(`the first words of ${before.slice(0, -3)}`);
    }
    const [newest] = await fileHistory(repository, 'dir2/d.md', { limit: 1 });
    expect(newest?.changes).toEqual([{ path: 'dir2/d.md', change: 'added', from: null }]);
  });

  it('gives its content at any commit, under the name it had then and not that of another file', async () => {
    const { repository, shas } = await told();
    expect(await fileVersion(repository, 'dir/new.md', shas[2]!)).toMatchObject({ path: 'dir/new.md' });
    const first = await fileVersion(repository, 'dir/new.md', shas[0]!);
    expect([first.path, Buffer.from(first.content).toString()]).toEqual(['old name.md', LONG]);
    const another = await fileVersion(repository, 'old name.md', 'HEAD');
    expect(Buffer.from(another.content).toString()).toBe('another file');
    await expect(fileVersion(repository, 'dir/new.md', 'HEAD')).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' });
    for (const name of ['--help', 'main', 'HEAD:other.md', 'ffffffff', '']) {
      await expect(fileVersion(repository, 'other.md', name)).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' });
    }
  });

  it('shows what a commit changed, and the difference of two', async () => {
    const { repository, shas } = await told();
    expect(await fileDiff(repository, 'dir/new.md', shas[2]!)).toMatch(/^\+more$/m);
    expect(await fileDiff(repository, 'dir/new.md', shas[1]!)).toMatch(
      /^rename from old name\.md\nrename to dir\/new\.md$/m,
    );
    expect(await fileDiff(repository, 'dir/new.md', shas[2]!, shas[0])).toMatch(
      /^diff --git a\/old name\.md b\/dir\/new\.md$[^]*^\+more$/m,
    );
    expect(await fileDiff(repository, 'other.md', shas[0]!)).toMatch(/^new file mode[^]*^\+beside$/m);
  });

  it('is about the notebook only, also when that lies in a larger repository', async () => {
    const base = temporaryFolder();
    gitIn(base, 'init', '-q');
    gitIn(base, 'commit', '-q', '--allow-empty', '-m', 'outside');
    const { repository, shas } = await told(`${base}/in/here`, base);
    const all = await notebookHistory(repository, { limit: 10 });
    expect(all.map(({ sha }) => sha)).toEqual(shas.toReversed());
    expect(all.at(-1)?.changes.map(({ path }) => path)).toEqual(['old name.md', 'other.md']);
    expect(await fileVersion(repository, 'other.md', shas[0]!)).toMatchObject({ path: 'other.md' });
  });

  it('is empty before the first commit', async () => {
    const notebook = await openGitNotebook();
    opened.push(notebook);
    const repository = await notebook.lanes.repository(notebook.id);
    expect(await notebookHistory(repository, { limit: 5 })).toEqual([]);
    expect(await fileHistory(repository, 'a.md', { limit: 5 })).toEqual([]);
  });
});
