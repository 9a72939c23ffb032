import { afterKey, engineOn, keyspaceErrors, prefixSuccessor } from '@holdfast/keyspace';

import type { DatabaseName, Databases } from '../adapters/databases.ts';
import { shownStored } from './shown-change.ts';

interface ShownKey {
  readonly key: string;
  readonly value: string;
  readonly encoding: 'json' | 'text' | 'hex';
}

export interface KeyPage {
  readonly keys: readonly ShownKey[];
  /** The last key of this page, when there are more. */
  readonly next: string | undefined;
}

export async function listKeys(
  databases: Databases,
  name: DatabaseName,
  { prefix, after, limit }: { readonly prefix: string; readonly after: string | undefined; readonly limit: number },
): Promise<KeyPage> {
  const database = await databases.get(name);
  if (database.kind !== 'keyspace') throw keyspaceErrors.NOT_A_KEYSPACE(`${name} holds tables, not keys`);
  const end = prefix === '' ? '\u{10ffff}' : prefixSuccessor(prefix);
  const start = after === undefined ? prefix : afterKey(after);
  const entries = await engineOn(database).range({ gte: start, lt: end, limit: limit + 1, reverse: false });
  const shown = entries.slice(0, limit);
  return {
    keys: shown.map(([key, stored]) => {
      const value = shownStored(key, stored) ?? '';
      return { key, value, encoding: encodingOf(stored) };
    }),
    next: entries.length > limit ? shown.at(-1)?.[0] : undefined,
  };
}

function encodingOf(stored: string | Uint8Array): ShownKey['encoding'] {
  if (typeof stored !== 'string') return 'hex';
  return /^[[{]/.test(stored) ? 'json' : 'text';
}
