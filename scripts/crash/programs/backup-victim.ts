/**
 * Makes a backup while writing. Writes each acknowledged number to a file, and prints "done" after the backup.
 * Arguments: database, target, file for the numbers.
 */
import { openSync, writeSync } from 'node:fs';

import { backupDatabase, openDatabase } from '@holdfast/sqlite';

import { addNumber, numbersPlan } from '../lib/numbers.ts';

const [path, target, toldFile] = process.argv.slice(2) as [string, string, string];
const database = await openDatabase({ path, kind: 'tables', migrations: numbersPlan });
const told = openSync(toldFile, 'a');
const over = new AbortController();

async function write(): Promise<void> {
  while (!over.signal.aborted) {
    writeSync(told, `${await addNumber(database)}\n`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

writeSync(1, 'started\n');
const writing = write();
await backupDatabase(database, target);
writeSync(1, 'done\n');
over.abort();
await writing;
await database.close();
