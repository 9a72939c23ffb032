import { DAY, HOUR } from '@holdfast/base';
import type { CommitOutcome, Engine, EngineCommit } from '@holdfast/keyspace';
import { decodeKeyChanges, storeErrors } from '@holdfast/sqlite';

import { parseAddress } from './address.ts';
import { Committer, type PrepareLocked } from './committer.ts';
import { Reader } from './reader.ts';
import { replicationProblems, type ReplicationProblem } from './replication.ts';
import { findSpace, maintain, prepareSchema } from './schema.ts';
import { defaultPatience, type Patience, type Servers, Slot } from './servers.ts';
import { SharedConnections } from './shared-connections.ts';
import { Signal } from './signal.ts';

export interface PostgresOptions {
  /** `postgres://user@host:port/database`; several hosts are separated by commas. */
  readonly address: string;
  /** Name of the keyspace in the database, for example `np`. */
  readonly space: string;
  readonly patience?: Partial<Patience>;
}

const BYTES = `SELECT sum(pg_total_relation_size(oid))::float8 FROM pg_class
  WHERE relname LIKE 'holdfast\\_%' AND relkind = 'r'`;

const JOURNAL_KEPT_MS: number = 7 * DAY;
const MAINTAIN_EVERY_MS: number = HOUR;

type JournalRow = [
  head: number,
  revision: number | null,
  at: number,
  kind: string,
  changes: string,
  note: string | null,
];

const CHANGES = `SELECT s.revision::float8, j.revision::float8, j.at::float8, j.kind, j.changes, j.note
  FROM holdfast_space s LEFT JOIN LATERAL (
    SELECT revision, at, kind, changes, note FROM holdfast_journal
    WHERE space = s.id AND revision > $2 ORDER BY revision LIMIT $3) j ON true
  WHERE s.id = $1`;

export interface PostgresEngine extends Engine {
  /** The address without the password, and the space. */
  readonly place: string;
  /** The first revision in the journal; 0 if it is empty. */
  oldestRevision(): Promise<number>;
  /** Returns the last revision that was committed at or before a time. */
  revisionAt(at: number): Promise<number | undefined>;
  /** Size in bytes of the keys, values and journals of all spaces in the database. */
  bytes(): Promise<number>;
  /** Takes the lock, then makes all commits that `prepare` returns, or none. No other process can commit in between. */
  commitLocked(prepare: PrepareLocked): Promise<CommitOutcome>;
  replicationProblems(): Promise<readonly ReplicationProblem[]>;
  /** Runs a statement whose first parameter is the number of the space. Runs it again if the answer is lost. */
  spaceRows<Row extends readonly unknown[]>(text: string, values?: readonly unknown[]): Promise<Row[]>;
}

/** A keyspace on PostgreSQL: durable, for processes on several machines. */
export async function postgresEngine(options: PostgresOptions): Promise<PostgresEngine> {
  const patience = { ...defaultPatience, ...options.patience };
  const { servers, shared } = SharedConnections.use(parseAddress(options.address), patience);
  const { installation } = servers.address;
  const name = installation === undefined ? options.space : `${installation}/${options.space}`;
  const first = new Slot(servers, 'opens');
  let space: number;
  try {
    await prepareSchema(servers, first);
    space = await findSpace(first, name);
    await maintain(first, JOURNAL_KEPT_MS);
  } catch (error) {
    servers.close();
    await shared.leave();
    throw error;
  } finally {
    await first.close();
  }
  return engineFor(servers, shared, space, name);
}

function engineFor(servers: Servers, shared: SharedConnections, space: number, name: string): PostgresEngine {
  const reader = new Reader(servers, shared.reads, space);
  const signal = new Signal(servers, shared.listener, space, reader);
  const committer = new Committer(servers, space, () => signal.committedHere());
  const maintenance = setInterval(() => {
    reader.rows('SELECT holdfast_maintain($1)', [JOURNAL_KEPT_MS]).catch(() => undefined);
  }, MAINTAIN_EVERY_MS);
  maintenance.unref();
  let closing: Promise<void> | undefined;

  const one = async <T>(text: string, values: readonly unknown[]): Promise<T | undefined> =>
    (await reader.rows<[T | null]>(text, values))[0]?.[0] ?? undefined;

  return {
    place: `${servers.address.shown} (${name})`,
    oldestRevision: async () =>
      (await one<number>('SELECT min(revision)::float8 FROM holdfast_journal WHERE space = $1', [space])) ?? 0,
    revisionAt: (at) =>
      one<number>('SELECT max(revision)::float8 FROM holdfast_journal WHERE space = $1 AND at <= $2', [space, at]),
    bytes: async () => (await one<number>(BYTES, [])) ?? 0,
    commitLocked: (prepare) => committer.submit(prepare),
    replicationProblems: () => replicationProblems(reader),
    spaceRows: (text, values = []) => reader.rows(text, [space, ...values]),
    get: async (key) => (await reader.getMany([key]))[0],
    getMany: (keys) => reader.getMany(keys),
    range: (range) => reader.range(range),
    snapshot: () => reader.snapshot(),
    commit: (request) => committer.submit(request),
    findCommit: (id) => servers.patiently(() => committer.find(id)),
    revision: () => reader.revision(),
    changes: async (since, limit) => toCommits(await reader.rows<JournalRow>(CHANGES, [space, since, limit]), since),
    onChange(listener) {
      if (servers.isClosed) throw servers.closedError();
      return signal.subscribe(listener);
    },
    close() {
      closing ??= (async () => {
        await committer.settled();
        await signal.close();
        servers.close();
        clearInterval(maintenance);
        await Promise.all([committer.close(), shared.leave()]);
      })();
      return closing;
    },
  };
}

/** Throws JOURNAL_TRIMMED if a commit after `since` is no longer kept, or if `since` is in the future. */
function toCommits(rows: readonly JournalRow[], since: number): EngineCommit[] {
  const [head, first] = rows[0] ?? [0, null];
  if (since > head) throw storeErrors.JOURNAL_TRIMMED(`Revision ${since} does not exist; the newest is ${head}`);
  if (since === head || first === null) {
    if (since === head) return [];
    throw storeErrors.JOURNAL_TRIMMED(`Revision ${since + 1} is no longer in the journal`);
  }
  return rows.map(([, revision, at, kind, changes, note], index): EngineCommit => {
    if (revision !== since + 1 + index) {
      throw storeErrors.JOURNAL_TRIMMED(`Revision ${since + 1 + index} is no longer in the journal`);
    }
    const isKnown = kind === 'keys';
    return {
      revision,
      at,
      note: note ?? undefined,
      reset: !isKnown,
      get changes() {
        return isKnown ? decodeKeyChanges(changes) : [];
      },
    };
  });
}
