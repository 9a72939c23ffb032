import { type RawEntry, storeErrors } from '@holdfast/sqlite';

import { parseAddress } from '../address.ts';
import { type PostgresEngine, postgresEngine } from '../engine.ts';
import { moveErrors } from './errors.ts';
import type { MoveSource, MoveTarget } from './sides.ts';

/**
 * The SQL statements of a move. `engine.spaceRows` repeats a statement if its connection is lost, so each statement may
 * run twice.
 */

const FENCE = 'SELECT state, move::text, moved_to FROM holdfast_space WHERE id = $1';

/** The first condition holds if the statement already ran and only its answer was lost. */
const CHANGE_FENCE = `UPDATE holdfast_space SET state = $3, move = $4::uuid, moved_to = $5
  WHERE id = $1 AND (state = $3::text AND move IS NOT DISTINCT FROM $4::uuid
    OR state IN ('open', 'moving') AND move IS NOT DISTINCT FROM $2::uuid) RETURNING id`;

const JOURNAL = `SELECT revision::float8, at::float8, kind, changes, note FROM holdfast_journal
  WHERE space = $1 AND revision > $2 ORDER BY revision LIMIT $3`;

/**
 * Accepts a space that has moved away, that was never used, or that an interrupted move has begun to fill. The space
 * keeps `moved_to` until it is opened, so that an abandoned move leaves it unchanged.
 */
const BEGIN = `UPDATE holdfast_space SET state = 'loading', move = $2::uuid, revision = 0
  WHERE id = $1 AND (state IN ('loading', 'moved') OR state = 'open' AND revision = 0) RETURNING id`;

/**
 * Locks the space, so that no other move can begin to fill it. Returns no row if another move has already begun to fill
 * it.
 */
const owner = `owner AS MATERIALIZED (
  SELECT id FROM holdfast_space WHERE id = $1 AND state = 'loading' AND move = $2::uuid FOR UPDATE)`;

const EMPTY = `WITH ${owner}, keys AS (DELETE FROM holdfast_key USING owner WHERE space = owner.id),
  journal AS (DELETE FROM holdfast_journal USING owner WHERE space = owner.id) SELECT id FROM owner`;

const WRITE = `WITH ${owner}, put AS (
    INSERT INTO holdfast_key SELECT owner.id, k, t, b FROM owner, unnest($3::text[], $4::text[], $5::bytea[]) g(k, t, b)
    ON CONFLICT (space, key) DO UPDATE SET text = EXCLUDED.text, bytes = EXCLUDED.bytes),
  gone AS (DELETE FROM holdfast_key USING owner WHERE space = owner.id AND key = ANY ($6::text[])),
  written AS (
    INSERT INTO holdfast_journal (space, revision, at, kind, changes, note)
    SELECT owner.id, r, a, k, c, n FROM owner, unnest($7::bigint[], $8::bigint[], $9::text[], $10::text[], $11::text[])
      g(r, a, k, c, n) ON CONFLICT DO NOTHING),
  head AS (UPDATE holdfast_space SET revision = greatest(revision, (SELECT max(r) FROM unnest($7::bigint[]) r))
    FROM owner WHERE holdfast_space.id = owner.id)
  SELECT id FROM owner`;

const OPEN = `UPDATE holdfast_space SET state = 'open', move = NULL, moved_to = NULL
  WHERE id = $1 AND state = 'loading' AND move = $2::uuid`;

const GIVE_UP = `UPDATE holdfast_space SET state = CASE WHEN moved_to IS NULL THEN 'open' ELSE 'moved' END, move = NULL,
  revision = 0 WHERE id = $1 AND state = 'loading' AND move = $2::uuid`;

type JournalRow = [revision: number, at: number, kind: RawEntry['kind'], changes: string, note: string | null];

interface SpaceOptions {
  readonly address: string;
  readonly space: string;
}

/** A move reads and writes a lot at once, so it waits longer for an answer than a commit does. */
const patience = { answerMs: 120_000 } as const;

export async function openSpaceSource(options: SpaceOptions): Promise<MoveSource> {
  const engine = await postgresEngine({ ...options, patience });
  return {
    place: engine.place,
    engine,
    async fence() {
      const [[state, move, to] = ['open', null, null]] =
        await engine.spaceRows<[string, string | null, string | null]>(FENCE);
      return state === 'moving' || state === 'moved' ? { state, move: move ?? '', to: to ?? '' } : undefined;
    },
    async changeFence(expected, next) {
      const values = [expected ?? null, next?.state ?? 'open', next?.move ?? null, next?.to ?? null];
      const changed = await engine.spaceRows(CHANGE_FENCE, values);
      if (changed.length === 0) throw replaced(engine);
    },
    journal: async (since, limit) => withHead(engine, await readJournal(engine, since, limit), since, limit),
    async count() {
      const [row] = await engine.spaceRows<[number]>('SELECT count(*)::float8 FROM holdfast_key WHERE space = $1');
      return row?.[0] ?? 0;
    },
    close: () => engine.close(),
  };
}

async function readJournal(engine: PostgresEngine, since: number, limit: number): Promise<RawEntry[]> {
  const rows = await engine.spaceRows<JournalRow>(JOURNAL, [since, limit]);
  return rows.map(([revision, at, kind, changes, note]) => ({ revision, at, kind, changes, note }));
}

/**
 * On SQLite, the newest journal entry determines the revision. On PostgreSQL, all entries may have expired. In that
 * case, the copy gets an entry for the current revision which says that everything may have changed.
 */
async function withHead(
  engine: PostgresEngine,
  entries: RawEntry[],
  since: number,
  limit: number,
): Promise<readonly RawEntry[]> {
  if (entries.length === limit) return entries;
  const revision = await engine.revision();
  const last = entries.at(-1)?.revision ?? since;
  const isMissing = revision > last && (await readJournal(engine, last, 1)).length === 0;
  if (!isMissing) return entries;
  return [...entries, { revision, at: 0, kind: 'schema', changes: '', note: 'earlier commits are no longer known' }];
}

export async function openSpaceTarget(options: SpaceOptions): Promise<MoveTarget> {
  const engine = await postgresEngine({ ...options, patience });
  let current = '';
  const mine = async (statement: string, values: readonly unknown[]): Promise<void> => {
    const rows = await engine.spaceRows(statement, [current, ...values]);
    if (rows.length === 0) throw replaced(engine);
  };
  return {
    place: engine.place,
    engine,
    async begin(move) {
      const begun = await engine.spaceRows(BEGIN, [move]);
      if (begun.length === 0) throw moveErrors.MOVE_TARGET_IN_USE(`${engine.place} already contains other data`);
      current = move;
      await mine(EMPTY, []);
    },
    journal: (since, limit) => readJournal(engine, since, limit),
    async write(entries, journal) {
      const put = entries.filter(([, value]) => value !== undefined);
      await mine(WRITE, [
        put.map(([key]) => key),
        put.map(([, value]) => (typeof value === 'string' ? value : null)),
        put.map(([, value]) => (typeof value === 'string' ? null : value)),
        entries.flatMap(([key, value]) => (value === undefined ? [key] : [])),
        journal.map(({ revision }) => revision),
        journal.map(({ at }) => Math.round(at)),
        journal.map(({ kind }) => kind),
        journal.map(({ changes }) => changes),
        journal.map(({ note }) => note),
      ]);
    },
    seal: () => Promise.resolve(),
    async open(move) {
      await engine.spaceRows(OPEN, [move]);
      return undefined;
    },
    async discard() {
      if (current === '') return;
      await mine(EMPTY, []);
      await engine.spaceRows(GIVE_UP, [current]);
    },
    close: () => engine.close(),
  };
}

/** Refuses a password in the address, because other users of the machine can see a process's arguments. */
export function refusePassword(address: string): void {
  if (parseAddress(address).password === undefined) return;
  throw moveErrors.MOVE_IMPOSSIBLE('The address must not contain a password, because every user can see it', {
    hint: 'Put the password into PGPASSWORD or ~/.pgpass.',
  });
}

function replaced(engine: PostgresEngine): Error {
  return storeErrors.MOVE_REPLACED(`${engine.place}: another process moves this database`);
}
