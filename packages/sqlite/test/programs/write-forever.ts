/** Writes numbered rows until it is killed, and prints each number after its commit. Arguments: database. */
import { writeSync } from 'node:fs';

import { openDatabase } from '../../src/index.ts';

const [path] = process.argv.slice(2) as [string];
const database = await openDatabase({ path, kind: 'tables' });
for (let n = 1; ; n++) {
  await database.write(({ connection }) => {
    connection.run('INSERT INTO notes (text) VALUES (?)', `from the killed writer ${n}`);
  });
  writeSync(1, `committed ${n}\n`);
}
