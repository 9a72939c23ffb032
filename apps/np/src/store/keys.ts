import { afterKey, type Entry, prefixSuccessor } from '@holdfast/keyspace';
import type { Store } from './open.ts';

const PAGE = 1_000;

/** Keys and values as they are stored, in order. */
export async function* storedEntries(store: Store, prefix: string): AsyncGenerator<Entry, void, undefined> {
  const lt = prefix === '' ? '\u{10ffff}' : prefixSuccessor(prefix);
  let gte = prefix;
  for (;;) {
    const entries = await store.engine.range({ gte, lt, limit: PAGE, reverse: false });
    yield* entries;
    const last = entries.at(-1);
    if (last === undefined || entries.length < PAGE) return;
    gte = afterKey(last[0]);
  }
}
