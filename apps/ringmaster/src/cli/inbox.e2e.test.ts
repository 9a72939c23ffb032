import { describe, expect, it } from 'vitest';

import { dataOf, run } from '../../test/command.ts';
import { addTask, makeProject, openState, runOnce } from '../../test/running.ts';
import type { InboxItem } from '../operations/inbox.ts';

const kinds = (folder: string): Map<string, string> =>
  new Map(dataOf<InboxItem[]>(folder, 'inbox').map(({ id, kind }) => [id, kind]));

describe('the inbox', () => {
  it('lists everything that a run left to a person, until the person acts', async () => {
    const folder = makeProject();
    expect(run(folder, ['inbox']).stdout).toBe('Nothing is waiting for you.\n');
    const work = addTask(folder, 'Work', ['edit work.txt done']);
    const idle = addTask(folder, 'Idle', ['edit a.txt first']);
    const asks = addTask(folder, 'Asks', ['say ? Question: which one?']);
    const hard = addTask(folder, 'Hard', ['exit 1'], '--max-attempts', '1');
    await runOnce(folder);
    expect(kinds(folder)).toEqual(
      new Map([
        [`${idle}-d1`, 'decision'],
        [`${asks}-q1`, 'question'],
        [`${hard}-d1`, 'decision'],
        [work, 'unmerged'],
      ]),
    );
    const { stdout } = run(folder, ['inbox']);
    expect(stdout).toContain('options: no change was needed | try again | change the task | give it up');
    expect(stdout).toContain(`ringmaster merge ${work}`);
    run(folder, ['merge', work]);
    run(folder, ['answer', `${idle}-d1`, 'no change was needed']);
    run(folder, ['answer', `${hard}-d1`, 'give it up']);
    expect(kinds(folder)).toEqual(new Map([[`${asks}-q1`, 'question']]));
  });

  it('lists reviews, parked workers, blocked tasks and tasks that failed by hand', async () => {
    const folder = makeProject({ run: 'review = "person"' });
    const work = addTask(folder, 'Work', ['edit work.txt done']);
    await runOnce(folder);
    const hard = addTask(folder, 'Hard', [], '--max-attempts', '1');
    const { token } = dataOf<{ token: number }>(folder, 'claim', 'hand');
    run(folder, ['report', hard, '--token', String(token), '-s', 'failed', '-r', 'too hard']);
    const stuck = addTask(folder, 'Stuck', []);
    run(folder, ['task', 'block', stuck, '-r', 'no database']);
    addTask(folder, 'Limited', ['warn Error: 429 Too Many Requests', 'exit 1']);
    await runOnce(folder);
    expect(kinds(folder)).toEqual(
      new Map([
        [work, 'review'],
        [hard, 'failed'],
        [stuck, 'blocked'],
        ['fake-1', 'worker_parked'],
      ]),
    );
    expect(run(folder, ['inbox']).stdout).toContain('no database');
    run(folder, ['merge', work]);
    run(folder, ['resume', 'fake-1']);
    expect([...kinds(folder).values()]).toEqual(['failed', 'blocked']);
  });

  it('lists a notification that could not be delivered', async () => {
    const folder = makeProject({ more: '[notifications]\ncommand = ["false"]' });
    addTask(folder, 'Idle', ['edit a.txt first']);
    await runOnce(folder);
    const { store } = await openState(folder);
    await store.write('run: last attempt', (tx) =>
      tx.run(`UPDATE notifications SET attempts = 11, next_attempt_at = '2000'`),
    );
    await runOnce(folder);
    expect(dataOf<InboxItem[]>(folder, 'inbox').at(-1)).toMatchObject({
      kind: 'notification',
      text: 'A notification to the command was not delivered in 12 attempts',
      detail: '"false" exited with 1',
    });
    expect(run(folder, ['status']).stdout).toMatch(/notifications not delivered\s+1/);
  });
});
