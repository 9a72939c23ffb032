/**
 * Adds notes to the plans in a data home, wherever they are stored, and prints the number of each after it is
 * committed. Ends when it reads a line. Arguments: data home, session.
 */
import { writeSync } from 'node:fs';
import { join } from 'node:path';

import { delay, storeAddress, toTimestamp } from '@holdfast/base';
import { type Engine, Keyspace, sqliteEngine } from '@holdfast/keyspace';
import { postgresEngine } from '@holdfast/postgres';

import { schema } from '../../../apps/np/src/store/definitions.ts';

const [home, sid] = process.argv.slice(2) as [string, string];
const over = new AbortController();
process.stdin.once('data', () => over.abort());

async function open(): Promise<Engine> {
  const address = storeAddress(home, {}, 'np');
  if (address === undefined) return sqliteEngine({ path: join(home, 'np.db'), create: false });
  return postgresEngine({ address, space: 'np' });
}

for (let n = 0; !over.signal.aborted;) {
  const engine = await open();
  const keyspace = new Keyspace(engine, schema);
  try {
    while (!over.signal.aborted) {
      const note = { text: String(n), at: toTimestamp(Date.now()) };
      await keyspace.transact((transaction) => transaction.put(schema.notes, { sid, id: 'x', seq: n }, note));
      writeSync(1, `${n}\n`);
      n += 1;
      await delay(5);
    }
  } catch (error) {
    if ((error as { code?: string }).code !== 'STORE_MOVED') throw error;
    await delay(20);
  } finally {
    await engine.close();
  }
}
process.exit();
