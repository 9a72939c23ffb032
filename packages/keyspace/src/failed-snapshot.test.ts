import { describe, expect, it } from 'vitest';

import { memoryEngine } from './engines/memory.ts';
import { openKeyspace } from './keyspace.ts';
import { text } from './schema/record-definitions.ts';

describe('a transaction', () => {
  it('fails when its snapshot cannot be opened, without an unhandled rejection', async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown): unknown => unhandled.push(reason);
    process.on('unhandledRejection', note);
    try {
      const motto = text('motto');
      const engine = { ...memoryEngine(), snapshot: () => Promise.reject(new Error('closed')) };
      const keyspace = await openKeyspace({ engine, schema: { motto } });
      await expect(keyspace.transact((tx) => tx.get(motto, {}))).rejects.toThrow('closed');
      await new Promise((resolve) => setImmediate(resolve));
      expect(unhandled).toEqual([]);
    } finally {
      process.off('unhandledRejection', note);
    }
  });
});
