/**
 * Repeats a read, each time with the next disk call failing, until a read meets no fault. Prints the result of each
 * read. Needs the fault shim. Arguments: database.
 */
import { existsSync, rmSync, writeFileSync } from 'node:fs';

import { isHoldfastError } from '@holdfast/base';

import { openDatabase } from '../../src/index.ts';

const [path] = process.argv.slice(2) as [string];
const control = process.env['HOLDFAST_FAULT_CONTROL'] as string;
const EIO = 5;

for (let n = 1; ; n++) {
  const database = await openDatabase({ path, kind: 'tables' });
  rmSync(`${control}.fired`, { force: true });
  writeFileSync(control, `${n} reads ${n} ${EIO} on test.db`);
  let outcome = 'read';
  try {
    database.all('SELECT sum(length(padding)) AS sum FROM numbers');
  } catch (error) {
    outcome = isHoldfastError(error) ? error.code : String(error);
  }
  rmSync(control, { force: true });
  const { sum } = database.get<{ sum: number }>('SELECT sum(length(padding)) AS sum FROM numbers')!;
  process.stdout.write(`${outcome} then ${sum}\n`);
  await database.close();
  if (!existsSync(`${control}.fired`)) break;
}
