import { createHash, randomUUID } from 'node:crypto';

import { failpoint, MEBIBYTE, type StoredValue } from '@holdfast/base';
import { afterKey, type Engine, type EngineSnapshot, type Entry } from '@holdfast/keyspace';
import { decodeKeyChanges, type RawEntry, storeErrors } from '@holdfast/sqlite';

import { moveErrors } from './errors.ts';
import type { MoveSource, MoveTarget } from './sides.ts';

/**
 * Moves a keyspace to another store while other processes use it. First, the keys are copied while other processes
 * write. Then the changes made during the copy are copied from the journal. The copy is checked, and compared with a
 * snapshot of the source. After that, a fence stops the writers, and the last commits are copied. The point of no
 * return is one commit in the source: its fence changes from `moving` to `moved`. A move that stops earlier is undone,
 * by itself or by the next call. A move that stops later is completed by the next call.
 */

export interface MoveProgress {
  (step: 'Copying' | 'Comparing', done: number, total: number): void;
}

interface Options {
  readonly source: MoveSource;
  readonly target: MoveTarget;
  /** Returns the number of problems in the records and indexes. */
  readonly check: (engine: Engine) => Promise<number>;
  /** Makes the target the store that commands use, durably. */
  readonly switchOver: () => void;
  readonly onProgress?: MoveProgress | undefined;
}

interface Moved {
  readonly keys: number;
  readonly revision: number;
  /** SHA-256 of all keys and values in order, at the revision that was compared. */
  readonly hash: string;
  /** How long other processes could not write. */
  readonly fencedMs: number;
  /** Path at which the target's previous file is kept. */
  readonly kept: string | undefined;
}

/** Moves the keyspace. Returns undefined if it only had to complete an interrupted move. */
export async function moveStore(options: Options): Promise<Moved | undefined> {
  const { source, target } = options;
  const fence = await source.fence();
  if (fence?.state === 'moved') {
    if (fence.to !== target.place) throw storeErrors.STORE_MOVED(`${source.place} has moved to ${fence.to}`);
    await complete(options, fence.move);
    return undefined;
  }
  if (fence !== undefined) await source.changeFence(fence.move, undefined);
  const move = randomUUID();
  try {
    await target.begin(move);
    failpoint('move.begun');
    const moved = await copyAndFence(options, move);
    return { ...moved, kept: await complete(options, move) };
  } catch (error) {
    await giveUp(options, move).catch(() => undefined);
    throw error;
  }
}

/** Undoes an interrupted move. Returns false if there is no move that can be undone. */
export async function cancelMove(source: MoveSource): Promise<boolean> {
  const fence = await source.fence();
  if (fence?.state === 'moved') throw storeErrors.STORE_MOVED(`${source.place} has moved to ${fence.to}`);
  if (fence !== undefined) await source.changeFence(fence.move, undefined);
  return fence !== undefined;
}

async function copyAndFence(
  { source, target, check, onProgress }: Options,
  move: string,
): Promise<Omit<Moved, 'kept'>> {
  const total = await source.count();
  const follower = new Follower(source, target, await source.engine.revision());
  await follower.copyHistory();
  let done = 0;
  for await (const page of pages(source.engine)) {
    await target.write(page, []);
    done += page.length;
    onProgress?.('Copying', done, total);
  }
  failpoint('move.copied');
  await follower.catchUp();
  const compared = await compareAll(source, target, follower, (count) => onProgress?.('Comparing', count, total));
  const problems = await check(target.engine);
  if (problems > 0) throw moveErrors.MOVE_DIFFERS(`${source.place} has ${problems} problems`);
  failpoint('move.compared');
  await follower.catchUp();
  await source.changeFence(undefined, { state: 'moving', move, to: target.place });
  const fencedAt = performance.now();
  failpoint('move.fenced');
  const revision = await source.engine.revision();
  await follower.catchUp(revision);
  await compareChanged(source, target, follower.changed);
  if ((await target.engine.revision()) !== revision) throw differs(target, 'the newest revision differs');
  await target.seal();
  failpoint('move.sealed');
  await source.changeFence(move, { state: 'moved', move, to: target.place });
  failpoint('move.moved');
  return { ...compared, revision, fencedMs: Math.round(performance.now() - fencedAt) };
}

async function complete({ target, switchOver }: Options, move: string): Promise<string | undefined> {
  const kept = await target.open(move);
  failpoint('move.opened');
  switchOver();
  failpoint('move.switched');
  return kept;
}

/** Removes the copy only if it is certain that the source is still in use. */
async function giveUp({ source, target }: Options, move: string): Promise<void> {
  const fence = await source.fence();
  if (fence?.state === 'moved') return;
  if (fence?.move === move) await source.changeFence(move, undefined);
  await target.discard();
}

const PAGE_BYTES: number = 4 * MEBIBYTE;
const PAGE_KEYS = 2_000;
const END = '\u{10ffff}';

/** Yields all keys and values in order. Pages with large values have fewer entries. */
async function* pages(reader: Pick<EngineSnapshot, 'range'>): AsyncGenerator<readonly Entry[], void, undefined> {
  let limit = 100;
  for (let gte = ''; ;) {
    const page = await reader.range({ gte, lt: END, limit, reverse: false });
    if (page.length > 0) yield page;
    if (page.length < limit) return;
    gte = afterKey(page.at(-1)![0]);
    const bytes = page.reduce((sum, [key, value]) => sum + key.length + value.length, 1);
    limit = Math.max(1, Math.min(PAGE_KEYS, Math.floor((limit * PAGE_BYTES) / bytes)));
  }
}

const HISTORY_AT_ONCE = 500;
/** The writers are stopped when fewer commits than this are left to copy. */
const NEARLY_THERE = 100;

/** Copies journal entries, and applies their changes to the copy. */
class Follower {
  readonly #source: MoveSource;
  readonly #target: MoveTarget;
  /** Everything up to this revision is in the copy. */
  #since: number;
  /** Keys that changed since they were compared. */
  readonly changed = new Set<string>();

  constructor(source: MoveSource, target: MoveTarget, since: number) {
    this.#source = source;
    this.#target = target;
    this.#since = since;
  }

  /** Copies the journal entries up to the revision of the state that will be copied. */
  async copyHistory(): Promise<void> {
    for (let since = 0; since < this.#since;) {
      const found = await this.#source.journal(since, HISTORY_AT_ONCE);
      const entries = found.filter(({ revision }) => revision <= this.#since);
      if (entries.length === 0) return;
      await this.#target.write([], entries);
      since = entries.at(-1)!.revision;
    }
  }

  /** Copies the commits up to `revision`, or until only a few are left. */
  async catchUp(revision = Number.POSITIVE_INFINITY): Promise<void> {
    while (this.#since < revision) {
      const found = await this.#source.journal(this.#since, NEARLY_THERE);
      const entries = found.filter((entry) => entry.revision <= revision);
      if (entries.length === 0) return;
      await this.#target.write([...this.#valuesAfter(entries)], entries);
      if (revision === Number.POSITIVE_INFINITY && found.length < NEARLY_THERE) return;
    }
  }

  #valuesAfter(entries: readonly RawEntry[]): ReadonlyMap<string, StoredValue | undefined> {
    const values = new Map<string, StoredValue | undefined>();
    for (const { revision, kind, changes } of entries) {
      if (revision !== this.#since + 1 || kind !== 'keys') {
        throw storeErrors.JOURNAL_TRIMMED(
          `${this.#source.place}: the changes after revision ${this.#since} are not known`,
          {
            hint: 'The database stays where it is. Repeat the move while fewer programs write.',
          },
        );
      }
      for (const { key, after } of decodeKeyChanges(changes)) {
        values.set(key, after);
        this.changed.add(key);
      }
      this.#since = revision;
    }
    return values;
  }
}

/** Compares the copy with the source at one revision, while other processes write. */
async function compareAll(
  source: MoveSource,
  target: MoveTarget,
  follower: Follower,
  onProgress: (count: number) => void,
): Promise<{ readonly keys: number; readonly hash: string }> {
  const snapshot = await source.engine.snapshot();
  try {
    const revision = await snapshot.revision();
    await follower.catchUp(revision);
    follower.changed.clear();
    const [expected, found] = await Promise.all([digest(snapshot, onProgress), digest(target.engine)]);
    if (found.keys !== expected.keys) throw differs(target, `${found.keys} instead of ${expected.keys} keys`);
    if (found.hash !== expected.hash) throw differs(target, 'the values differ');
    await compareJournal(source, target, revision);
    return expected;
  } finally {
    snapshot.release();
  }
}

async function digest(
  reader: Pick<EngineSnapshot, 'range'>,
  onProgress: (count: number) => void = () => undefined,
): Promise<{ readonly keys: number; readonly hash: string }> {
  const hash = createHash('sha256');
  let keys = 0;
  for await (const page of pages(reader)) {
    for (const [key, value] of page) {
      const [name, content] = [Buffer.from(key), Buffer.from(value as Uint8Array)];
      // Includes the lengths and the kind of the value; without them, different entries could have the same bytes.
      hash.update(`${name.length} ${content.length} ${typeof value === 'string' ? 'text' : 'bytes'} `);
      hash.update(name).update(content);
    }
    keys += page.length;
    onProgress(keys);
  }
  return { keys, hash: hash.digest('hex') };
}

/**
 * Compares the entries that both journals still have, because each journal drops its oldest entries by its own rules.
 */
async function compareJournal(source: MoveSource, target: MoveTarget, revision: number): Promise<void> {
  const [[oldest], [oldestCopy]] = await Promise.all([source.journal(0, 1), target.journal(0, 1)]);
  let since = Math.max(oldest?.revision ?? 0, oldestCopy?.revision ?? 0) - 1;
  while (since < revision) {
    const sides = await Promise.all([source, target].map((side) => side.journal(since, HISTORY_AT_ONCE)));
    const [expected, found] = sides.map((entries) => entries.filter((entry) => entry.revision <= revision));
    if (JSON.stringify(expected) !== JSON.stringify(found)) throw differs(target, 'the journal differs');
    const last = expected?.at(-1);
    if (last === undefined) return;
    since = last.revision;
  }
}

async function compareChanged(source: MoveSource, target: MoveTarget, changed: ReadonlySet<string>): Promise<void> {
  const keys = [...changed];
  for (let start = 0; start < keys.length; start += NEARLY_THERE) {
    const some = keys.slice(start, start + NEARLY_THERE);
    const [expected, found] = await Promise.all([source.engine.getMany(some), target.engine.getMany(some)]);
    if (!expected.every((value, index) => isSame(value, found[index])))
      throw differs(target, 'the last commits differ');
  }
}

function isSame(left: StoredValue | undefined, right: StoredValue | undefined): boolean {
  if (left instanceof Uint8Array && right instanceof Uint8Array) return Buffer.compare(left, right) === 0;
  return left === right;
}

function differs(target: MoveTarget, reason: string): Error {
  return moveErrors.MOVE_DIFFERS(`The copy at ${target.place} is wrong: ${reason}`);
}
