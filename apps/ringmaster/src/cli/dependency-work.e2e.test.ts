import { describe, expect, it } from 'vitest';

import { dataOf, run } from '../../test/command.ts';
import { addTask, git, leftInGit, makeProject, openState, runOnce } from '../../test/running.ts';
import { runsOfTask } from '../store/attempt-runs.ts';
import { listEvents } from '../store/events.ts';

interface Shown {
  readonly task: { readonly status: string; readonly blocked_reason: string | null };
  readonly inquiries: readonly { readonly task_id: string; readonly title: string; readonly context: string }[];
}

const show = (folder: string, id: string): Shown => dataOf<Shown>(folder, 'task', 'show', id);
const filesOf = (folder: string, branch: string): string[] =>
  git(folder, 'ls-tree', '-r', '--name-only', branch).split('\n');

describe('a task that depends on unmerged work', () => {
  it('starts with the work of its dependencies, records it, and brings it along when it is merged', async () => {
    const folder = makeProject();
    const epic = dataOf<{ id: string }>(folder, 'task', 'add', 'Tent', '--type', 'epic').id;
    const pole = addTask(folder, 'Pole', ['edit pole.txt pole'], '--parent', epic);
    const seat = addTask(folder, 'Seat', ['edit seat.txt seat']);
    await runOnce(folder);
    expect(show(folder, epic).task.status).toBe('done');
    const show1 = addTask(folder, 'Show', ['edit show.txt show'], '--depends-on', seat, '--depends-on', epic);
    const encore = addTask(folder, 'Encore', ['edit encore.txt encore'], '--depends-on', show1);
    await runOnce(folder);
    expect(filesOf(folder, `ringmaster/${show1}-a1`)).toEqual(['a.txt', 'pole.txt', 'seat.txt', 'show.txt']);
    expect(dataOf<{ files: { path: string }[] }>(folder, 'task', 'diff', show1).files).toMatchObject([
      { path: 'show.txt' },
    ]);
    const { store } = await openState(folder);
    const dependencies = JSON.parse(runsOfTask(store.reader, show1)[0]!.dependencies ?? '[]') as { task: string }[];
    expect(dependencies.map(({ task }) => task).sort()).toEqual([pole, seat].sort());
    const [event] = listEvents(store.reader, { type: 'dependencies_included', entity: show1, limit: 10 });
    expect(JSON.parse(event?.data ?? '{}')).toMatchObject({ dependencies });
    // No merge was needed, because the branch of the task's only direct dependency contains all work.
    expect(git(folder, 'rev-parse', `ringmaster/${encore}-a1~1`)).toBe(
      git(folder, 'rev-parse', `ringmaster/${show1}-a1`),
    );
    expect(run(folder, ['merge', encore]).code).toBe(0);
    expect(filesOf(folder, 'main')).toEqual(['a.txt', 'encore.txt', 'pole.txt', 'seat.txt', 'show.txt']);
    expect(leftInGit(folder)).toEqual({ worktrees: 0, branches: [] });
    expect(dataOf<{ unmerged: number }>(folder, 'status').unmerged).toBe(0);
  });

  it('becomes a decision when the work of its dependencies conflicts, and starts when that is resolved', async () => {
    const folder = makeProject();
    const left = addTask(folder, 'Left', ['edit a.txt left']);
    const right = addTask(folder, 'Right', ['edit a.txt right']);
    const both = addTask(folder, 'Both', ['edit both.txt both'], '--depends-on', left, '--depends-on', right);
    expect(await runOnce(folder)).toContain('changed the same lines in a.txt');
    const blocked = show(folder, both);
    expect(blocked.task.status).toBe('blocked');
    expect(blocked.inquiries[0]).toMatchObject({
      context: expect.stringContaining(`ringmaster/${right}-a1`) as string,
    });
    expect(leftInGit(folder).worktrees).toBe(0);
    git(folder, 'branch', '-D', `ringmaster/${right}-a1`);
    expect(run(folder, ['answer', blocked.inquiries[0]!.task_id, 'try again']).code).toBe(0);
    await runOnce(folder);
    expect(show(folder, both).task.status).toBe('done');
    expect(git(folder, 'show', `ringmaster/${both}-a2:a.txt`)).toBe('left');
  });

  it('gets the work of a dependency that was added after its first attempt, besides its own', async () => {
    const folder = makeProject({ run: 'max_iterations = 1' });
    const first = addTask(folder, 'First', ['edit first.txt first']);
    const steps = ['append own.txt own', 'times 1 exit 1'];
    const second = addTask(folder, 'Second', steps, '--depends-on', first, '--max-attempts', '1');
    await runOnce(folder);
    expect(show(folder, second).task.status).toBe('failed');
    const added = addTask(folder, 'Added', ['edit added.txt added']);
    expect(run(folder, ['dep', 'add', second, added]).code).toBe(0);
    run(folder, ['answer', `${second}-d1`, 'try again']);
    await runOnce(folder);
    expect(filesOf(folder, `ringmaster/${second}-a2`)).toEqual(['a.txt', 'added.txt', 'first.txt', 'own.txt']);
    expect(git(folder, 'show', `ringmaster/${second}-a2:own.txt`)).toBe('own\nown');
    expect(dataOf<{ files: { path: string }[] }>(folder, 'task', 'diff', second).files).toMatchObject([
      { path: 'own.txt' },
    ]);
  });

  it('starts with work that was merged into another branch than the one that it starts from', async () => {
    const folder = makeProject({ run: 'auto_merge = true\nbase = "develop"' });
    git(folder, 'branch', 'develop');
    const first = addTask(folder, 'First', ['edit first.txt first']);
    const second = addTask(folder, 'Second', ['edit second.txt second'], '--depends-on', first);
    const third = addTask(folder, 'Third', ['append first.txt third'], '--depends-on', second);
    await runOnce(folder);
    expect(show(folder, third).task.status).toBe('done');
    expect(git(folder, 'show', 'main:first.txt')).toBe('first\nthird');
    expect(git(folder, 'log', '--format=%s', 'develop')).toBe('first');
    expect(leftInGit(folder)).toEqual({ worktrees: 0, branches: [] });
  });
});
