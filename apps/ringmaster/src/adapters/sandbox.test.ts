import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { temporaryFolder } from '../../test/harness.ts';
import { git } from '../../test/held.ts';
import { sandboxed } from './sandbox.ts';
import { addWorktree, commitWork } from './worktree.ts';

it('lets git commit in a worktree, and protects branches, settings and hooks of the repository', async () => {
  const repository = temporaryFolder();
  git(repository, 'init', '-q', '-b', 'main');
  writeFileSync(join(repository, 'ring.txt'), 'sand\n');
  git(repository, 'add', '.');
  git(repository, 'commit', '-qm', 'first');
  const from = git(repository, 'rev-parse', 'HEAD');
  const path = join(repository, '.ringmaster', 'work');
  await addWorktree({ repository, path, branch: 'work', from, isDetached: true });
  const config = readFileSync(join(repository, '.git/config'), 'utf8');
  const shell = (line: string): number | null => {
    const request = { folder: path, worktree: path, readable: [repository], hasNetwork: false };
    const { command, args } = sandboxed({ command: 'sh', args: ['-c', line], ...request });
    return spawnSync(command, args, { stdio: 'ignore' }).status;
  };
  expect(shell('echo more >> ring.txt && git -c user.name=a -c user.email=a@localhost commit -qam second')).toBe(0);
  expect(shell('git config core.hooksPath /tmp')).not.toBe(0);
  expect(shell(`touch ${repository}/.git/hooks/post-commit`)).not.toBe(0);
  expect(shell('git update-ref refs/heads/main HEAD')).not.toBe(0);
  expect(readFileSync(join(repository, '.git/config'), 'utf8')).toBe(config);
  expect(existsSync(join(repository, '.git/hooks/post-commit'))).toBe(false);
  const commit = await commitWork({ path, branch: 'work', message: 'Work', since: from });
  const log = execFileSync('git', ['log', '--format=%s', commit], { cwd: repository, encoding: 'utf8' });
  expect(log.split('\n')).toEqual(['second', 'first', '']);
  expect(git(repository, 'rev-parse', 'work', 'main').split('\n')).toEqual([commit, from]);
});
