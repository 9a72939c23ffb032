/**
 * Claims tasks and reports them as fast as it can. Prints a line after each claim and each report. Arguments: directory,
 * worker, lease in seconds, longest task duration in milliseconds.
 */
import { writeSync } from 'node:fs';

import { workspaceAt } from '../../src/adapters/workspace.ts';
import { defaultConfig } from '../../src/model/config.ts';
import { claimNext, report } from '../../src/service/queue.ts';
import { openRingmaster } from '../../src/service/ringmaster.ts';

const [root = '', worker = '', lease = '1', taskMs = '0'] = process.argv.slice(2);
const config = { ...defaultConfig, queue: { ...defaultConfig.queue, lease_seconds: Number(lease) } };
const rm = await openRingmaster({
  workspace: workspaceAt(root, config),
  config,
  clock: Date.now,
  random: Math.random,
  actor: { type: 'worker', id: worker },
});
const say = (...words: readonly (string | number)[]): void => {
  writeSync(1, `${words.join(' ')}\n`);
};

say('ready');
for (;;) {
  const claimed = await claimNext(rm, { worker, pid: process.pid }).catch((error: Error) => {
    // A killed worker keeps its slot until the lease expires.
    if ('code' in error && error.code === 'WORKER_UNAVAILABLE') return undefined;
    throw error;
  });
  if (claimed === undefined) {
    const left = rm.store.reader.get<{ n: number }>(`SELECT count(*) AS n FROM tasks WHERE status <> 'done'`)?.n ?? 0;
    if (left === 0) break;
    await new Promise((resolve) => setTimeout(resolve, 20));
    continue;
  }
  const { task, attempt } = claimed;
  say('claimed', task.id, attempt.id);
  if (Number(taskMs) > 0) await new Promise((resolve) => setTimeout(resolve, Math.random() * Number(taskMs)));
  try {
    await report(rm, { token: attempt.id, status: 'completed' });
    say('reported', task.id, attempt.id);
  } catch (error) {
    say('refused', task.id, attempt.id, (error as { code?: string }).code ?? 'UNKNOWN');
  }
}
say('finished');
await rm.store.close();
