/**
 * After "go", increments a shared counter as often as possible for the given time, and prints the number of increments.
 * Arguments: database, name, milliseconds.
 */
import { once } from 'node:events';

import { MINUTE } from '@holdfast/base';

import { openDatabase } from '../../src/index.ts';

const [path, name, milliseconds] = process.argv.slice(2) as [string, string, string];
// A test holds the lock until all processes wait, which takes a long time on a busy machine.
const database = await openDatabase({ path, kind: 'tables', lock: { timeoutMs: 10 * MINUTE } });
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
