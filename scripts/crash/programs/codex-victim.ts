/**
 * Runs a scenario until it is done and committed; with "recover" only finishes pending work. Arguments: data home, name
 * of the scenario or "recover".
 */
import { writeSync } from 'node:fs';

import { notebookOf } from '../../../apps/codex/src/store/notebooks.ts';
import { NOTEBOOK, openWork, settle } from '../lib/codex-notebook.ts';
import { scenarios } from '../lib/codex-scenarios.ts';

const [home, name] = process.argv.slice(2) as [string, string];
const codex = await openWork(home);
writeSync(1, 'started\n');
const scenario = scenarios.find((each) => each.name === name);
if (scenario !== undefined) {
  const { requests, isBatch, syncs } = scenario;
  if (requests.length > 0) {
    await codex.publish({ notebookId: NOTEBOOK, author: 'Ada', requests, isBatch: isBatch ?? false });
    writeSync(1, 'acknowledged\n');
  }
  if (syncs !== undefined) await codex.publishSync(notebookOf(codex.store.reader, NOTEBOOK), syncs);
}
await settle(codex);
if (scenario !== undefined) {
  await codex.run({ notebookId: NOTEBOOK, author: 'Ada', requests: [{ type: 'batch_commit' }] }, 60_000);
}
writeSync(1, 'done\n');
await codex.close();
