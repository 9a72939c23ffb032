import { type Keyspace, openKeyspace, sqliteEngine, text } from '@holdfast/keyspace';
import { bucketNames, TASK_HISTORY } from '../model/buckets.ts';
import { checkedTime } from '../model/task.ts';
import type { Bucket, Buckets, Entry, KeyValue } from './bucket.ts';

interface EmbeddedBucketOptions {
  readonly name: string;
  /** Number of states kept for each key, including the current one. */
  readonly history: number;
  readonly now: () => number;
}

/** The largest character, for the end of a range of keys with a prefix. */
const LAST = '\u{10FFFF}';

/**
 * A bucket in a keyspace. `<bucket>/<key>` holds the same bytes as a NATS bucket; revisions are under `meta/`, earlier
 * states under `history/`.
 */
class EmbeddedBucket implements Bucket {
  readonly name: string;
  readonly #db: Keyspace;
  readonly #definitions: Definitions;
  readonly #history: number;
  readonly #now: () => number;

  constructor(db: Keyspace, { name, history, now }: EmbeddedBucketOptions) {
    this.name = name;
    this.#db = db;
    this.#definitions = definitionsOf(name);
    this.#history = history;
    this.#now = now;
  }

  get(key: string): Promise<Entry | undefined> {
    const { meta, values } = this.#definitions;
    return this.#db.snapshot(async (then) => {
      const facts = parseMeta(await then.get(meta, { key }));
      return facts === undefined ? undefined : { key, value: await then.get(values, { key }), ...facts };
    });
  }

  values(keys: readonly string[]): Promise<readonly (string | undefined)[]> {
    return this.#db.getMany(
      this.#definitions.values,
      keys.map((key) => ({ key })),
    );
  }

  async scan(): Promise<readonly KeyValue[]> {
    const found = await this.#db.entries(this.#definitions.values, {});
    return found.map(({ key, value }): KeyValue => [key.key, value]);
  }

  async keys(beginning: string): Promise<readonly string[]> {
    const bounds = beginning === '' ? {} : { start: beginning, end: beginning + LAST };
    const found = await this.#db.entries(this.#definitions.meta, {}, bounds);
    return found.map(({ key }) => key.key);
  }

  replace(key: string, value: string | undefined, expected: number): Promise<number | undefined> {
    const { meta, values, history } = this.#definitions;
    return this.#db.transact(async (tx) => {
      const before = parseMeta(await tx.get(meta, { key }));
      if ((before?.revision ?? 0) !== expected) return undefined;
      const at = checkedTime(this.#now());
      // A purged key must not reuse old revisions, which a client may still hold.
      const revision = before === undefined || before.revision === 0 ? at : before.revision + 1;
      if (value === undefined) await tx.delete(values, { key });
      else await tx.put(values, { key }, value);
      await tx.put(meta, { key }, `${revision} ${at}`);
      if (this.#history > 1) {
        await tx.put(history, { key, revision }, value === undefined ? `${at}` : `${at}\n${value}`);
        const kept = await tx.entries(history, { key });
        const excess = kept.slice(0, Math.max(0, kept.length - this.#history));
        for (const { key: old } of excess) await tx.delete(history, old);
      }
      return revision;
    });
  }

  async history(key: string): Promise<readonly Entry[]> {
    const kept = await this.#db.entries(this.#definitions.history, { key });
    return kept.map(({ key: { revision }, value: stored }) => {
      const end = stored.indexOf('\n');
      const value = end < 0 ? undefined : stored.slice(end + 1);
      return { key, value, revision, at: Number.parseInt(stored, 10) };
    });
  }

  async purge(olderThanMs: number): Promise<number> {
    const { meta, values, history } = this.#definitions;
    const limit = this.#now() - olderThanMs;
    const found = await this.#db.entries(meta, {});
    const old = found.filter(({ value }) => (parseMeta(value)?.at ?? limit) < limit).map(({ key }) => key.key);
    let count = 0;
    for (const key of old) {
      const isGone = await this.#db.transact(async (tx) => {
        const facts = parseMeta(await tx.get(meta, { key }));
        if (facts === undefined || facts.at >= limit || (await tx.get(values, { key })) !== undefined) return false;
        for (const { key: kept } of await tx.entries(history, { key })) await tx.delete(history, kept);
        return tx.delete(meta, { key });
      });
      if (isGone) count += 1;
    }
    return count;
  }

  async watch(signal: AbortSignal): Promise<AsyncIterable<Entry>> {
    const since = await this.#db.revision();
    return this.#changes(since, signal);
  }

  async *#changes(since: number, signal: AbortSignal): AsyncGenerator<Entry, void, undefined> {
    const { meta, values } = this.#definitions;
    const prefix = meta.template.prefix({});
    for await (const { changes } of this.#db.watchPrefix('', { since, signal })) {
      const changesByKey = new Map(changes.map((change) => [change.key, change]));
      for (const { key: stored, before, after } of changes) {
        const decoded = stored.startsWith(prefix) ? meta.template.decode(stored) : undefined;
        const facts = factsOf(after) ?? factsOf(before);
        if (decoded === undefined || facts === undefined) continue;
        const key = decoded['key'] as string;
        const written = changesByKey.get(values.template.encode({ key }));
        // The key was purged, or the database was restored to a time before the key existed.
        if (after === undefined && written?.before === undefined) continue;
        // The commit contains the value only if the value changed.
        const value =
          written === undefined ? await this.#db.get(values, { key }) : (written.after as string | undefined);
        yield { key, value, ...facts };
      }
    }
  }
}

function factsOf(stored: unknown): ReturnType<typeof parseMeta> {
  return typeof stored === 'string' ? parseMeta(stored) : undefined;
}

type Definitions = ReturnType<typeof definitionsOf>;

export function definitionsOf(name: string) {
  return {
    values: text(`${name}/{key}` as 'bucket/{key}'),
    meta: text(`meta/${name}/{key}` as 'meta/bucket/{key}'),
    history: text(`history/${name}/{key}/{revision:u64}` as 'history/bucket/{key}/{revision:u64}'),
  };
}

/** The buckets of all profiles, for `holdfast verify`. */
export const schema = {
  values: text('{bucket}/{key}'),
  meta: text('meta/{bucket}/{key}'),
  history: text('history/{bucket}/{key}/{revision:u64}'),
} as const;

function parseMeta(stored: string | undefined): { readonly revision: number; readonly at: number } | undefined {
  if (stored === undefined) return undefined;
  const [, revision, at] = /^(\d{1,15}) (\d{1,15})$/.exec(stored) ?? [];
  // Damaged text counts as revision 0, so the value stays readable, and the next change writes a new revision.
  return { revision: Number(revision ?? 0), at: Number(at ?? 0) };
}

export interface EmbeddedOptions {
  readonly path: string;
  readonly profile?: string | undefined;
  readonly now: () => number;
  /** Called with each key whose value is unreadable and left out. */
  readonly onUnreadable?: ((key: string) => void) | undefined;
}

/** Returns the buckets in a database on this machine. */
export async function openEmbedded({
  path,
  profile,
  now,
  onUnreadable = () => undefined,
}: EmbeddedOptions): Promise<Buckets> {
  const names = bucketNames(profile);
  const db = await openKeyspace({ engine: await sqliteEngine({ path }), schema, onUnreadable });
  return {
    tasks: new EmbeddedBucket(db, { name: names.tasks, history: TASK_HISTORY, now }),
    tags: new EmbeddedBucket(db, { name: names.tags, history: 1, now }),
    facts: {
      backend: 'embedded',
      where: path,
      durability: 'An acknowledged change survives a crash and a power cut.',
      lacks: [],
    },
    replication: async () => [],
    close: (options) => db.close(options),
  };
}
