import { describe, expect, it } from 'vitest';

import { openWithProject } from '../../test/harness.ts';
import { followLog, readLogs } from './logs.ts';
import { claim, report } from './queue.ts';
import { addTask } from './tasks.ts';

describe('the logs of a task', () => {
  it('are also those that a worker has reported itself, by attempt or the last one, from any place on', async () => {
    const rm = await openWithProject();
    const { id } = await addTask(rm, { title: 'Talk' });
    expect(() => [...readLogs(rm, { task: id })]).toThrow(expect.objectContaining({ code: 'LOG_NOT_FOUND' }));
    for (const output of ['first – é\n', 'second\n']) {
      const claimed = await claim(rm, { worker: 'w1' });
      await report(rm, { token: claimed!.attempt.id, status: 'released', output });
    }
    const textOf = (query: Parameters<typeof readLogs>[1]): string =>
      [...readLogs(rm, query)].map(({ text }) => text).join('');
    expect(textOf({ task: id })).toBe('second\n');
    expect(textOf({ task: id, attempt: 1 })).toBe('first – é\n');
    expect(textOf({ task: id, from: { iteration: 1, offset: 6 } })).toBe('– é\nsecond\n');
    const followed: string[] = [];
    for await (const { text } of followLog(rm, { task: id, attempt: 1 }, AbortSignal.timeout(10_000)))
      followed.push(text);
    expect(followed.join('')).toMatch(/^first – é\n/);
  });
});
