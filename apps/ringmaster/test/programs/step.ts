/**
 * Runs one step in its own process, so a crash test can interrupt it. Arguments: directory, current time in
 * milliseconds, action, argument of the action.
 */
import { workspaceAt } from '../../src/adapters/workspace.ts';
import { defaultConfig } from '../../src/model/config.ts';
import { backup, cleanUp } from '../../src/service/backup.ts';
import { report } from '../../src/service/queue.ts';
import { restoreAt } from '../../src/service/restore.ts';
import { openRingmaster } from '../../src/service/ringmaster.ts';

const [root = '', moment = '', action = '', argument = ''] = process.argv.slice(2);
const rm = await openRingmaster({
  workspace: workspaceAt(root, defaultConfig),
  clock: () => Number(moment),
  random: Math.random,
  actor: { type: 'person', id: 'tester' },
});
const steps: Readonly<Record<string, () => Promise<unknown>>> = {
  report: () => report(rm, { token: Number(argument), status: 'completed', output: 'the output' }),
  backup: () => backup(rm),
  restore: () => restoreAt(rm, argument),
  cleanup: () => cleanUp(rm),
};
await steps[action]?.();
await rm.store.close();
process.stdout.write('done\n');
