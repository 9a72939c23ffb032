/** Adds one row per input line, and prints a line after each commit. Arguments: database. */
import { createInterface } from 'node:readline';

import { openDatabase } from '../../src/index.ts';

const [path] = process.argv.slice(2) as [string];
const database = await openDatabase({ path, kind: 'tables' });
process.stdout.write('ready\n');
for await (const line of createInterface({ input: process.stdin })) {
  const { revision } = await database.write(({ connection }) => {
    connection.run('INSERT INTO t (v) VALUES (?)', line);
  });
  process.stdout.write(`committed ${line} ${revision}\n`);
}
await database.close();
