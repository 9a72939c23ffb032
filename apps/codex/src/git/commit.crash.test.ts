import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { afterAll, describe, expect, it } from 'vitest';

import { bundledProgram } from '../../../../packages/base/test/bundled-program.ts';
import { expectClean } from '../../test/clean-repository.ts';
import { filesInCommit, openGitNotebook, removeFolders, temporaryFolder } from '../../test/git-notebook.ts';

afterAll(removeFolders);

const program = resolve(import.meta.dirname, '../../test/programs/git-committer.ts');

/** Runs the program until it is killed at the failpoint; returns false if it finished. */
function killedAt(failpoint: string, base: string, what: string): boolean {
  const { signal, status, stderr } = spawnSync(process.execPath, [bundledProgram(program), base, what], {
    env: { ...process.env, HOLDFAST_FAILPOINT: failpoint },
    encoding: 'utf8',
  });
  if (signal === null && status !== 0) throw new Error(stderr);
  return signal === 'SIGKILL';
}

const NAMES = ['imported', 'ready', 'moved', 'index', 'published', 'known', 'recorded'];
const STEPS = NAMES.map((step) => `codex.git.${step}:1`);

async function prepared(): Promise<string> {
  const base = temporaryFolder();
  const notebook = await openGitNotebook({ base });
  for (const name of ['a.md', 'x.md', 'z.md', 'folder/f.md']) await notebook.write(name, `first ${name}`);
  await notebook.flush();
  await notebook.close();
  return base;
}

/** Everything is committed and recorded once, and no temporary files are left. */
async function check(base: string): Promise<void> {
  const notebook = await openGitNotebook({ base });
  try {
    await notebook.flush();
    expect(filesInCommit(notebook.folder)).toEqual({
      'a.md': 'second',
      'x.md': 'new at the old place',
      'y.md': 'first x.md',
      'moved/f.md': 'first folder/f.md',
      'moved/more.md': 'm',
    });
    expectClean(notebook);
    // Four commits: the first one, one for the rename, and one for each of two authors. The rename needs its own
    // commit, because the new file at the old path would otherwise hide it.
    expect(notebook.git('rev-list', '--count', 'HEAD').trim()).toBe('4');
    expect(notebook.pendingCount()).toBe(0);
    expect(notebook.store.reader.all('SELECT id FROM file_events WHERE commit_sha IS NULL')).toEqual([]);
    const recorded = notebook.store.reader.all<{ sha: string }>('SELECT sha FROM git_commits').map(({ sha }) => sha);
    expect(recorded.sort()).toEqual(notebook.git('rev-list', 'HEAD').trim().split('\n').sort());
    expect(existsSync(join(notebook.folder, '.git/index.lock'))).toBe(false);
    expect(readdirSync(join(notebook.folder, '.git')).filter((name) => name.startsWith('codex-index'))).toEqual([]);
    expect(notebook.git('for-each-ref', 'refs/codex').trim()).toBe('');
  } finally {
    await notebook.close();
  }
}

describe('a batch commit that is killed', () => {
  it.each(STEPS.map((step) => step.replace(':1', ':2')))('at %s is made exactly once', async (step) => {
    const base = await prepared();
    expect(killedAt(step, base, 'change')).toBe(true);
    await check(base);
  });

  it.each([
    [STEPS[0], STEPS[1]],
    [STEPS[1], STEPS[2]],
    [STEPS[2], 'sqlite.commit.before:1'],
    [STEPS[2], 'sqlite.commit.after:1'],
    [STEPS[3], 'sqlite.commit.before:1'],
    [STEPS[4], 'sqlite.commit.before:2'],
    [STEPS[5], 'sqlite.commit.before:1'],
  ])('at %s, and again while it recovers at %s, is made exactly once', async (first = '', second = '') => {
    const base = await prepared();
    expect(killedAt(first, base, 'change')).toBe(true);
    expect(killedAt(second, base, 'flush')).toBe(true);
    await check(base);
  });
});
