import { follow, type StoredValue } from '@holdfast/base';

import type { Engine, EngineChange, EngineCommit } from './storage-engine.ts';
import type { LeadingKeyOf } from './keys/types.ts';
import type { Listable } from './reads.ts';

export interface WatchOptions {
  /** Starts after this revision. Defaults to the latest revision. */
  readonly since?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

interface CommitFacts {
  readonly revision: number;
  readonly at: number;
  /** True if the changes are unknown, for example because the database was replaced: read everything again. */
  readonly reset: boolean;
}

export interface CommitSeen extends CommitFacts {
  readonly changes: readonly EngineChange[];
}

export interface TypedCommit<Value> extends CommitFacts {
  readonly changes: readonly TypedChange<Value>[];
}

interface TypedChange<Value> {
  readonly key: Readonly<Record<string, unknown>>;
  readonly before: Value | undefined;
  /** Undefined when the record was deleted. */
  readonly after: Value | undefined;
}

const READ_LIMIT = 500;

export function watchKeys(
  engine: Engine,
  prefix: string,
  options: WatchOptions = {},
): AsyncGenerator<CommitSeen, void, undefined> {
  return matching(engine, options, (commit) => commit.changes.filter(({ key }) => key.startsWith(prefix)));
}

export function watchRecords<Source extends string, Value>(
  engine: Engine,
  source: Listable<Source, Value>,
  leading: LeadingKeyOf<Source>,
  options: WatchOptions = {},
): AsyncGenerator<TypedCommit<Value>, void, undefined> {
  if (source.type === 'index') throw new TypeError('An index cannot be watched; watch its records');
  const { template, codec } = source;
  const prefix = template.prefix(leading);
  const typed = (key: string, stored: StoredValue | undefined): Value | undefined => {
    try {
      return stored === undefined ? undefined : codec.decode(stored, key);
    } catch {
      return undefined;
    }
  };
  return matching(engine, options, (commit) => {
    const changes: TypedChange<Value>[] = [];
    for (const { key, before, after } of commit.changes) {
      const values = key.startsWith(prefix) ? template.decode(key) : undefined;
      const change = { before: typed(key, before), after: typed(key, after) };
      // Skips an unreadable value: it must neither end the watch nor look like a deletion. `verify` reports it.
      const isReadable = after === undefined || change.after !== undefined;
      if (values !== undefined && isReadable) changes.push({ key: values, ...change });
    }
    return changes;
  });
}

/** Starts at the call, not at the first `next()`, so commits in between are delivered. */
function matching<Change>(
  engine: Engine,
  options: WatchOptions,
  select: (commit: EngineCommit) => readonly Change[],
): AsyncGenerator<CommitFacts & { readonly changes: readonly Change[] }, void, undefined> {
  const start = options.since ?? engine.revision();
  const source = {
    read: (since: number) => engine.changes(since, READ_LIMIT),
    subscribe: (wake: () => void) => engine.onChange(wake),
  };
  return (async function* generate() {
    for await (const commit of follow(source, await start, options.signal)) {
      const changes = select(commit);
      if (changes.length === 0 && !commit.reset) continue;
      yield { revision: commit.revision, at: commit.at, reset: commit.reset, changes };
    }
  })();
}
