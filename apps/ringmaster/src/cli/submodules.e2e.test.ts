import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { dataOf, run } from '../../test/command.ts';
import { temporaryFolder } from '../../test/harness.ts';
import { addTask, git, makeProject, runOnce } from '../../test/running.ts';

const statusOf = (folder: string, id: string) =>
  dataOf<{ task: { status: string; blocked_reason: string | null } }>(folder, 'task', 'show', id).task;

/** A project with the submodule `lib`, which itself has the submodule `inner`. */
function withSubmodules(): string {
  const [inner, lib] = ['inner', 'lib'].map((name) => {
    const folder = temporaryFolder();
    git(folder, 'init', '-q', '-b', 'main');
    writeFileSync(join(folder, `${name}.txt`), `${name}\n`);
    git(folder, 'add', '.');
    git(folder, 'commit', '-qm', name);
    return folder;
  }) as [string, string];
  addSubmodule(lib, inner, 'inner');
  const folder = makeProject();
  addSubmodule(folder, lib, 'lib');
  return folder;
}

const ALLOW = ['-c', 'protocol.file.allow=always'] as const;

function addSubmodule(folder: string, from: string, name: string): void {
  git(folder, ...ALLOW, 'submodule', '--quiet', 'add', from, name);
  git(folder, ...ALLOW, 'submodule', '--quiet', 'update', '--init', '--recursive');
  git(folder, 'commit', '-qm', name);
}

describe('a submodule', () => {
  it('is checked out in the worktree, and work in it is kept and merged', async () => {
    const folder = withSubmodules();
    const id = addTask(folder, 'Inside', ['append lib/lib.txt more', 'append lib/inner/inner.txt deep']);
    await runOnce(folder);
    const branch = `ringmaster/${id}-a1`;
    expect(statusOf(folder, id).status).toBe('done');
    const lib = join(folder, 'lib');
    expect(git(lib, 'show', `${branch}:lib.txt`)).toBe('lib\nmore');
    expect(git(join(lib, 'inner'), 'show', `${branch}:inner.txt`)).toBe('inner\ndeep');
    expect(git(folder, 'rev-parse', `${branch}:lib`)).toBe(git(lib, 'rev-parse', branch));
    expect(run(folder, ['merge', id]).code).toBe(0);
    git(folder, 'submodule', '--quiet', 'update', '--recursive');
    expect(readFileSync(join(lib, 'inner/inner.txt'), 'utf8')).toBe('inner\ndeep\n');
    // An attempt that does not touch submodules leaves nothing in their repositories.
    addTask(folder, 'Outside', ['edit c.txt c']);
    await runOnce(folder);
    expect(git(lib, 'for-each-ref', '--format=%(refname:short)', 'refs/heads/ringmaster')).toBe(branch);
    expect(git(lib, 'status', '--porcelain')).toBe('');
  });

  it('that is not checked out is named, and files written there stay in the worktree', async () => {
    const folder = withSubmodules();
    git(folder, 'submodule', '--quiet', 'deinit', '--force', 'lib');
    const id = addTask(folder, 'Into the void', ['edit lib/new.txt new']);
    expect(await runOnce(folder)).toContain('The submodule lib is empty: it is not checked out');
    expect(statusOf(folder, id)).toMatchObject({
      status: 'blocked',
      blocked_reason: expect.stringContaining('lib in') as string,
    });
    expect(readFileSync(join(folder, '.ringmaster/worktrees', `${id}-a1`, 'lib/new.txt'), 'utf8')).toBe('new\n');
  });
});
