import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { describe, expect, it } from 'vitest';

import { run } from '../../../test/command.ts';
import { addTask, leftProcesses, makeProject, openState, runOnce, startRun, until } from '../../../test/running.ts';
import { type Received, startWebhook } from '../../../test/webhook.ts';

const notifier = resolve(import.meta.dirname, '../../../test/programs/fake-notifier.mjs');

/** Notifications that the command received. */
function told(folder: string): Received[] {
  const path = join(folder, 'told');
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as Received);
}

const settings = (more = ''): string =>
  `[notifications]\ncommand = ["${notifier}", "told"]\ntimeout_seconds = 30\n${more}`;

const byId = (received: readonly Received[]): Map<string, string> =>
  new Map(received.map(({ id, situation }) => [id, situation]));

describe('the supervisor tells people', () => {
  it('once about each thing that needs them, and when everything is done', async () => {
    const webhook = await startWebhook();
    const folder = makeProject({ more: settings(`webhook = "${webhook.url}"`) });
    const asks = addTask(folder, 'Asks', ['times 1 say ? Question: which one?', 'edit asked.txt yes']);
    const idle = addTask(folder, 'Idle', ['edit a.txt first']);
    await runOnce(folder);
    await runOnce(folder);
    const expected = new Map([
      [`${asks}-q1`, 'question'],
      [`${idle}-d1`, 'decision'],
    ]);
    expect(new Map(told(folder).map(({ task, situation }) => [task, situation]))).toEqual(expected);
    expect(told(folder)).toHaveLength(2);
    expect(byId(webhook.received)).toEqual(byId(told(folder)));
    run(folder, ['answer', `${asks}-q1`, 'this one']);
    run(folder, ['answer', `${idle}-d1`, 'no change was needed']);
    await runOnce(folder);
    await runOnce(folder);
    expect(
      told(folder)
        .map(({ situation }) => situation)
        .slice(2),
    ).toEqual(['all_done']);
  });

  it('once about a review and about a parked worker', async () => {
    const folder = makeProject({ run: 'review = "person"', more: settings() });
    const id = addTask(folder, 'Work', ['edit work.txt done']);
    await runOnce(folder);
    addTask(folder, 'Limited', ['warn Error: 429 Too Many Requests', 'exit 1']);
    await runOnce(folder);
    await runOnce(folder);
    expect(told(folder).map(({ situation, task, worker }) => [situation, task ?? worker])).toEqual([
      ['review', id],
      ['worker_parked', 'fake-1'],
    ]);
  });
});

describe('a notification, with the supervisor killed', () => {
  it.each(['claimed', 'sent', 'recorded'])(
    'after "%s" is delivered by the next run with the same id',
    async (point) => {
      const folder = makeProject({ more: settings() });
      addTask(folder, 'Idle', ['edit a.txt first']);
      const killed = startRun(folder, ['--once'], { HOLDFAST_FAILPOINT: `ringmaster.notify.${point}:1` });
      expect(await killed.ended).toEqual({ code: null, signal: 'SIGKILL' });
      expect(told(folder)).toHaveLength(point === 'claimed' ? 0 : 1);
      await until('no orphan is left', () => leftProcesses(folder).length === 0);
      const state = await openState(folder);
      // The dead supervisor may still be sending, so the next attempt to send waits for the time limit. The test skips
      // this wait.
      await state.store.write('run: due', (tx) => tx.run(`UPDATE notifications SET next_attempt_at = '2000'`));
      await runOnce(folder);
      expect(byId(told(folder))).toEqual(new Map([[expect.any(String) as string, 'decision']]));
      expect(told(folder)).toHaveLength(point === 'sent' ? 2 : 1);
      expect(state.store.reader.all('SELECT * FROM notifications')).toEqual([]);
    },
  );
});
