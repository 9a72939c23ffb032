import type { CommitRequest, Engine, Entry } from '@holdfast/keyspace';
import type { Sealer, SealableName } from './sealer.ts';

/** Encrypts the named fields on writes and decrypts them on reads. */
export interface SealingEngine extends Engine {
  readonly sealed: ReadonlySet<SealableName>;
}

type Stored = Entry[1];

export function sealingEngine(engine: Engine, sealer: Sealer, names: readonly SealableName[]): SealingEngine {
  /** Values stored before encryption was turned on; conflict checks compare the stored form. */
  const plain = new Map<string, Stored>();
  const open = (key: string, stored: Stored): Stored => {
    if (typeof stored !== 'string') return stored;
    const opened = sealer.open(key, stored);
    if (opened === stored && sealer.seal(key, stored) !== stored) plain.set(key, stored);
    else plain.delete(key);
    return opened;
  };
  const seal = (key: string, value: Stored): Stored => (typeof value === 'string' ? sealer.seal(key, value) : value);
  const asRead = (key: string, value: Stored): Stored => (plain.get(key) === value ? value : seal(key, value));
  const openEntry = ([key, stored]: Entry): Entry => [key, open(key, stored)];
  const maybe = (key: string, stored: Stored | undefined): Stored | undefined =>
    stored === undefined ? undefined : open(key, stored);
  return {
    ...engine,
    sealed: new Set(names),
    get: async (key) => maybe(key, await engine.get(key)),
    getMany: async (keys) => (await engine.getMany(keys)).map((stored, index) => maybe(keys[index] as string, stored)),
    range: async (range) => (await engine.range(range)).map(openEntry),
    async snapshot() {
      const snapshot = await engine.snapshot();
      return {
        revision: snapshot.revision,
        get: async (key) => maybe(key, await snapshot.get(key)),
        getMany: async (keys) =>
          (await snapshot.getMany(keys)).map((stored, index) => maybe(keys[index] as string, stored)),
        range: async (range) => (await snapshot.range(range)).map(openEntry),
        release: () => snapshot.release(),
      };
    },
    commit: (request) => engine.commit(sealedRequest(request, seal, asRead)),
    async changes(since, limit) {
      const commits = await engine.changes(since, limit);
      return commits.map((commit) => ({
        ...commit,
        get changes() {
          return commit.changes.map(({ key, before, after }) => ({
            key,
            before: maybe(key, before),
            after: maybe(key, after),
          }));
        },
      }));
    },
  };
}

type Transform = (key: string, value: Stored) => Stored;

function sealedRequest(request: CommitRequest, seal: Transform, asRead: Transform): CommitRequest {
  const optional = (transform: Transform, key: string, value: Stored | undefined): Stored | undefined =>
    value === undefined ? undefined : transform(key, value);
  return {
    ...request,
    reads: new Map([...request.reads].map(([key, value]) => [key, optional(asRead, key, value)])),
    ranges: request.ranges.map(({ range, entries }) => ({
      range,
      entries: entries.map(([key, value]): Entry => [key, asRead(key, value)]),
    })),
    writes: new Map([...request.writes].map(([key, value]) => [key, optional(seal, key, value)])),
    appends: request.appends.map((append) => ({
      ...append,
      build: (sequence) => append.build(sequence).map(([key, value]): Entry => [key, seal(key, value)]),
    })),
  };
}

/** Returns fields that must not be stored in plain text elsewhere, for example in the search index. */
export function sealedNames(engine: Engine): ReadonlySet<SealableName> {
  return 'sealed' in engine ? (engine as SealingEngine).sealed : new Set();
}
