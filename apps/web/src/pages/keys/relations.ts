import type { Commit, DatabaseName } from '../../api/types.ts';
import { recordOf } from './index-records.ts';

/**
 * The record of a key and its index keys, according to recent commits: a record does not list its indexes, but both
 * are always written together.
 */
export interface Relations {
  readonly record: string;
  readonly indexes: readonly string[];
}

export function relationsOf(
  name: DatabaseName,
  key: { readonly text: string; readonly value: string },
  commits: readonly Commit[],
): Relations {
  const record = recordOf(name, key.text, key.value) ?? key.text;
  const indexes = new Map<string, boolean>();
  // Newest first, so that the first entry about a key is its current state.
  for (const { changes } of commits) {
    for (const { key: other, before, after } of changes) {
      if (other === record || indexes.has(other)) continue;
      if (recordOf(name, other, after ?? before ?? '') === record) indexes.set(other, after !== null);
    }
  }
  if (key.text !== record) indexes.set(key.text, true);
  return { record, indexes: [...indexes].filter(([, isThere]) => isThere).map(([each]) => each) };
}
