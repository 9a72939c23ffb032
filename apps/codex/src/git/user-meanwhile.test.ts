import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, afterEach, describe, expect, it } from 'vitest';

import { expectClean, expectSound } from '../../test/clean-repository.ts';
import {
  filesInCommit,
  gitIn,
  type GitNotebook,
  type GitNotebookOptions,
  openGitNotebook,
  removeFolders,
  temporaryFolder,
} from '../../test/git-notebook.ts';

const opened: GitNotebook[] = [];
const open = async (options?: GitNotebookOptions): Promise<GitNotebook> => {
  const notebook = await openGitNotebook(options);
  opened.push(notebook);
  return notebook;
};
afterEach(async () => {
  for (const notebook of opened.splice(0)) await notebook.close();
});
afterAll(removeFolders);

async function started(options?: GitNotebookOptions): Promise<GitNotebook> {
  const notebook = await open(options);
  await notebook.write('a.md', 'first');
  await notebook.write('users.md', 'as it was');
  await notebook.flush();
  return notebook;
}

describe('what the user has staged', () => {
  it('stays staged and is not committed for them', async () => {
    const notebook = await started();
    writeFileSync(join(notebook.folder, 'users.md'), 'staged by the user');
    writeFileSync(join(notebook.folder, 'fresh.md'), 'new and staged');
    notebook.git('add', 'users.md', 'fresh.md');
    // Simulates the watcher, which has found the same edits.
    await notebook.stage('users.md', 'staged by the user', { external: true });
    await notebook.stage('fresh.md', 'new and staged', { external: true });
    await notebook.write('a.md', 'second');
    await notebook.flush();
    expect(filesInCommit(notebook.folder)).toEqual({ 'a.md': 'second', 'users.md': 'as it was' });
    expect(notebook.git('diff', '--cached', '--name-only').trim().split('\n')).toEqual(['fresh.md', 'users.md']);
    const status = await notebook.lanes.status(notebook.id);
    expect(status).toMatchObject({ pending: 2, held: ['users.md', 'fresh.md'] });

    notebook.git('commit', '-q', '-m', 'mine');
    const tip = notebook.git('rev-parse', 'HEAD').trim();
    expect(await notebook.flush()).toBe(tip);
    expect(notebook.pendingCount()).toBe(0);
    expectClean(notebook);
  });

  it('is committed by codex after all when the user takes it back from the index', async () => {
    const notebook = await started();
    writeFileSync(join(notebook.folder, 'users.md'), 'changed');
    notebook.git('add', 'users.md');
    await notebook.stage('users.md', 'changed', { external: true });
    await notebook.flush();
    expect(filesInCommit(notebook.folder)['users.md']).toBe('as it was');
    notebook.git('reset', '-q', '--', 'users.md');
    await notebook.flush();
    expectClean(notebook);
    expect(notebook.git('log', '-1', '--format=%an').trim()).not.toBe('Ada');
  });

  it('keeps its content when codex commits a later write of the same path, and so does an edit beyond it', async () => {
    const notebook = await started();
    writeFileSync(join(notebook.folder, 'users.md'), 'half of it, staged');
    writeFileSync(join(notebook.folder, 'fresh.md'), 'beside, staged');
    notebook.git('add', 'users.md', 'fresh.md');
    await notebook.write('users.md', 'all of it, not staged', { external: true });
    await notebook.stage('fresh.md', 'beside, staged', { external: true });
    await notebook.flush();
    expect(await notebook.lanes.status(notebook.id)).toMatchObject({ held: ['users.md', 'fresh.md'] });
    await notebook.write('users.md', 'written through the API');
    await notebook.flush();
    const versions = notebook.git('log', '--format=%H', '--', 'users.md').trim().split('\n');
    expect(versions.map((commit) => notebook.git('show', `${commit}:users.md`))).toEqual([
      'written through the API',
      'all of it, not staged',
      'as it was',
    ]);
    expect(notebook.git('show', ':users.md')).toBe('half of it, staged');
    expect(await notebook.lanes.status(notebook.id)).toMatchObject({ pending: 1, held: ['fresh.md'] });

    // The user commits a version that is older than the one in the folder.
    notebook.git('commit', '-q', '-m', 'mine');
    expect(filesInCommit(notebook.folder)['users.md']).toBe('half of it, staged');
    await notebook.flush();
    expect(filesInCommit(notebook.folder)['users.md']).toBe('written through the API');
    expectClean(notebook);
  });

  it('is deleted again when the user commits it after it was deleted', async () => {
    const notebook = await started({ settings: { git_quiet_interval: 0.05 } });
    writeFileSync(join(notebook.folder, 'users.md'), 'staged');
    notebook.git('add', 'users.md');
    await notebook.remove('users.md');
    await notebook.flush();
    notebook.git('commit', '-q', '-m', 'mine');
    expect(filesInCommit(notebook.folder)['users.md']).toBe('staged');
    // Reading the status makes codex check whether the branch has moved.
    const isDeleted = async (): Promise<boolean> => {
      await notebook.lanes.status(notebook.id);
      return filesInCommit(notebook.folder)['users.md'] === undefined;
    };
    await expect.poll(isDeleted, { timeout: 20_000 }).toBe(true);
    expect(filesInCommit(notebook.folder)).toEqual({ 'a.md': 'first' });
    expectClean(notebook);
  });

  it('is not undone when it stands in the way of a folder', async () => {
    const notebook = await started();
    writeFileSync(join(notebook.folder, 'place'), 'a file, staged');
    notebook.git('add', 'place');
    rmSync(join(notebook.folder, 'place'));
    await notebook.write('place/in-it.md', 'now a folder');
    await notebook.flush();
    expect(filesInCommit(notebook.folder)['place/in-it.md']).toBe('now a folder');
    expect(notebook.git('show', ':place')).toBe('a file, staged');
    expectSound(notebook.folder);
  });
});

describe('commits and branches of the user', () => {
  it('are built on, never rewritten', async () => {
    const notebook = await started();
    writeFileSync(join(notebook.folder, 'own.md'), 'by hand');
    notebook.git('add', 'own.md');
    notebook.git('commit', '-q', '-m', 'mine');
    const mine = notebook.git('rev-parse', 'HEAD').trim();
    await notebook.write('a.md', 'after');
    await notebook.flush();
    expect(notebook.git('rev-parse', 'HEAD~1').trim()).toBe(mine);
    expectClean(notebook);
  });

  it('win over an older change that waits for the same path', async () => {
    const notebook = await started();
    const event = await notebook.write('a.md', 'by the API');
    writeFileSync(join(notebook.folder, 'a.md'), 'later, by hand');
    notebook.git('commit', '-q', '-a', '-m', 'mine');
    const mine = notebook.git('rev-parse', 'HEAD').trim();
    expect(await notebook.flush()).toBe(mine);
    expect(notebook.commitOf(event)).toBe(mine);
    expectClean(notebook);
  });

  it('do not take a finished write out of the history when the user puts the old state back', async () => {
    const notebook = await started();
    writeFileSync(join(notebook.folder, 'own.md'), 'by hand');
    notebook.git('add', 'own.md');
    notebook.git('commit', '-q', '-m', 'mine');
    const event = await notebook.write('a.md', 'by the API');
    // Restores the committed state, as `git stash` does.
    notebook.git('reset', '-q', '--hard');
    await notebook.stage('a.md', 'first', { external: true });
    await notebook.flush();
    const sha = notebook.commitOf(event) ?? '';
    expect(notebook.git('show', '--format=%an', `${sha}:a.md`)).toBe('by the API');
    expect(notebook.git('log', '-1', '--format=%an', sha).trim()).toBe('Ada');
    expectClean(notebook);

    // Repeats this with a file that the user committed, after a flush that made no commit of its own.
    await notebook.write('a.md', 'mine', { external: true });
    notebook.git('commit', '-q', '-a', '-m', 'mine too');
    await notebook.flush();
    const again = await notebook.write('a.md', 'by the API again');
    notebook.git('checkout', '-q', 'a.md');
    await notebook.flush();
    expect(notebook.git('show', `${notebook.commitOf(again)}:a.md`)).toBe('by the API again');
  });

  it('get the changes that wait when the user switches to another branch', async () => {
    const notebook = await started();
    await notebook.write('a.md', 'carried over');
    notebook.git('checkout', '-q', '-b', 'topic');
    await notebook.flush();
    expect(filesInCommit(notebook.folder, 'topic')['a.md']).toBe('carried over');
    expect(filesInCommit(notebook.folder, 'main')['a.md']).toBe('first');
    expectClean(notebook);
  });

  it('do not get renames that the checkout has undone', async () => {
    const notebook = await started();
    notebook.git('branch', 'other');
    await notebook.rename('a.md', 'b.md');
    await notebook.flush();
    await notebook.rename('b.md', 'c.md');
    notebook.git('checkout', '-q', '-f', 'other');
    rmSync(join(notebook.folder, 'c.md'));
    await notebook.flush();
    expect(filesInCommit(notebook.folder)).toEqual({ 'a.md': 'first', 'users.md': 'as it was' });
    expectClean(notebook);
  });

  it('are raced without losing or undoing anything of either side', async () => {
    const notebook = await started();
    // Runs git add and git commit in another process, each retried until it succeeds, as a person would.
    const script = `i=0; while [ ! -e ../stop ]; do mkdir -p mine; echo $i > mine/$i.txt;
      until git add mine/$i.txt 2>/dev/null; do sleep 0.1; done
      until git -c user.name=Uma -c user.email=u@e commit -q -m "mine $i" 2>/dev/null; do sleep 0.1; done
      i=$((i+1)); done`;
    const user = spawn('sh', ['-c', script], { cwd: notebook.folder, stdio: 'ignore' });
    const done = once(user, 'close');
    // Waits for the user's seventh file, so that six were committed in the meantime.
    for (let round = 0; round < 12 || !existsSync(join(notebook.folder, 'mine/6.txt')); round++) {
      await notebook.write('a.md', `round ${round}`);
      await notebook.write(`ours/${round % 7}.md`, `round ${round}`);
      await notebook.flush();
    }
    writeFileSync(join(notebook.folder, '../stop'), '');
    await done;
    await notebook.flush();
    const mine = notebook
      .git('log', '--format=%H %s')
      .split('\n')
      .filter((line) => / mine \d+$/.test(line));
    expect(mine.length).toBeGreaterThan(5);
    for (const line of mine) {
      const [sha = '', , n] = line.split(' ');
      expect(notebook.git('diff-tree', '-r', '--no-commit-id', '--name-only', sha).trim()).toBe(`mine/${n}.txt`);
    }
    expectClean(notebook);
  });
});

describe('a repository that the user deletes', () => {
  it('is made again with everything that the folder holds', async () => {
    const notebook = await started();
    rmSync(join(notebook.folder, '.git'), { recursive: true });
    await notebook.write('a.md', 'second');
    await notebook.flush();
    expect(Object.keys(filesInCommit(notebook.folder))).toEqual(['a.md', 'users.md']);
    expectClean(notebook);
    rmSync(join(notebook.folder, '.git'), { recursive: true });
    expect(await notebook.flush()).toMatch(/^[0-9a-f]{40}$/u);
    expect(notebook.pendingCount()).toBe(0);
    expectClean(notebook);
  });
});

describe('while the user is in the middle of something', () => {
  it('nothing is committed, and everything is afterwards', async () => {
    const notebook = await started();
    notebook.git('checkout', '-q', '-b', 'side');
    writeFileSync(join(notebook.folder, 'users.md'), 'side');
    notebook.git('commit', '-q', '-a', '-m', 'side');
    notebook.git('checkout', '-q', 'main');
    writeFileSync(join(notebook.folder, 'users.md'), 'main');
    notebook.git('commit', '-q', '-a', '-m', 'main');
    expect(() => notebook.git('merge', 'side')).toThrow(/merge/);
    const before = notebook.git('rev-parse', 'HEAD');
    await notebook.write('a.md', 'during the merge');
    await expect(notebook.flush()).rejects.toMatchObject({ code: 'GIT_PAUSED', message: /a merge is in progress/ });
    expect(notebook.git('rev-parse', 'HEAD')).toBe(before);
    expect(existsSync(join(notebook.folder, '.git/MERGE_HEAD'))).toBe(true);
    expect((await notebook.lanes.status(notebook.id)).problem).toMatch(/a merge is in progress/);

    writeFileSync(join(notebook.folder, 'users.md'), 'resolved');
    notebook.git('add', 'users.md');
    notebook.git('commit', '-q', '-m', 'merged');
    await notebook.flush();
    expect(filesInCommit(notebook.folder)).toEqual({ 'a.md': 'during the merge', 'users.md': 'resolved' });
    expectClean(notebook);
  });

  it('with a detached HEAD, commits wait for a branch', async () => {
    const notebook = await started();
    notebook.git('checkout', '-q', '--detach');
    await notebook.write('a.md', 'waits');
    await expect(notebook.flush()).rejects.toMatchObject({ code: 'GIT_PAUSED', message: /HEAD is detached/ });
    notebook.git('checkout', '-q', 'main');
    await notebook.flush();
    expectClean(notebook);
  });

  it('a lock of the index that stays is reported and not removed; the commit is made and the index follows', async () => {
    const notebook = await started();
    const lock = join(notebook.folder, '.git/index.lock');
    writeFileSync(lock, '');
    await notebook.write('a.md', 'under a stale lock');
    const sha = await notebook.flush();
    expect(notebook.git('rev-parse', 'HEAD').trim()).toBe(sha);
    expect(filesInCommit(notebook.folder)['a.md']).toBe('under a stale lock');
    expect(readFileSync(lock, 'utf8')).toBe('');
    expect((await notebook.lanes.status(notebook.id)).index_lock).toMatchObject({ path: lock });
    rmSync(lock);
    await expect.poll(() => notebook.git('status', '--porcelain'), { timeout: 20_000 }).toBe('');
    expectClean(notebook);
    expect((await notebook.lanes.status(notebook.id)).index_lock).toBeNull();
  });
});

describe('a notebook inside a larger repository', () => {
  it('commits only below its folder and leaves the rest as it is', async () => {
    const base = temporaryFolder();
    const outer = join(base, 'project');
    mkdirSync(join(outer, 'docs/notes'), { recursive: true });
    gitIn(outer, 'init', '-q', '-b', 'trunk');
    writeFileSync(join(outer, 'code.ts'), 'outside');
    gitIn(outer, 'add', '-A');
    gitIn(outer, 'commit', '-q', '-m', 'start');
    writeFileSync(join(outer, 'code.ts'), 'being edited');
    writeFileSync(join(outer, 'staged.ts'), 'staged outside');
    gitIn(outer, 'add', 'staged.ts');
    const notebook = await open({ base, folder: join(outer, 'docs/notes') });
    await notebook.write('deep/a.md', 'one');
    await notebook.rename('deep', 'deeper');
    await notebook.flush();
    expect(existsSync(join(notebook.folder, '.git'))).toBe(false);
    expect(filesInCommit(outer)).toEqual({ 'code.ts': 'outside', 'docs/notes/deeper/a.md': 'one' });
    expect(gitIn(outer, 'status', '--porcelain').split('\n').filter(Boolean)).toEqual([' M code.ts', 'A  staged.ts']);
    expect(gitIn(outer, 'branch', '--show-current').trim()).toBe('trunk');
    expectSound(outer);
  });

  it('that ignores it gets a repository of its own', async () => {
    const base = temporaryFolder();
    const outer = join(base, 'project');
    mkdirSync(join(outer, 'private'), { recursive: true });
    gitIn(outer, 'init', '-q');
    writeFileSync(join(outer, '.gitignore'), 'private/\n');
    const notebook = await open({ base, folder: join(outer, 'private') });
    await notebook.write('a.md', 'one');
    await notebook.flush();
    expect(existsSync(join(notebook.folder, '.git'))).toBe(true);
    expectClean(notebook);
  });

  it('shares it with another notebook, one commit after the other', async () => {
    const base = temporaryFolder();
    const outer = join(base, 'project');
    mkdirSync(outer, { recursive: true });
    gitIn(outer, 'init', '-q', '-b', 'main');
    const left = await open({ base, folder: join(outer, 'left') });
    const right = await open({ base, folder: join(outer, 'right') });
    for (let round = 0; round < 3; round++) {
      await left.write(`l${round}.md`, 'left');
      await right.write(`r${round}.md`, 'right');
      await Promise.all([left.flush(), right.flush()]);
    }
    expect(gitIn(outer, 'rev-list', '--count', 'HEAD').trim()).toBe('6');
    expectClean({ folder: outer });
  });
});

describe('the settings of the user', () => {
  it('are neither changed nor run: no hook, no signature, no editor', async () => {
    const notebook = await started();
    const hook = join(notebook.folder, '.git/hooks');
    mkdirSync(hook, { recursive: true });
    for (const name of ['pre-commit', 'post-commit', 'reference-transaction', 'post-index-change']) {
      writeFileSync(join(hook, name), `#!/bin/sh\necho ran >> ${join(notebook.folder, 'hook-ran')}\nexit 1\n`, {
        mode: 0o755,
      });
    }
    notebook.git('config', 'commit.gpgSign', 'true');
    notebook.git('config', 'gpg.program', '/bin/false');
    const config = readFileSync(join(notebook.folder, '.git/config'), 'utf8');
    await notebook.write('a.md', 'quietly');
    await notebook.flush();
    expect(existsSync(join(notebook.folder, 'hook-ran'))).toBe(false);
    expect(readFileSync(join(notebook.folder, '.git/config'), 'utf8')).toBe(config);
    expect(filesInCommit(notebook.folder)['a.md']).toBe('quietly');
  });

  it('of the environment do not lead codex to another repository', async () => {
    const other = temporaryFolder();
    gitIn(other, 'init', '-q');
    process.env['GIT_DIR'] = join(other, '.git');
    process.env['GIT_INDEX_FILE'] = join(other, 'index');
    try {
      const notebook = await open();
      await notebook.write('a.md', 'here');
      await notebook.flush();
      expect(existsSync(join(notebook.folder, '.git/refs/heads/main'))).toBe(true);
      expect(existsSync(join(other, '.git/refs/heads/main'))).toBe(false);
    } finally {
      delete process.env['GIT_DIR'];
      delete process.env['GIT_INDEX_FILE'];
    }
  });
});
