import { expect, it } from 'vitest';
import { openHarness } from '../../test/harness.ts';
import { addTasks, archiveSession, startSession } from '../index.ts';
import { answerChange } from './answer.ts';

it('a change is answered as made, also when its session was archived right afterwards', async () => {
  const { np, directory, call } = await openHarness();
  await startSession(np, { directory, cmd: 'np s' });
  const answers: unknown[] = [];
  const out = { result: (data: unknown) => void answers.push(data), item: () => undefined, raw: () => undefined };
  await answerChange(np, call, out, async (pinned) => {
    await addTasks(np, { ...pinned, tasks: [{ title: 'Made', description: '' }] });
    await archiveSession(np, call);
  });
  expect(answers).toMatchObject([{ session: { state: 'archived' }, tasks: [{ title: 'Made' }] }]);
});
