import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, afterEach, describe, expect, it } from 'vitest';

import { expectClean } from '../../test/clean-repository.ts';
import { filesInCommit, type GitNotebook, openGitNotebook, removeFolders } from '../../test/git-notebook.ts';

const opened: GitNotebook[] = [];
afterEach(async () => {
  for (const notebook of opened.splice(0)) await notebook.close();
});
afterAll(removeFolders);

/** A notebook with `a.md` in its branch, and `mine.txt` staged by the user. */
async function started(): Promise<GitNotebook> {
  const notebook = await openGitNotebook({ settings: { git_quiet_interval: 0.05 } });
  opened.push(notebook);
  await notebook.write('a.md', 'first');
  await notebook.write('b.md', 'beside');
  await notebook.flush();
  writeFileSync(join(notebook.folder, 'mine.txt'), 'mine');
  notebook.git('add', 'mine.txt');
  return notebook;
}

/**
 * Starts `git commit` as the user and stops it after it has read the index, before it locks the index: git asks its file
 * system monitor at this moment. It continues when the branch has moved and the index is unlocked: it writes back the
 * index that it has read, and fails because the branch has moved.
 */
async function commitStopped(notebook: GitNotebook): Promise<{ readonly ended: Promise<unknown> }> {
  const base = join(notebook.folder, '..');
  const monitor = join(base, 'monitor.sh');
  const script = `#!/bin/sh
    before=${notebook.git('rev-parse', 'HEAD').trim()}
    touch '${join(base, 'stopped')}'
    while [ "$(git rev-parse HEAD)" = $before ] || [ -e .git/index.lock ]; do sleep 0.002; done
    exit 1`;
  writeFileSync(monitor, script, { mode: 0o755 });
  const identity = ['-c', 'user.name=Uma', '-c', 'user.email=u@e'];
  const git = spawn('git', [...identity, '-c', `core.fsmonitor=${monitor}`, 'commit', '-q', '-m', 'mine'], {
    cwd: notebook.folder,
    env: { ...process.env, GIT_TEST_PRELOAD_INDEX: '1' },
    stdio: 'ignore',
  });
  const ended = once(git, 'close');
  await expect.poll(() => existsSync(join(base, 'stopped')), { timeout: 20_000, interval: 5 }).toBe(true);
  return { ended };
}

const staged = ({ git }: GitNotebook): string[] => git('diff', '--cached', '--name-only').trim().split('\n');

const changedBy = ({ git }: GitNotebook, commit: string): string[] =>
  git('diff-tree', '-r', '--no-commit-id', '--name-only', commit).trim().split('\n');

describe('an index that a git command of the user has read before our commit and writes after it', () => {
  it('does not undo our commits, although the next one is being made', async () => {
    const notebook = await started();
    const { ended } = await commitStopped(notebook);
    // Two writers of one file: two commits, without a pause between them.
    await notebook.write('a.md', 'second', { author: 'Ada <ada@example.org>' });
    await notebook.write('a.md', 'third', { author: 'Bob <bob@example.org>' });
    await notebook.flush();
    expect(await ended).toEqual([128, null]);
    await expect.poll(() => staged(notebook)).toEqual(['mine.txt']);
    notebook.git('commit', '-q', '-m', 'mine');
    expect(changedBy(notebook, 'HEAD')).toEqual(['mine.txt']);
    expect(filesInCommit(notebook.folder)['a.md']).toBe('third');
    expectClean(notebook);
  });

  it('is corrected while the commit is still being recorded', async () => {
    const notebook = await started();
    const { ended } = await commitStopped(notebook);
    await notebook.write('a.md', 'second');
    const slow = new DatabaseSync(notebook.database);
    slow.exec('BEGIN IMMEDIATE');
    const flushed = notebook.flush();
    try {
      await ended;
      await expect.poll(() => staged(notebook), { timeout: 5_000 }).toEqual(['mine.txt']);
      expect(notebook.pendingCount()).toBe(1);
    } finally {
      slow.close();
    }
    await flushed;
  });

  it('does not lose what the user stages meanwhile', async () => {
    const notebook = await started();
    const { ended } = await commitStopped(notebook);
    await notebook.write('a.md', 'second');
    await notebook.flush();
    await ended;
    writeFileSync(join(notebook.folder, 'a.md'), 'by hand');
    notebook.git('add', 'a.md');
    await notebook.write('b.md', 'changed');
    await notebook.flush();
    expect(staged(notebook)).toEqual(['a.md', 'mine.txt']);
    expect(notebook.git('show', ':a.md')).toBe('by hand');
  });
});

describe('a commit of the user that undoes ours', () => {
  it('is followed by one that restores our content, without anybody asking', async () => {
    const notebook = await started();
    await notebook.write('a.md', 'second');
    await notebook.flush();
    // Does what `git commit` does when it reads a reverted index just before the guard restores it.
    const old = notebook.git('rev-parse', 'HEAD~1^{tree}').trim();
    const undo = notebook.git('commit-tree', '-p', 'HEAD', '-m', 'mine', old).trim();
    notebook.git('update-ref', 'refs/heads/main', undo);
    expect(filesInCommit(notebook.folder)['a.md']).toBe('first');
    await expect.poll(() => filesInCommit(notebook.folder)['a.md'], { timeout: 20_000 }).toBe('second');
    expect(notebook.git('rev-parse', 'HEAD~1').trim()).toBe(undo);
    expect(staged(notebook)).toEqual(['mine.txt']);
  });

  it('leaves our commits to the user who takes them back with git reset --soft', async () => {
    const notebook = await started();
    await notebook.write('a.md', 'second');
    await notebook.flush();
    notebook.git('reset', '-q', '--soft', 'HEAD~1');
    await notebook.flush();
    expect(staged(notebook)).toEqual(['a.md', 'mine.txt']);
    expect(filesInCommit(notebook.folder)['a.md']).toBe('first');
  });
});
