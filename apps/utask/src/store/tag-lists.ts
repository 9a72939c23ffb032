import { SerialQueues } from '@holdfast/base';

import type { Bucket, Entry } from './bucket.ts';
import { keyToTag, tagToKey } from '../model/tag.ts';
import { utaskErrors } from '../model/errors.ts';
import { isTaskId } from '../model/task.ts';

export interface TagListOptions {
  readonly pause: (attempt: number) => Promise<void>;
  /** Ids per value. NATS allows 1 MiB, but every addition rewrites the whole value, so small values are faster. */
  readonly shardSize?: number;
}

export interface Shard {
  readonly key: string;
  readonly revision: number;
  readonly at: number;
  readonly ids: readonly string[];
}

export interface Located {
  readonly tag: string;
  readonly shards: readonly Shard[];
}

interface Batch {
  readonly ids: Set<string>;
  readonly written: Promise<void>;
}

const SHARD_SIZE = 500;
const ATTEMPTS_MAX = 2_000;
const REMEMBERED_MAX = 256;

/**
 * The ids of the tasks with a tag, one per line, in shards: `<tag>` and, when that shard is full, `<tag>.1`, `<tag>.2`
 * …. An id may be in any shard; all shards form one list.
 *
 * Concurrent additions to the same tag are written together.
 */
export class TagLists {
  readonly #bucket: Bucket;
  readonly #pause: TagListOptions['pause'];
  readonly #shardSize: number;
  readonly #batches = new Map<string, Batch>();
  readonly #writing = new SerialQueues();
  /**
   * The last written shard of each tag. While it has room, the next write uses it without reading it first, because
   * other writers are rare.
   */
  readonly #known = new Map<string, Shard>();

  constructor(bucket: Bucket, { pause, shardSize = SHARD_SIZE }: TagListOptions) {
    this.#bucket = bucket;
    this.#pause = pause;
    this.#shardSize = shardSize;
  }

  async shards(tag: string): Promise<readonly Shard[]> {
    const base = tagToKey(tag);
    const [first, more] = await Promise.all([this.#bucket.get(base), this.#bucket.keys(`${base}.`)]);
    const others = await Promise.all(more.map((key) => this.#bucket.get(key)));
    return [first, ...others].filter((entry) => entry !== undefined).map(toShard);
  }

  /** All lists, for checking and rebuilding. */
  async all(): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
    const idsByTag = new Map<string, Set<string>>();
    for (const [key, value] of await this.#bucket.scan()) {
      const tag = keyToTag(key.replace(/\.\d+$/, ''));
      if (tag === undefined) continue;
      const ids = idsByTag.get(tag) ?? new Set();
      for (const id of linesOf(value)) ids.add(id);
      idsByTag.set(tag, ids);
    }
    return idsByTag;
  }

  /** Adds an id that is new to this tag. */
  append(tag: string, id: string): Promise<void> {
    const waiting = this.#batches.get(tag);
    if (waiting !== undefined) {
      waiting.ids.add(id);
      return waiting.written;
    }
    const ids = new Set([id]);
    const written = this.#writing.run(tag, () => {
      this.#batches.delete(tag);
      return this.#write(tag, ids);
    });
    this.#batches.set(tag, { ids, written });
    return written;
  }

  /** Adds an id. If a shard already has it, writes the shard again, so that a concurrent removal conflicts. */
  async ensure(tag: string, id: string): Promise<void> {
    for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
      const present = (await this.shards(tag)).find(({ ids }) => ids.includes(id));
      if (present === undefined) return this.append(tag, id);
      if ((await this.#replace(present, present.ids)) !== undefined) return;
      await this.#pause(attempt);
    }
    throw contended(tag);
  }

  /** Returns the shards of each list that have the id. */
  async locate(tags: readonly string[], id: string): Promise<readonly Located[]> {
    return Promise.all(
      tags.map(async (tag) => ({ tag, shards: (await this.shards(tag)).filter(({ ids }) => ids.includes(id)) })),
    );
  }

  /** Removes the id from the located shards. Skips shards that have changed since `locate`, and returns their tags. */
  async remove(located: readonly Located[], id: string): Promise<readonly string[]> {
    const removeFrom = async (shard: Shard): Promise<boolean> => {
      const rest = shard.ids.filter((other) => other !== id);
      return (await this.#replace(shard, rest)) !== undefined;
    };
    const left = await Promise.all(
      located.map(async ({ tag, shards }) => ((await Promise.all(shards.map(removeFrom))).every(Boolean) ? [] : [tag])),
    );
    return left.flat();
  }

  async #write(tag: string, ids: Set<string>): Promise<void> {
    for (let attempt = 1; ids.size > 0; attempt++) {
      if (attempt > ATTEMPTS_MAX) throw contended(tag);
      const shard = this.#remembered(tag) ?? (await this.#withRoom(tag));
      const known = new Set(shard.ids);
      const fitting = [...ids].filter((id) => !known.has(id)).slice(0, this.#shardSize - shard.ids.length);
      const all = [...shard.ids, ...fitting];
      const revision = await this.#replace(shard, all);
      if (revision === undefined) {
        if (attempt > 1) await this.#pause(attempt);
        continue;
      }
      if (this.#known.size < REMEMBERED_MAX) this.#known.set(tag, { ...shard, revision, ids: all });
      for (const id of ids) if (known.has(id) || fitting.includes(id)) ids.delete(id);
    }
  }

  async #withRoom(tag: string): Promise<Shard> {
    const base = tagToKey(tag);
    const first = await this.#read(base);
    if (first.ids.length < this.#shardSize) return first;
    const numbers = (await this.#bucket.keys(`${base}.`)).map((key) => Number(key.slice(base.length + 1)));
    const last = numbers.reduce((most, number) => Math.max(most, number), 0);
    const candidate = last === 0 ? undefined : await this.#read(`${base}.${last}`);
    const hasRoom = candidate !== undefined && candidate.ids.length < this.#shardSize;
    return hasRoom ? candidate : this.#read(`${base}.${last + 1}`);
  }

  /** Returns the last written shard if it has room. Forgets it, so that the shard is read again after a conflict. */
  #remembered(tag: string): Shard | undefined {
    const shard = this.#known.get(tag);
    this.#known.delete(tag);
    return shard !== undefined && shard.ids.length < this.#shardSize ? shard : undefined;
  }

  async #read(key: string): Promise<Shard> {
    const entry = await this.#bucket.get(key);
    return entry === undefined ? { key, revision: 0, at: 0, ids: [] } : toShard(entry);
  }

  #replace(shard: Shard, ids: readonly string[]): Promise<number | undefined> {
    const value = ids.length === 0 ? undefined : ids.join('\n');
    return this.#bucket.replace(shard.key, value, shard.revision);
  }
}

function toShard({ key, value, revision, at }: Entry): Shard {
  return { key, revision, at, ids: value === undefined ? [] : linesOf(value) };
}

/** Drops lines that are not ids; the next change to the list removes them. */
function linesOf(value: string): readonly string[] {
  return value.split('\n').filter((line) => isTaskId(line));
}

function contended(tag: string): Error {
  return utaskErrors.STORE_CONTENDED(
    `Other clients changed the list of the tag "${tag}" during all ${ATTEMPTS_MAX} attempts.`,
  );
}
