import { type Engine, Keyspace } from '@holdfast/keyspace';
import type { Audiobooks } from '../src/service/audiobooks.ts';

/** Wraps a database engine and counts the entries that are read. */
export function counting(audiobooks: Audiobooks): { readonly audiobooks: Audiobooks; readonly reads: () => number } {
  let count = 0;
  const { engine, schema } = audiobooks.store;
  const counted: Engine = {
    ...engine,
    get(key) {
      count += 1;
      return engine.get(key);
    },
    async range(range) {
      const entries = await engine.range(range);
      count += entries.length;
      return entries;
    },
    async snapshot() {
      const snapshot = await engine.snapshot();
      return {
        ...snapshot,
        get(key) {
          count += 1;
          return snapshot.get(key);
        },
        async range(range) {
          const entries = await snapshot.range(range);
          count += entries.length;
          return entries;
        },
        release: () => snapshot.release(),
      };
    },
  };
  return { audiobooks: { ...audiobooks, store: new Keyspace(counted, schema) }, reads: () => count };
}
