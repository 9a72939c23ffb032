import { afterKey } from '@holdfast/keyspace';
import { eventNumbers, userTallies } from '../../store/definitions.ts';
import type { Audiobooks } from '../audiobooks.ts';

/** Yields every user with events, skipping from one to the next. */
export async function* listeningUsers({ store }: Audiobooks): AsyncGenerator<string, void, undefined> {
  const { template } = eventNumbers;
  const { gte: first, lt } = template.range({});
  for (let gte = first; ;) {
    const [entry] = await store.engine.range({ gte, lt, limit: 1, reverse: false });
    if (entry === undefined) return;
    const user = template.decode(entry[0])?.['user'];
    if (typeof user === 'string') yield user;
    gte = afterKey(entry[0]);
  }
}

/** Includes users whose events were all pruned. */
export async function tallyUsers({ store }: Audiobooks): Promise<ReadonlySet<string>> {
  const users = new Set<string>();
  for (const side of ['now', 'kept'] as const) {
    for (const { key } of await store.entries(userTallies, { side })) users.add(key.user);
  }
  return users;
}
