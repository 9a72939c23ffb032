import { type Page, readPage } from '@holdfast/base';
import { afterKey, engineOn, keyspaceErrors, prefixSuccessor } from '@holdfast/keyspace';

import type { DatabaseName, Databases } from '../adapters/databases.ts';
import { shownStored } from './shown-change.ts';

interface ShownKey {
  readonly key: string;
  readonly value: string;
  readonly encoding: 'json' | 'text' | 'hex';
}

export async function listKeys(
  databases: Databases,
  name: DatabaseName,
  { prefix, after, limit }: { readonly prefix: string; readonly after: string | undefined; readonly limit: number },
): Promise<Page<ShownKey>> {
  const database = await databases.get(name);
  if (database.kind !== 'keyspace') throw keyspaceErrors.NOT_A_KEYSPACE(`${name} holds tables, not keys`);
  const end = prefix === '' ? '\u{10ffff}' : prefixSuccessor(prefix);
  const start = after === undefined ? prefix : afterKey(after);
  const engine = engineOn(database);
  const { data, next_cursor } = await readPage(
    limit,
    async (count) => engine.range({ gte: start, lt: end, limit: count, reverse: false }),
    ([key]) => key,
  );
  return {
    data: data.map(([key, stored]) => ({ key, value: shownStored(key, stored) ?? '', encoding: encodingOf(stored) })),
    next_cursor,
  };
}

function encodingOf(stored: string | Uint8Array): ShownKey['encoding'] {
  if (typeof stored !== 'string') return 'hex';
  return /^[[{]/.test(stored) ? 'json' : 'text';
}
