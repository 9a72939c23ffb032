import { describe, expect, it } from 'vitest';

import { openWithProject } from '../../test/harness.ts';
import { listReady } from '../store/tasks.ts';
import { beadsText } from '../../test/beads-text.ts';
import { importBeads } from './beads.ts';
import { addDependency } from './graph.ts';
import { claim } from './queue.ts';
import { explain } from './ready.ts';
import type { Ringmaster } from './ringmaster.ts';
import { addTask, editTask, showTask } from './tasks.ts';

const ready = (rm: Ringmaster): string[] =>
  listReady(rm.store.reader, { limit: 100, allTypes: false })
    .map(({ id }) => id)
    .sort();

const line = (id: string, more: object): string =>
  JSON.stringify({ id, title: id, status: 'open', priority: 2, ...more });
const waits = (on: string, type: string, more: object = {}): object => ({
  dependencies: [{ issue_id: 'x', depends_on_id: on, type, ...more }],
});

describe('conditional-blocks', () => {
  it('lets a task run only when the other has failed, and says so', async () => {
    const rm = await openWithProject();
    await addTask(rm, { id: 'a', title: 'A' });
    await addTask(rm, { id: 'fix', title: 'Repair' });
    await addDependency(rm, { task: 'fix', depends_on: 'a', type: 'conditional-blocks' });
    expect(ready(rm)).toEqual(['a']);
    expect(explain(rm, 'fix').holds).toEqual(['it runs only if a fails (ready)']);
    await editTask(rm, { task: 'a', status: 'done' });
    expect(ready(rm)).toEqual([]);
    expect(showTask(rm, { task: 'fix' }).held_because).toEqual([
      'it runs only if a fails, which is done, so it will not run',
    ]);
    await editTask(rm, { task: 'a', status: 'ready' });
    await editTask(rm, { task: 'a', status: 'failed', reason: 'no' });
    expect(ready(rm)).toEqual(['fix']);
    expect((await claim(rm, { worker: 'w1' }))?.task.id).toBe('fix');
  });

  it('takes the word of Beads for how an issue was closed', async () => {
    const rm = await openWithProject();
    const closed = (id: string, close_reason: string): string =>
      line(id, { status: 'closed', closed_at: '2026-01-01T00:00:00Z', close_reason });
    const text = [
      closed('bd-1', 'Cancelled: no budget'),
      closed('bd-2', 'unblocked the others, no errors'),
      line('bd-3', waits('bd-1', 'conditional-blocks')),
      line('bd-4', waits('bd-2', 'conditional-blocks')),
      // An ordinary link treats closed as done, as Beads does.
      line('bd-5', waits('bd-1', 'blocks')),
    ].join('\n');
    await importBeads(rm, { content: text, source: 'test' });
    expect(ready(rm)).toEqual(['bd-3', 'bd-5']);
    // Completes bd-1 again, this time successfully.
    await editTask(rm, { task: 'bd-1', status: 'ready' });
    await editTask(rm, { task: 'bd-1', status: 'done' });
    expect(ready(rm)).toEqual(['bd-5']);
  });
});

describe('waits-for', () => {
  it('waits for the task, or for all of its children, or for any, as it says', async () => {
    const rm = await openWithProject();
    await addTask(rm, { id: 'e', title: 'E', type: 'epic' });
    await addTask(rm, { id: 'one', title: '1', parent: 'e' });
    await addTask(rm, { id: 'two', title: '2', parent: 'e' });
    for (const [id, gate] of [
      ['plain', undefined],
      ['every', 'all-children'],
      ['first', 'any-children'],
    ] as const) {
      await addTask(rm, { id, title: id });
      await addDependency(rm, { task: id, depends_on: 'e', type: 'waits-for', gate });
    }
    expect(ready(rm)).toEqual(['one', 'two']);
    expect(explain(rm, 'first').holds).toEqual(['it waits for e or its parts (ready)']);
    await editTask(rm, { task: 'one', status: 'done' });
    expect(ready(rm)).toEqual(['first', 'two']);
    await editTask(rm, { task: 'two', status: 'failed', reason: 'no' });
    expect(ready(rm)).toEqual(['first']);
    await editTask(rm, { task: 'two', status: 'done' });
    expect(ready(rm)).toEqual(['every', 'first', 'plain']);
  });

  it('without children is an ordinary link, and no gate can be given to another type', async () => {
    const rm = await openWithProject();
    await addTask(rm, { id: 'a', title: 'A' });
    await addTask(rm, { id: 'b', title: 'B' });
    await addDependency(rm, { task: 'b', depends_on: 'a', type: 'waits-for', gate: 'any-children' });
    expect(ready(rm)).toEqual(['a']);
    await editTask(rm, { task: 'a', status: 'done' });
    expect(ready(rm)).toEqual(['b']);
    await expect(
      addDependency(rm, { task: 'b', depends_on: 'a', type: 'blocks', gate: 'any-children' }),
    ).rejects.toMatchObject({ code: 'TEXT_INVALID' });
  });

  it('keeps what Beads says about the gate, also while the other end is missing', async () => {
    const rm = await openWithProject();
    const metadata = '{"gate":"any-children"}';
    const text = `${line('bd-9', waits('bd-1', 'waits-for', { metadata }))}\n`;
    await importBeads(rm, { content: text, source: 'test' });
    expect(await beadsText(rm, {})).toBe(text);
    const later = [
      line('bd-1', { issue_type: 'epic' }),
      line('bd-1.1', { status: 'closed', closed_at: '2026-01-01T00:00:00Z', ...waits('bd-1', 'parent-child') }),
      line('bd-1.2', waits('bd-1', 'parent-child')),
    ].join('\n');
    expect(await importBeads(rm, { content: later, source: 'later' })).toMatchObject({ resolved: 1 });
    expect(ready(rm)).toEqual(['bd-1.2', 'bd-9']);
  });
});
