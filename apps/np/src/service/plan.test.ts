import { describe, expect, it } from 'vitest';
import { openHarness } from '../../test/harness.ts';
import { addTasks, archiveSession, listTasks, startSession, updateTasks } from '../index.ts';
import { answerChange } from './plan.ts';

const caller = { name: 'test', via: 'np test', face: 'cli' } as const;

async function openTarget() {
  const { np, directory, call } = await openHarness();
  const { session } = await startSession(np, { directory, cmd: 'np s' });
  return { np, call, sid: session.sid, target: { np, where: { directory }, directory } };
}

describe('the answer to a change', () => {
  it('belongs to the session of the change, also when it was archived right afterwards', async () => {
    const { np, call, sid, target } = await openTarget();
    const answer = await answerChange(target, { plan: true }, caller, async (pinned) => {
      const added = await addTasks(np, { ...pinned, tasks: [{ title: 'Made', description: '' }] });
      await archiveSession(np, call);
      return added;
    });
    expect(answer).toMatchObject({ sid, plan: { session: { state: 'archived' }, tasks: [{ title: 'Made' }] } });
  });

  it('says that the change was saved when another task of the plan cannot be read', async () => {
    const { np, call, sid, target } = await openTarget();
    const [damaged] = await addTasks(np, { ...call, tasks: [{ title: 'Damaged', description: '' }] });
    await np.store.transact(async (tx) => tx.writeKey(`s/${sid}/task/${damaged?.task.id}`, '{"broken'));
    const answer = await answerChange(target, { plan: false }, caller, (pinned) =>
      addTasks(np, { ...pinned, tasks: [{ title: 'Saved', description: '' }] }),
    );
    expect(answer).toMatchObject({ tasks: [{ title: 'Saved', changed: true }], next: [] });
    expect(answer.warning).toMatch(/^The change was saved/u);
    await expect(listTasks(np, call.where)).rejects.toMatchObject({ code: 'VALUE_UNREADABLE' });
  });

  it('names what comes next: work in progress first, then what is pending', async () => {
    const { np, call, target } = await openTarget();
    const titles = ['One', 'Two', 'Three', 'Four'];
    const added = await addTasks(np, { ...call, tasks: titles.map((title) => ({ title, description: '' })) });
    const updates = [
      { id: added[0]!.task.id, status: 'completed' },
      { id: added[2]!.task.id, status: 'in_progress' },
    ] as const;
    const answer = await answerChange(target, { plan: false }, caller, (pinned) =>
      updateTasks(np, { ...pinned, updates }),
    );
    expect(answer.next.map(({ title }) => title)).toEqual(['Three', 'Two', 'Four']);
    expect(answer).toMatchObject({ counts: { completed: 1, in_progress: 1, pending: 2 } });
    expect(answer.plan).toBeUndefined();
  });
});
