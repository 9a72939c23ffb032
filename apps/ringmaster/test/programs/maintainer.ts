/** Runs maintenance on a database until it is killed. Argument: directory. */
import { workspaceAt } from '../../src/adapters/workspace.ts';
import { defaultConfig } from '../../src/model/config.ts';
import { runMaintenance } from '../../src/service/maintenance.ts';
import { openRingmaster } from '../../src/service/ringmaster.ts';
import { maintenanceOwner } from '../../src/store/meta.ts';

const [root = ''] = process.argv.slice(2);
const rm = await openRingmaster({
  workspace: workspaceAt(root, defaultConfig),
  clock: Date.now,
  random: Math.random,
  actor: { type: 'system', id: 'maintenance' },
});
const ended = runMaintenance(rm, { signal: new AbortController().signal, pid: process.pid });
while (maintenanceOwner(rm.store.reader) === undefined) await new Promise((resolve) => setTimeout(resolve, 10));
process.stdout.write('maintaining\n');
await ended;
