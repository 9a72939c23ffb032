import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { claimNext } from '../src/service/queue.ts';
import type { Ringmaster } from '../src/service/ringmaster.ts';
import { addTask } from '../src/service/tasks.ts';
import { insertRun } from '../src/store/attempt-runs.ts';
import { openWithProject, temporaryFolder } from './harness.ts';

export function git(folder: string, ...args: string[]): string {
  const identity = ['-c', 'user.name=tester', '-c', 'user.email=tester@localhost'];
  return execFileSync('git', [...identity, ...args], { cwd: folder, encoding: 'utf8' }).trim();
}

export interface Held {
  readonly rm: Ringmaster;
  readonly id: string;
  readonly attempt: number;
  readonly repository: string;
  readonly folder: string;
}

/** A task held by a worker, in its own worktree of a repository with one commit. */
export async function heldInWorktree(): Promise<Held> {
  const repository = temporaryFolder();
  const folder = join(temporaryFolder(), 'worktree');
  git(repository, 'init', '-q', '-b', 'main');
  writeFileSync(join(repository, 'ring.txt'), 'sand\n');
  git(repository, 'add', '.');
  git(repository, 'commit', '-qm', 'first');
  const base_commit = git(repository, 'rev-parse', 'HEAD');
  git(repository, 'worktree', 'add', '-q', '-b', 'work', folder);
  const rm = await openWithProject();
  const { id } = await addTask(rm, { title: 'Sweep' });
  const attempt = (await claimNext(rm, { worker: 'w1' }))!.attempt.id;
  const supervisor = { supervisor_id: 's', supervisor_pid: 1, supervisor_start: null, supervisor_boot: null };
  await rm.store.write('run', (tx) => {
    insertRun(tx, { attempt_id: attempt, ...supervisor, folder, repository, branch: 'work', base_commit });
  });
  return { rm, id, attempt, repository, folder };
}
