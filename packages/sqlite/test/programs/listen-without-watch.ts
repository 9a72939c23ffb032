/**
 * Prints a line when it notices a commit, on a system without file watching. Needs the fault shim. Arguments: database.
 */
import { openDatabase } from '../../src/index.ts';

const [path] = process.argv.slice(2) as [string];
const database = await openDatabase({ path, kind: 'tables', signal: { pollMs: 50 } });
const start = database.revision();
const stop = database.onChange(() => {
  if (database.revision() === start) return;
  stop();
  process.stdout.write('heard\n');
});
process.stdout.write('listening\n');
