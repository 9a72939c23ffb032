import { describe, expect, it } from 'vitest';

import { openWithProject } from '../../test/harness.ts';
import { assemblePrompt } from './prompt/assemble.ts';
import { claimNext } from './queue.ts';
import { requestChanges } from './review.ts';
import { addTask, setTaskStatus } from './tasks.ts';

describe('requested changes', () => {
  it('make the task ready again and reach the next prompt of its worker', async () => {
    const rm = await openWithProject();
    const { id } = await addTask(rm, { title: 'Sweep' });
    await setTaskStatus(rm, { tasks: [id], status: 'review' });
    const comments = ['ring.txt:1: use fresh sand', 'ring.txt:7: remove this line'];
    expect(await requestChanges(rm, { task: id, text: 'Almost there.', comments })).toMatchObject({ status: 'ready' });
    const { text } = await assemblePrompt(rm, id, { purpose: 'shown' });
    for (const part of ['Almost there.', ...comments]) expect(text).toContain(part);
  });

  it('need a text, and a task that no worker holds and that was worked on', async () => {
    const rm = await openWithProject();
    const { id } = await addTask(rm, { title: 'Sweep' });
    expect(() => requestChanges(rm, { task: id, text: '  ' })).toThrow(
      expect.objectContaining({ code: 'TEXT_INVALID' }),
    );
    await expect(requestChanges(rm, { task: id, text: 'No' })).rejects.toMatchObject({ code: 'TASK_STATE' });
    await claimNext(rm, { worker: 'w1' });
    await expect(requestChanges(rm, { task: id, text: 'No' })).rejects.toMatchObject({ code: 'TASK_RUNNING' });
  });
});
