import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { storeAddress, toTimestamp } from '@holdfast/base';
import { afterKey, type CommitRequest, type Engine, Keyspace, sqliteEngine } from '@holdfast/keyspace';
import { postgresEngine } from '@holdfast/postgres';

import { schema } from '../../../apps/np/src/store/definitions.ts';
import { TestServer } from '../../../packages/postgres/test/server.ts';
import { type Campaign, type Context, type Counts, noCounts, violate } from '../lib/campaign.ts';
import { Victim } from '../lib/victim.ts';

/**
 * Moves the plans of a data home to PostgreSQL and back, while another process adds notes. Each move is killed at one
 * of its steps, and then repeated.
 *
 * - lost: a record, or an acknowledged note, is missing or changed
 * - phantom: a note is there that nobody added, or a revision is missing or used twice
 * - partial: a repeated move fails, or the plans are writable in both places or in neither
 */
export const move: Campaign = {
  name: 'move',
  promise: 'a move that is killed anywhere is undone or completed, and no record or acknowledged commit is lost',
  cycles: 22,
  // Cycles with odd numbers move to a file. So the failpoints that only such a move reaches are at odd indexes.
  failpoints: [
    'move.begun',
    'move.copied',
    'move.compared',
    'move.replaced',
    'move.fenced',
    'replace.copied',
    'move.sealed',
    'replace.kept',
    'move.moved',
    'move.opened',
    'move.switched',
  ],
  run: (context) => runCampaign(context, false),
  canary: (context) => runCampaign(context, true),
};

const RECORDS = 1_000_000;
const RECORDS_OF_SAMPLE = 3_000;
const AT_ONCE = 2_000;

interface Scene {
  readonly home: string;
  readonly address: string;
  readonly records: number;
  readonly hash: string;
}

async function runCampaign(context: Context, isCanary: boolean): Promise<Counts> {
  const counts = noCounts();
  const server = await TestServer.start(['fsync=on', 'max_wal_size=4GB']);
  try {
    const scene = await prepare(context, server);
    for (let cycle = 0; cycle < context.cycles && !context.isTimeUp(); cycle++) {
      counts.cycles += 1;
      // Even cycles move to PostgreSQL, odd cycles move back. The number of failpoints is odd, so each failpoint occurs
      // in both directions.
      const failpoint = move.failpoints[cycle % move.failpoints.length]!;
      const to = cycle % 2 === 0 ? scene.address : 'sqlite';
      context.progress(`cycle ${cycle + 1}: to ${cycle % 2 === 0 ? 'PostgreSQL' : 'SQLite'}, killed at ${failpoint}`);
      await runCycle(scene, to, failpoint, counts, isCanary);
    }
    return counts;
  } finally {
    await server.stop();
  }
}

/** `--parts small` uses fewer records. */
async function prepare(context: Context, server: TestServer): Promise<Scene> {
  const { folder, parts } = context;
  const home = join(folder, 'home');
  mkdirSync(home, { mode: 0o700 });
  const records = parts?.includes('small') === true ? RECORDS_OF_SAMPLE : RECORDS;
  const engine = await sqliteEngine({ path: join(home, 'np.db') });
  const keyspace = new Keyspace(engine, schema);
  for (let first = 0; first < records; first += AT_ONCE) {
    await keyspace.transact(async (transaction) => {
      for (let seq = first; seq < Math.min(records, first + AT_ONCE); seq++) {
        await transaction.put(schema.notes, { sid: 'base', id: 'x', seq }, noteOf(seq));
      }
    });
  }
  context.progress(`${records} records`);
  const hash = await hashOf(engine);
  await engine.close();
  return { home, address: server.address(), records, hash };
}

function noteOf(seq: number): { text: string; at: string } {
  return { text: `note ${seq} ${'äöü'.repeat(seq % 40)}`, at: toTimestamp(0) };
}

async function runCycle(scene: Scene, to: string, failpoint: string, counts: Counts, isCanary: boolean): Promise<void> {
  const { home } = scene;
  const before = await withEngine(home, async (engine) => engine.revision());
  const session = `writer-${counts.cycles}`;
  const writer = new Victim('move-writer', [home, session]);
  const hasStarted = await writer.said('0');
  const variables = { HOLDFAST_HOME: home };
  const victim = new Victim('holdfast', ['move', 'np', '--to', to], `${failpoint}:1`, variables);
  await victim.ended();
  if (victim.wasKilled) counts.kills += 1;
  else if (victim.failure !== undefined) violate(counts, 'partial', `the move failed: ${victim.failure}`);
  const again = new Victim('holdfast', ['move', 'np', '--to', to], undefined, variables);
  await again.ended();
  if (again.failure !== undefined) violate(counts, 'partial', `repeating failed: ${again.failure}`);
  writer.say('stop');
  await writer.ended();
  if (writer.failure !== undefined) violate(counts, 'partial', `the writer failed: ${writer.failure}`);
  if (isCanary) await withEngine(home, (engine) => engine.commit(put('s/base/note/x/0000000000000000', undefined)));
  const added = writer.lines.length + (hasStarted ? 1 : 0);
  counts.acknowledged += added;
  await check(scene, to, { session, added, revision: before + added }, counts);
}

interface Expected {
  readonly session: string;
  readonly added: number;
  readonly revision: number;
}

async function check(scene: Scene, to: string, { session, added, revision }: Expected, counts: Counts): Promise<void> {
  const isFile = storeAddress(scene.home, {}, 'np') === undefined;
  if (isFile !== (to === 'sqlite')) violate(counts, 'partial', 'the plans are not at their new location');
  await withEngine(scene.home, async (engine) => {
    if ((await hashOf(engine)) !== scene.hash) violate(counts, 'lost', 'the records differ');
    const notes = await engine.range({ gte: `s/${session}/`, lt: `s/${session}0`, limit: added + 9, reverse: false });
    if (notes.length < added) violate(counts, 'lost', `${added} notes were added, ${notes.length} are there`);
    if (notes.length > added) violate(counts, 'phantom', `${added} notes were added, ${notes.length} are there`);
    const found = await engine.revision();
    if (found !== revision) violate(counts, 'phantom', `revision ${found} instead of ${revision}`);
  });
  const left = isFile ? await openSpace(scene.address) : await openFile(scene.home);
  try {
    await left.commit(put('s/base/goal', '{}'));
    violate(counts, 'partial', 'the old location still accepts commits');
  } catch (error) {
    if ((error as { code?: string }).code !== 'STORE_MOVED') violate(counts, 'partial', String(error));
  } finally {
    await left.close();
  }
}

function put(key: string, value: string | undefined): CommitRequest {
  const writes = new Map([[key, value]]);
  return { base: undefined, reads: new Map(), ranges: [], writes, appends: [], additions: [] };
}

const openFile = (home: string): Promise<Engine> => sqliteEngine({ path: join(home, 'np.db'), create: false });
const openSpace = (address: string): Promise<Engine> => postgresEngine({ address, space: 'np' });

async function withEngine<T>(home: string, use: (engine: Engine) => Promise<T>): Promise<T> {
  const address = storeAddress(home, {}, 'np');
  const engine = await (address === undefined ? openFile(home) : openSpace(address));
  try {
    return await use(engine);
  } finally {
    await engine.close();
  }
}

async function hashOf(engine: Engine): Promise<string> {
  const hash = createHash('sha256');
  for (let gte = 's/base/'; ;) {
    const page = await engine.range({ gte, lt: 's/base0', limit: AT_ONCE, reverse: false });
    hash.update(JSON.stringify(page));
    const last = page.at(-1);
    if (last === undefined) return hash.digest('hex');
    gte = afterKey(last[0]);
  }
}
