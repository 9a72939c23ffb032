import { join } from 'node:path';

import { engineOn, Keyspace, type Schema, text } from '@holdfast/keyspace';
import { type Database, openDatabase } from '@holdfast/sqlite';

const anything = text('s/{id}');
const schema: Schema = { anything };

/** Opens a keyspace under a database name that the command knows. */
export async function openSample(home: string, name = 'utask'): Promise<{ database: Database; keyspace: Keyspace }> {
  const database = await openDatabase({ path: join(home, `${name}.db`), kind: 'keyspace' });
  return { database, keyspace: new Keyspace(engineOn(database), schema) };
}

export function write(
  keyspace: Keyspace,
  values: Readonly<Record<string, string | Uint8Array | undefined>>,
): Promise<void> {
  return keyspace.transact((transaction) => {
    for (const [key, value] of Object.entries(values)) transaction.writeKey(key, value);
    return Promise.resolve();
  });
}

export async function openTables(path: string): Promise<Database> {
  const up = (connection: { exec(sql: string): void }): void =>
    connection.exec('CREATE TABLE thing (id INTEGER PRIMARY KEY, name TEXT, weight REAL, picture BLOB)');
  return openDatabase({
    path,
    kind: 'tables',
    migrations: { scope: 'sample', steps: [{ version: 1, description: 'things', up }] },
  });
}
