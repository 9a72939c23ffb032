/** Prints "opening", opens the database, and prints its rows and inode. Arguments: database. */
import { statSync } from 'node:fs';

import { openDatabase } from '../../src/index.ts';

const [path] = process.argv.slice(2) as [string];
process.stdout.write('opening\n');
const database = await openDatabase({ path, kind: 'tables' });
const notes = database.all<{ text: string }>('SELECT text FROM notes ORDER BY id').map(({ text }) => text);
await database.write(({ connection }) => {
  connection.run(`INSERT INTO notes (text) VALUES ('from the one who waited')`);
});
process.stdout.write(`opened ${JSON.stringify({ notes, file: String(statSync(path).ino) })}\n`);
await database.close();
