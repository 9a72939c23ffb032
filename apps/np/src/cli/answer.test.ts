import { expect, it } from 'vitest';
import { openHarness } from '../../test/harness.ts';
import { addTasks, archiveSession, listTasks, startSession } from '../index.ts';
import { answerChange } from './answer.ts';

function recordingContext() {
  const results: unknown[] = [];
  const notes: string[] = [];
  const out = { result: (data: unknown) => void results.push(data), item: () => undefined, raw: () => undefined };
  return { results, notes, out, note: (...text: readonly unknown[]) => void notes.push(JSON.stringify(text)) };
}

it('a change is answered as made, also when its session was archived right afterwards', async () => {
  const { np, directory, call } = await openHarness();
  await startSession(np, { directory, cmd: 'np s' });
  const context = recordingContext();
  await answerChange(np, call, context, async (pinned) => {
    await addTasks(np, { ...pinned, tasks: [{ title: 'Made', description: '' }] });
    await archiveSession(np, call);
  });
  expect(context.results).toMatchObject([{ session: { state: 'archived' }, tasks: [{ title: 'Made' }] }]);
});

it('a committed change is reported as saved when another task of the plan cannot be read', async () => {
  const { np, directory, call } = await openHarness();
  const { session } = await startSession(np, { directory, cmd: 'np s' });
  const [damaged] = await addTasks(np, { ...call, tasks: [{ title: 'Damaged', description: '' }] });
  await np.store.transact(async (tx) => tx.writeKey(`s/${session.sid}/task/${damaged?.task.id}`, '{"broken'));
  const context = recordingContext();
  await answerChange(np, call, context, async (pinned) => {
    const added = await addTasks(np, { ...pinned, tasks: [{ title: 'Saved', description: '' }] });
    return { added: added.map(({ task }) => task.title) };
  });
  expect(context.results).toEqual([{ added: ['Saved'], warning: expect.stringContaining('The change was saved') }]);
  expect(context.notes).toHaveLength(1);
  await expect(listTasks(np, call.where)).rejects.toMatchObject({ code: 'VALUE_UNREADABLE' });
});
