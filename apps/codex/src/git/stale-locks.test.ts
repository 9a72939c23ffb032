import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { identityOf, MINUTE } from '@holdfast/base';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';

import { expectClean } from '../../test/clean-repository.ts';
import { type GitNotebook, openGitNotebook, removeFolders } from '../../test/git-notebook.ts';

afterAll(removeFolders);

/** A notebook with one commit, opened again as if the process had restarted. */
async function restarted(leave: (gitDir: string) => void): Promise<GitNotebook> {
  const before = await openGitNotebook();
  await before.write('a.md', 'one');
  await before.flush();
  await before.close();
  leave(join(before.folder, '.git'));
  const notebook = await openGitNotebook({ base: join(before.folder, '..'), folder: before.folder });
  onTestFinished(() => notebook.close());
  return notebook;
}

function leaveLock(path: string, text: string, ageMs: number): void {
  writeFileSync(path, text);
  const at = new Date(Date.now() - ageMs);
  utimesSync(path, at, at);
}

const YEARS: number = 20 * 365 * 24 * 60 * MINUTE;

async function expectCommit(notebook: GitNotebook): Promise<void> {
  await notebook.write('b.md', 'two');
  expect(await notebook.flush()).toMatch(/^[0-9a-f]{40}$/);
  expectClean(notebook);
}

describe('the lock of our commits', () => {
  const dead = { ...identityOf(process.pid), start: 'long ago' };
  const rebooted = { ...identityOf(process.pid), boot: 'before the power cut' };

  it.each([
    ['is empty, as a power cut leaves it', '', YEARS],
    ['is empty and new', '', 0],
    ['was torn in the middle', 'held by holdfast codex {"pid":1', YEARS],
    ['belongs to a process that is gone', `held by holdfast codex ${JSON.stringify(dead)}`, 0],
    ['is from before a reboot', `held by holdfast codex ${JSON.stringify(rebooted)}`, 0],
  ])('stops nobody when it %s', async (_, text, age) => {
    const notebook = await restarted((gitDir) => leaveLock(join(gitDir, 'codex-lane.lock'), text, age));
    await expectCommit(notebook);
    expect(existsSync(join(notebook.folder, '.git/codex-lane.lock'))).toBe(false);
  });
});

it('a lock of our own reference, which a killed git left, stops nobody', async () => {
  const notebook = await restarted(() => undefined);
  const folder = join(notebook.folder, '.git/refs/codex');
  mkdirSync(folder, { recursive: true });
  const lock = join(folder, `${notebook.id}.lock`);
  leaveLock(lock, '', 0);
  await expectCommit(notebook);
  expect(existsSync(lock)).toBe(false);
});

describe('a lock of git', () => {
  it.each(['index.lock', 'HEAD.lock', 'packed-refs.lock', 'refs/heads/main.lock'])(
    'from before the last boot is removed: %s',
    async (name) => {
      const notebook = await restarted((gitDir) => leaveLock(join(gitDir, name), '', YEARS));
      await expectCommit(notebook);
      expect(existsSync(join(notebook.folder, '.git', name))).toBe(false);
    },
  );

  it('that somebody may still own is left alone, and the status tells which command removes it', async () => {
    const notebook = await restarted((gitDir) => leaveLock(join(gitDir, 'refs/heads/main.lock'), '', 2 * MINUTE));
    const lock = join(notebook.folder, '.git/refs/heads/main.lock');
    await notebook.write('b.md', 'two');
    await expect(notebook.flush()).rejects.toMatchObject({
      code: 'GIT_UNAVAILABLE',
      message: expect.stringContaining(`rm '${lock}'`),
    });
    expect((await notebook.lanes.status(notebook.id)).problem).toContain(`rm '${lock}'`);
    expect(existsSync(lock)).toBe(true);
  });

  it('of the index is named in the status, although commits go on', async () => {
    const notebook = await restarted((gitDir) => leaveLock(join(gitDir, 'index.lock'), '', 2 * MINUTE));
    await notebook.write('b.md', 'two');
    expect(await notebook.flush()).toMatch(/^[0-9a-f]{40}$/);
    const lock = join(notebook.folder, '.git/index.lock');
    expect((await notebook.lanes.status(notebook.id)).problem).toContain(`rm '${lock}'`);
  });
});
