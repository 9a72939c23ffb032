import { expect, it } from 'vitest';
import { freshProfile, onBothBackends } from '../../test/both-backends.ts';
import { type Finished, runProgram } from '../../test/processes.ts';
import { utaskOn } from '../service/open-utask.ts';
import type { Utask } from './utask.ts';

const PROCESSES = 16;

onBothBackends('sixteen processes on three tags', (backend) => {
  const start = (profile: string, n: number, operations: number, killAfterMs?: number): Promise<Finished> =>
    runProgram('worker', [JSON.stringify(backend.place()), profile, String(n), String(operations)], killAfterMs);

  it('lose nothing, and leave an index that needs no repair', async () => {
    const profile = freshProfile();
    const operations = Number(process.env['UTASK_OPERATIONS'] ?? 20);
    const ends = await Promise.all(Array.from({ length: PROCESSES }, (_, n) => start(profile, n, operations)));
    for (const { lines, errors } of ends) expect(lines.at(-1), errors).toBe('finished');
    const utask = utaskOn(await backend.open(profile));
    await expectAcknowledged(utask, ends);
    expect(await utask.check()).toMatchObject({ missing: [], stale: [] });
    expect(await utask.rebuildIndex()).toMatchObject({ added: 0, removed: 0 });
    await utask.close();
  });

  it('that are killed at random leave right answers even before any repair', async () => {
    const profile = freshProfile();
    const ends = await Promise.all(
      Array.from({ length: PROCESSES }, (_, n) => start(profile, n, 100_000, 200 + n * 150)),
    );
    expect(ends.every(({ signal }) => signal === 'SIGKILL')).toBe(true);
    const utask = utaskOn(await backend.open(profile));
    await expectAcknowledged(utask, ends);
    expect((await utask.check()).missing).toEqual([]);
    await utask.rebuildIndex();
    expect(await utask.check()).toMatchObject({ missing: [], stale: [] });
    await utask.close();
  });
});

/** Acknowledged changes must exist, interrupted ones may exist, and queries must agree with the tasks. */
async function expectAcknowledged(utask: Utask, ends: readonly Finished[]): Promise<void> {
  const certain = new Map<string, string>();
  const open = new Set<string>();
  const gone = new Set<string>();
  for (const { lines } of ends) {
    expect(lines).not.toContain('WRONG answer');
    for (const line of lines) {
      const [verb, id = '', tags = ''] = line.split(' ');
      if (verb === 'added' || verb === 'retagged') certain.set(id, tags);
      if (verb === 'deleted') gone.add(id);
      if (verb === 'retagging' || verb === 'deleting') open.add(id);
      if (verb === 'retagged' || verb === 'deleted') open.delete(id);
    }
  }
  const tasks = await utask.query();
  const byId = new Map(tasks.map((task) => [task.id, task]));
  for (const [id, tags] of certain) {
    if (open.has(id)) continue;
    expect(byId.has(id)).toBe(!gone.has(id));
    if (!gone.has(id)) expect(byId.get(id)?.tags.join(',')).toBe(tags);
  }
  for (const tag of ['red', 'green', 'blue']) {
    const expected = tasks.filter((task) => task.tags.includes(tag)).map(({ id }) => id);
    expect((await utask.query({ any: [tag] })).map(({ id }) => id)).toEqual(expected);
  }
}
