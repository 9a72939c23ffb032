/**
 * After "go", increments a shared counter as fast as it can for the given time, and prints how often it did.
 * Arguments: database, name, milliseconds.
 */
import { once } from 'node:events';

import { openDatabase } from '../../src/index.ts';

const [path, name, milliseconds] = process.argv.slice(2) as [string, string, string];
const database = await openDatabase({ path, kind: 'tables' });
process.stdout.write('ready\n');
await once(process.stdin, 'data');
const end = performance.now() + Number(milliseconds);
let done = 0;
while (performance.now() < end) {
  await database.write(({ connection }) => {
    connection.run('UPDATE counter SET n = n + 1');
    connection.run('INSERT INTO owners (owner) VALUES (?)', name);
  });
  done += 1;
}
await database.close();
process.stdout.write(`done ${done}\n`);
process.stdin.destroy();
