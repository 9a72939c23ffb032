import { DAY, HoldfastError, schemaErrors } from '@holdfast/base';

import { SPACE_CLOSED, postgresErrors } from './errors.ts';
import type { Servers, Slot } from './servers.ts';
import type { Session } from './session.ts';

/**
 * The tables of all keyspaces in a database. A space holds one keyspace: one application, or one library.
 *
 * - `holdfast_space` has one row per space. The row is both the space's lock and its commit counter. A sequence would
 *   not work: it assigns numbers before the commit, so a watcher would skip a commit that finishes late. A space
 *   accepts commits only in the state `open`. `holdfast move` fills a space in the state `loading`. The data of a space
 *   in the state `moving` or `moved` does not change.
 * - `holdfast_key` has the keys and values. Text and bytes have separate columns, so that `psql` shows both.
 * - `holdfast_journal` has one row per commit, like the journal on SQLite. It has one partition per week, because
 *   dropping a partition is cheaper than deleting rows. The time of a row comes from the database server, so that a
 *   client with a wrong clock cannot put a commit into a partition that is about to be dropped.
 */
const VERSION = 1;

/** Partitions start at whole multiples of a week since 1970, so their start does not depend on a time zone. */
const WEEK = 7 * DAY;

/** An arbitrary number that other programs do not use. */
const LOCK = 7_215_041_963;

const tables = `
CREATE TABLE holdfast_schema (version int NOT NULL);
INSERT INTO holdfast_schema VALUES (${VERSION});

CREATE TABLE holdfast_space (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text COLLATE "C" NOT NULL UNIQUE,
  revision bigint NOT NULL DEFAULT 0,
  state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'loading', 'moving', 'moved')),
  move uuid,
  moved_to text
) WITH (fillfactor = 20);

CREATE TABLE holdfast_key (
  space int NOT NULL,
  key text COLLATE "C" NOT NULL,
  text text COLLATE "C",
  bytes bytea,
  PRIMARY KEY (space, key),
  CHECK (num_nonnulls(text, bytes) = 1)
) WITH (fillfactor = 80);

CREATE TABLE holdfast_journal (
  space int NOT NULL,
  revision bigint NOT NULL,
  at bigint NOT NULL,
  kind text NOT NULL,
  changes text NOT NULL,
  note text,
  commit_id uuid,
  PRIMARY KEY (space, revision, at)
) PARTITION BY RANGE (at);
CREATE TABLE holdfast_journal_other PARTITION OF holdfast_journal DEFAULT;
`;

/**
 * Number of the functions below. Programs of different versions use the functions of the newest one, so a new version
 * may change what they do but not how they are called.
 */
const FUNCTIONS_VERSION = 2;

/**
 * `holdfast_apply` writes a batch of commits; the caller holds the lock. `holdfast_commit` takes the lock, and applies
 * the batch only if nothing was committed since `known`. It returns the revision that it found.
 */
const functions = `
CREATE OR REPLACE FUNCTION holdfast_now() RETURNS bigint LANGUAGE sql VOLATILE AS
$$ SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint $$;

CREATE OR REPLACE FUNCTION holdfast_apply(
  given_space int, known bigint, keys text[], texts text[], contents bytea[],
  new_keys text[], new_texts text[], new_contents bytea[], deleted text[], changes text[], ids uuid[], notes text[]
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE gone text;
BEGIN
  IF current_setting('synchronous_commit') IN ('off', 'local') THEN
    PERFORM set_config('synchronous_commit', 'on', true);
  END IF;
  IF cardinality(keys) > 0 THEN
    INSERT INTO holdfast_key SELECT given_space, k, t, b FROM unnest(keys, texts, contents) AS given(k, t, b)
    ON CONFLICT (space, key) DO UPDATE SET text = EXCLUDED.text, bytes = EXCLUDED.bytes;
  END IF;
  IF cardinality(new_keys) > 0 THEN
    INSERT INTO holdfast_key SELECT given_space, k, t, b FROM unnest(new_keys, new_texts, new_contents) AS given(k, t, b);
  END IF;
  FOREACH gone IN ARRAY deleted LOOP
    DELETE FROM holdfast_key WHERE space = given_space AND key = gone;
  END LOOP;
  INSERT INTO holdfast_journal (space, revision, at, kind, changes, note, commit_id)
    SELECT given_space, known + n, holdfast_now(), 'keys', c, m, i
    FROM unnest(changes, ids, notes) WITH ORDINALITY AS given(c, i, m, n);
  UPDATE holdfast_space SET revision = known + cardinality(changes) WHERE id = given_space;
END $$;

CREATE OR REPLACE FUNCTION holdfast_commit(
  given_space int, known bigint, keys text[], texts text[], contents bytea[],
  new_keys text[], new_texts text[], new_contents bytea[], deleted text[], changes text[], ids uuid[], notes text[]
) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE head bigint; found_state text; place text;
BEGIN
  SELECT revision, state, moved_to INTO head, found_state, place FROM holdfast_space WHERE id = given_space FOR UPDATE;
  IF found_state <> 'open' THEN
    RAISE EXCEPTION 'the space accepts no commits' USING ERRCODE = '${SPACE_CLOSED}', DETAIL = coalesce(place, '');
  END IF;
  IF head = known THEN
    PERFORM holdfast_apply(given_space, known, keys, texts, contents, new_keys, new_texts, new_contents, deleted,
      changes, ids, notes);
  END IF;
  RETURN head;
END $$;

CREATE OR REPLACE FUNCTION holdfast_maintain(kept_ms bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE week bigint; part record;
BEGIN
  IF NOT pg_try_advisory_xact_lock(${LOCK}) THEN RETURN; END IF;
  PERFORM set_config('lock_timeout', '2s', true);
  FOR week IN SELECT generate_series(holdfast_now() / ${WEEK}, holdfast_now() / ${WEEK} + 1) LOOP
    IF to_regclass('holdfast_journal_' || week) IS NULL THEN
      BEGIN
        EXECUTE format('CREATE TABLE holdfast_journal_%s PARTITION OF holdfast_journal FOR VALUES FROM (%s) TO (%s)',
          week, week * ${WEEK}, (week + 1) * ${WEEK});
      EXCEPTION WHEN check_violation OR lock_not_available THEN
        NULL;
      END;
    END IF;
  END LOOP;
  FOR part IN SELECT inhrelid::regclass AS name, substring(c.relname FROM '_([0-9]+)$')::bigint AS number
    FROM pg_inherits JOIN pg_class c ON c.oid = inhrelid
    WHERE inhparent = 'holdfast_journal'::regclass AND c.relname ~ '_[0-9]+$' LOOP
    IF (part.number + 1) * ${WEEK} < holdfast_now() - kept_ms THEN
      EXECUTE format('DROP TABLE %s', part.name);
    END IF;
  END LOOP;
  DELETE FROM holdfast_journal_other WHERE at < holdfast_now() - kept_ms;
END $$;

COMMENT ON FUNCTION holdfast_now() IS '${FUNCTIONS_VERSION}';
`;

/** Creates the tables on first use. The lock makes other processes wait. */
export async function prepareSchema(servers: Servers, slot: Slot): Promise<void> {
  const version = await currentVersion(slot);
  if (version === undefined) await create(servers, slot);
  else if (version > VERSION) {
    throw schemaErrors.SCHEMA_NEWER(
      `${servers.address.shown} has version ${version} of the tables; this program supports up to ${VERSION}`,
    );
  }
  await refuseUnsuitable(servers, slot);
  await replaceFunctions(servers, slot);
}

const FIND_FUNCTIONS_VERSION = `SELECT obj_description('holdfast_now()'::regprocedure)`;

function isOld([row]: readonly [string | null][]): boolean {
  return Number(row?.[0] ?? 0) < FUNCTIONS_VERSION;
}

/** Replaces the functions of an older version. Without the permission to do so, the old functions are used. */
async function replaceFunctions(servers: Servers, slot: Slot): Promise<void> {
  if (!isOld(await slot.rows<[string | null]>(FIND_FUNCTIONS_VERSION))) return;
  try {
    await underLock(servers, slot, async (session, limit) => {
      if (isOld(await session.rows<[string | null]>(FIND_FUNCTIONS_VERSION, [], limit))) {
        await session.run(functions, limit);
      }
    });
  } catch (error) {
    if (!(error instanceof HoldfastError && error.code === 'STORE_PERMISSION')) throw error;
  }
}

/** Queries pg_class directly, because `to_regclass` may answer from a cache that is older than the lock. */
const FIND_SCHEMA = `SELECT 1 FROM pg_class WHERE relname = 'holdfast_schema' AND pg_table_is_visible(oid)`;

async function currentVersion(slot: Slot): Promise<number | undefined> {
  if ((await slot.rows(FIND_SCHEMA)).length === 0) return undefined;
  const [row] = await slot.rows<[number]>('SELECT version FROM holdfast_schema');
  return row?.[0];
}

async function create(servers: Servers, slot: Slot): Promise<void> {
  const [row] = await slot.rows<[string]>(`SELECT current_setting('server_encoding')`);
  if (row?.[0] !== 'UTF8') throw unsuitable(servers, `its encoding is ${row?.[0] ?? 'unknown'}, not UTF8`);
  await underLock(servers, slot, async (session, limit) => {
    if ((await session.rows(FIND_SCHEMA, [], limit)).length === 0) await session.run(tables + functions, limit);
  });
}

/** Runs a change of the schema in a transaction. Other processes that change the schema wait. */
function underLock(
  servers: Servers,
  slot: Slot,
  change: (session: Session, limitMs: number) => Promise<void>,
): Promise<void> {
  return servers.patiently(async () => {
    const session = await slot.session();
    const limit = servers.patience.totalMs;
    try {
      await session.run(`BEGIN; SELECT pg_advisory_xact_lock(${LOCK})`, limit);
      await change(session, limit);
      await session.run('COMMIT', limit);
    } catch (error) {
      session.drop();
      throw error;
    }
  });
}

async function refuseUnsuitable(servers: Servers, slot: Slot): Promise<void> {
  const [row] = await slot.rows<[string, string | null]>(
    `SELECT current_setting('server_encoding'), (SELECT collname::text FROM pg_attribute
       JOIN pg_collation ON pg_collation.oid = attcollation
       WHERE attrelid = 'holdfast_key'::regclass AND attname = 'key')`,
  );
  if (row?.[0] !== 'UTF8') throw unsuitable(servers, `its encoding is ${row?.[0] ?? 'unknown'}, not UTF8`);
  if (row[1] !== 'C') throw unsuitable(servers, `its keys are ordered by "${row[1] ?? 'unknown'}", not by "C"`);
}

function unsuitable(servers: Servers, reason: string): Error {
  return postgresErrors.STORE_UNSUITABLE(`${servers.address.shown} is not suitable: ${reason}`);
}

/** Returns the number of a space; creates the space if necessary. */
export async function findSpace(slot: Slot, name: string): Promise<number> {
  const [known] = await slot.rows<[number]>('SELECT id FROM holdfast_space WHERE name = $1', [name]);
  if (known !== undefined) return known[0];
  await slot.rows('INSERT INTO holdfast_space (name) VALUES ($1) ON CONFLICT (name) DO NOTHING', [name]);
  return findSpace(slot, name);
}

/**
 * Creates the partitions for this week and the next, and drops partitions that are older than the journal's retention.
 */
export async function maintain(slot: Slot, keptMs: number): Promise<void> {
  await slot.rows('SELECT holdfast_maintain($1)', [keptMs]);
}
