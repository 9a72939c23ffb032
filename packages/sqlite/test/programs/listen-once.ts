/**
 * Subscribes. After the first change, closes the database or only unsubscribes. The process must end by itself.
 * Arguments: database, "close" | "unsubscribe".
 */
import { openDatabase } from '../../src/index.ts';

const [path, how] = process.argv.slice(2) as [string, string];
const database = await openDatabase({ path, kind: 'tables' });
await new Promise<void>((resolve) => {
  const stop = database.onChange(() => {
    if (how === 'unsubscribe') stop();
    resolve();
  });
  void database.write(({ connection }) => {
    connection.run(`INSERT INTO t (v) VALUES ('own')`);
  });
});
if (how === 'close') await database.close();
process.stdout.write('heard\n');
