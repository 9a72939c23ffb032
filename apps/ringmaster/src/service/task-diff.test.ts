import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { openWithProject } from '../../test/harness.ts';
import { git, heldInWorktree } from '../../test/held.ts';
import { updateRun } from '../store/attempt-runs.ts';
import { insertIteration } from '../store/iterations.ts';
import { taskDiff } from './merge.ts';
import { recordedPrompt } from './prompt/assemble.ts';
import { report } from './queue.ts';
import { addTask } from './tasks.ts';

describe('what a task changed', () => {
  it('is what lies in the worktree while somebody is at it, and the commits of the branch afterwards', async () => {
    const { rm, id, attempt, repository, folder } = await heldInWorktree();
    appendFileSync(join(folder, 'ring.txt'), 'sawdust\n');
    writeFileSync(join(folder, 'new file.txt'), 'not followed yet\n');
    expect(await taskDiff(rm, { task: id })).toMatchObject({
      is_live: true,
      files: [
        { path: 'ring.txt', added: 1, removed: 0 },
        { path: 'new file.txt', added: null, removed: null },
      ],
      patch: expect.stringContaining('+sawdust'),
    });
    git(folder, 'add', '.');
    git(folder, 'commit', '-qm', 'swept');
    await rm.store.write('head', (tx) => {
      updateRun(tx, attempt, { head_commit: git(folder, 'rev-parse', 'HEAD') });
    });
    await report(rm, { token: attempt, status: 'completed' });
    git(repository, 'worktree', 'remove', '--force', folder);
    const after = await taskDiff(rm, { task: id });
    expect(after).toMatchObject({ is_live: false, branch: 'work', attempt: 1, is_cut: false });
    expect(after.files.map(({ path }) => path)).toEqual(['new file.txt', 'ring.txt']);
    expect(after.patch).toContain('+not followed yet');
  });

  it('is nothing where no attempt had a branch', async () => {
    const rm = await openWithProject();
    const { id } = await addTask(rm, { title: 'Sweep' });
    await expect(taskDiff(rm, { task: id })).rejects.toMatchObject({ code: 'NOTHING_TO_MERGE' });
  });
});

describe('what a worker was told', () => {
  it('is the file of its turn, and says so where there is none', async () => {
    const { rm, id, attempt } = await heldInWorktree();
    expect(() => recordedPrompt(rm, { task: id })).toThrow(expect.objectContaining({ code: 'PROMPT_NOT_FOUND' }));
    const path = `tasks/${id}/iterations/001.prompt.md`;
    const started_at = new Date().toISOString();
    await rm.store.write('turn', (tx) => {
      insertIteration(tx, {
        task_id: id,
        number: 1,
        attempt_id: attempt,
        started_at,
        prompt_path: null,
        context_path: null,
      });
    });
    mkdirSync(join(rm.workspace.filesPath, 'tasks', id, 'iterations'), { recursive: true });
    writeFileSync(join(rm.workspace.filesPath, path), '# Task: Sweep\n');
    expect(recordedPrompt(rm, { task: id })).toMatchObject({ iteration: 1, text: '# Task: Sweep\n', considered: [] });
    expect(() => recordedPrompt(rm, { task: id, iteration: 2 })).toThrow(
      expect.objectContaining({ code: 'PROMPT_NOT_FOUND' }),
    );
  });
});
