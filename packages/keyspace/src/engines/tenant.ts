import type { Append, CommitRequest, Engine, Entry, RangeRequest } from '../storage-engine.ts';

/**
 * Stores several keyspaces in one engine: every key gets the tenant's prefix, so one tenant's keyspace cannot reach
 * another tenant's keys.
 */
export function tenantEngine(engine: Engine, prefix: string): Engine {
  const inside = (key: string): string => prefix + key;
  const outside = ([key, value]: Entry): Entry => [key.slice(prefix.length), value];
  const rangeInside = (range: RangeRequest): RangeRequest => ({
    ...range,
    gte: inside(range.gte),
    lt: inside(range.lt),
  });
  return {
    ...engine,
    get: (key) => engine.get(inside(key)),
    getMany: (keys) => engine.getMany(keys.map(inside)),
    range: async (range) => (await engine.range(rangeInside(range))).map(outside),
    async snapshot() {
      const snapshot = await engine.snapshot();
      return {
        revision: () => snapshot.revision(),
        get: (key) => snapshot.get(inside(key)),
        getMany: (keys) => snapshot.getMany(keys.map(inside)),
        range: async (range) => (await snapshot.range(rangeInside(range))).map(outside),
        release: () => snapshot.release(),
      };
    },
    commit: (request) => engine.commit(requestInside(request, inside, rangeInside)),
    restoreJournalled: async () =>
      ((await engine.restoreJournalled?.()) ?? [])
        .filter((key) => key.startsWith(prefix))
        .map((key) => key.slice(prefix.length)),
    async changes(since, limit) {
      const commits = await engine.changes(since, limit);
      return commits.map((commit) => ({
        ...commit,
        changes: commit.changes
          .filter(({ key }) => key.startsWith(prefix))
          .map((change) => ({ ...change, key: change.key.slice(prefix.length) })),
      }));
    },
  };
}

function requestInside(
  request: CommitRequest,
  inside: (key: string) => string,
  rangeInside: (range: RangeRequest) => RangeRequest,
): CommitRequest {
  const entryInside = ([key, value]: Entry): Entry => [inside(key), value];
  const appendInside = (append: Append): Append => ({
    ...append,
    counterKey: inside(append.counterKey),
    build: (sequence) => append.build(sequence).map(entryInside),
  });
  return {
    ...request,
    reads: new Map([...request.reads].map(([key, value]) => [inside(key), value])),
    ranges: request.ranges.map(({ range, entries }) => ({
      range: rangeInside(range),
      entries: entries.map(entryInside),
    })),
    writes: new Map([...request.writes].map(([key, value]) => [inside(key), value])),
    expectedNew: new Set([...(request.expectedNew ?? [])].map(inside)),
    appends: request.appends.map(appendInside),
    additions: request.additions.map((addition) => ({ ...addition, key: inside(addition.key) })),
  };
}
