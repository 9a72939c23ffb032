/**
 * Opens the notebook in a data home, adds the remote if it is missing, and syncs. Tests kill this program at a
 * failpoint.
 */
import { join } from 'node:path';

import { settingsFrom } from '../../src/model/settings.ts';
import { openCodex } from '../../src/service/codex.ts';
import { registerNotebook } from '../../src/service/notebooks.ts';
import { addRemote, syncNotebook } from '../../src/service/remotes.ts';
import { allRemotes } from '../../src/store/remotes.ts';

const [home = '', remote = ''] = process.argv.slice(2);
const codex = await openCodex({
  home,
  databasePath: join(home, 'codex.db'),
  settings: { ...settingsFrom({}), watch: false, sync_interval: 0 },
});
if (codex.notebooks().length === 0) await registerNotebook(codex, { name: 'notes' });
if (allRemotes(codex.store.reader).length === 0) {
  await addRemote(codex, { name: 'origin', url: remote, allow_path: true });
}
const [notebook] = codex.notebooks();
if (notebook !== undefined) await codex.reconcile(notebook, 60_000);
await syncNotebook(codex, {});
await codex.close();
