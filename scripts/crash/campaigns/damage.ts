import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { isHoldfastError } from '@holdfast/base';
import { engineOn, Keyspace, type Schema } from '@holdfast/keyspace';
import { schema as npSchema } from '@holdfast/np';
import {
  type Database,
  findJournalProblems,
  openExisting,
  repairFromJournal,
  replaceFromBackup,
} from '@holdfast/sqlite';

import { Random } from '../../../packages/sqlite/test/random.ts';
import { type Campaign, type Context, type Counts, noCounts, violate } from '../lib/campaign.ts';
import { type FilledSubject, fillSubjects } from '../lib/damage-subjects.ts';
import { damageJournal, damageKeys, damageRows, type Stored, storedIn } from '../lib/overwrite.ts';

/**
 * Damages the databases of np, utask, audiobooks, accounts, codex and ringmaster. A cycle takes one of these databases.
 * It first overwrites values, rows, index entries, counters and journal entries, as another program would, and repairs
 * the database. Then it overwrites bytes of a sound copy or cuts the copy off, as a failing disk would, and replaces
 * the copy with a backup.
 *
 * - lost: an intact record changed or could not be read, or a value was not restored although the journal or the backup
 *   had it
 * - phantom: damage was neither repaired nor set aside nor reported
 * - partial: something failed without an error code, a repair left problems, or the application failed after a repair
 */
export const damage: Campaign = {
  name: 'damage',
  promise: 'damage costs at most the damaged values, is repaired or reported, and a backup replaces any damaged file',
  cycles: 1_000,
  failpoints: [],
  run: (context) => runDamage(context, true),
  canary: (context) => runDamage(context, false),
};

/** With `repairs` false (the canary), does not repair, so that the checks must find the remaining damage. */
async function runDamage(context: Context, repairs: boolean): Promise<Counts> {
  const counts = noCounts();
  const subjects = await fillSubjects(context.folder);
  for (let cycle = 0; cycle < context.cycles && !context.isTimeUp(); cycle++) {
    counts.cycles += 1;
    // Each cycle has its own random numbers, so that a changed cycle does not change the next ones.
    const random = new Random(context.random.below(2 ** 31));
    const attempt = new Attempt({ ...context, random }, subjects[cycle % subjects.length]!, counts);
    await attempt.overwriteValues(repairs);
    await attempt.overwriteBytes();
    if (counts.cycles % 100 === 0) context.progress(`${counts.cycles} cycles`);
  }
  return counts;
}

/** Codes that an application must not report after a repair. */
const damageCodes: ReadonlySet<string> = new Set(['VALUE_UNREADABLE', 'STORE_CORRUPT', 'JOURNAL_DAMAGED']);
/** np counts tasks by status, and recounts them after a repair. */
const stats = /^s\/[^/]+\/stats$/u;
const SET_ASIDE = /^holdfast:set-aside\/\d+\//u;

class Attempt {
  readonly #context: Context;
  readonly #subject: FilledSubject;
  readonly #counts: Counts;
  readonly #folder: string;
  readonly #path: string;
  #label = '';

  constructor(context: Context, subject: FilledSubject, counts: Counts) {
    this.#context = context;
    this.#subject = subject;
    this.#counts = counts;
    this.#folder = join(context.folder, 'damaged');
    this.#path = join(this.#folder, subject.file);
  }

  async overwriteValues(repairs: boolean): Promise<void> {
    const { random } = this.#context;
    const { schema, sound, journal } = this.#subject;
    this.#copySound();
    const lastDamaged = damageJournal(this.#path, random);
    if (schema === undefined) damageRows(this.#path, random, journal);
    else damageKeys(this.#path, random);
    const damaged = await withDatabase(this.#path, storedIn);
    const changed = [...sound.keys()].filter((name) => damaged.get(name) !== sound.get(name));
    this.#label = `${this.#subject.name}: ${changed.join(', ')}; journal up to ${lastDamaged}`;
    const isJournalled = (name: string): boolean => (journal.lastRevision.get(name) ?? 0) > lastDamaged;
    // A deleted row can be restored only if the journal has all of its columns.
    const isRecoverable = (name: string): boolean =>
      schema !== undefined || damaged.has(name)
        ? isJournalled(name)
        : [...sound.keys()].filter((other) => rowOf(other) === rowOf(name)).every(isJournalled);
    await this.#coded('before the repair', () => this.#useCopy());
    const reported = new Set<string>();
    await this.#succeeds('the check or repair', async () => {
      await withDatabase(this.#path, async (database) => {
        if (schema !== undefined) await this.#readIntact(database, schema, sound);
        for (const key of await checkAndRepair(database, schema, repairs)) reported.add(key);
      });
    });
    // This may fail with an error code: if the damaged schema version is a plausible number and the journal cannot
    // correct it, the application refuses the database as too new.
    if (repairs) await this.#coded('the repair by the application', async () => this.#subject.repair?.(this.#folder));
    const after = await withDatabase(this.#path, storedIn);
    for (const name of sound.keys()) {
      this.#counts.acknowledged += 1;
      if (after.get(name) === sound.get(name)) continue;
      // Derived data may change with its records; the second check compares the two.
      if (isDerived(schema, name)) continue;
      if (!changed.includes(name)) this.#violate('lost', `${name} was intact and changed`);
      else if (isRecoverable(name)) this.#violate('lost', `${name} was not restored from the journal`);
      else if (damaged.has(name) && !this.#isAccountedFor(name, damaged, after, reported))
        this.#violate('phantom', `${name} was neither set aside nor reported`);
    }
    await this.#checkRepaired(changed.every(isRecoverable));
  }

  /** A damaged value that its schema accepts, and that the journal does not have, cannot be told from a sound one. */
  #isAccountedFor(name: string, damaged: Stored, after: Stored, reported: ReadonlySet<string>): boolean {
    const isSetAside = [...after].some(([key]) => SET_ASIDE.test(key) && key.replace(SET_ASIDE, '') === name);
    return isSetAside || reported.has(name) || after.get(name) === damaged.get(name);
  }

  async #checkRepaired(isWhole: boolean): Promise<void> {
    await this.#succeeds('the second check', async () => {
      const left = await withDatabase(this.#path, (database) => check(database, this.#subject.schema));
      // A lost log entry leaves a gap if the journal does not have it.
      const problems = left.filter((problem) => isWhole || !problem.startsWith('log_gap'));
      if (problems.length > 0) this.#violate('partial', `problems are left: ${problems.join('; ')}`);
    });
    try {
      await this.#subject.use(this.#folder);
    } catch (error) {
      // A damaged row that the journal does not have cannot be restored, so the application may report it.
      const isExpected = isHoldfastError(error) && (this.#subject.schema === undefined || !damageCodes.has(error.code));
      const isAllowed = !isWhole && isExpected;
      if (!isAllowed) this.#violate('partial', `the application failed after the repair: ${describe(error)}`);
    }
  }

  /** Every intact record must appear in the lists, whatever happened to its neighbours. */
  async #readIntact(database: Database, schema: Schema, sound: Stored): Promise<void> {
    const reader = new Keyspace(engineOn(database), schema, () => undefined);
    const now = storedIn(database);
    for (const definition of Object.values(schema)) {
      if (definition.type !== 'record' && definition.type !== 'log') continue;
      const found = await reader.entries(definition, {});
      const keys = new Set(found.map(({ key }) => definition.template.encode(key as never)));
      for (const [key, value] of sound) {
        if (now.get(key) !== value || !definition.template.matches(key) || keys.has(key)) continue;
        this.#violate('lost', `${key} is intact, but is not listed`);
      }
    }
  }

  async overwriteBytes(): Promise<void> {
    const { random } = this.#context;
    const { sound } = this.#subject;
    this.#copySound();
    const bytes = readFileSync(this.#path);
    const at = random.below(bytes.length);
    bytes.subarray(at, at + 1 + random.below(8_192)).fill(random.below(256));
    writeFileSync(this.#path, random.below(5) === 0 ? bytes.subarray(0, at) : bytes);
    this.#label = `${this.#subject.name}: bytes at ${at}`;
    await this.#coded('the check of a damaged file', async () => {
      const [problems, now] = await withDatabase(
        this.#path,
        async (database) => [await check(database, this.#subject.schema), storedIn(database)] as const,
      );
      const isSame = now.size === sound.size && [...sound].every(([name, value]) => now.get(name) === value);
      if (problems.length === 0 && !isSame) this.#violate('phantom', 'the check did not find the damage');
    });
    await this.#coded('the application on a damaged file', () => this.#useCopy());
    try {
      await replaceFromBackup(this.#path, this.#subject.backup);
      this.#counts.acknowledged += 1;
      const restored = await withDatabase(this.#path, storedIn);
      if ([...sound].some(([name, value]) => restored.get(name) !== value)) {
        this.#violate('lost', 'the restored database differs from the backup');
      }
      await this.#subject.use(this.#folder);
    } catch (error) {
      this.#violate('lost', `the backup could not be restored and used: ${describe(error)}`);
    }
  }

  #copySound(): void {
    rmSync(this.#folder, { recursive: true, force: true });
    mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
    copyFileSync(this.#subject.backup, this.#path);
  }

  /** Uses the application on a copy, because it writes. */
  async #useCopy(): Promise<void> {
    const folder = join(this.#context.folder, 'used');
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(dirname(join(folder, this.#subject.file)), { recursive: true, mode: 0o700 });
    copyFileSync(this.#path, join(folder, this.#subject.file));
    await this.#subject.use(folder);
  }

  async #succeeds(what: string, action: () => Promise<void>): Promise<void> {
    try {
      await action();
    } catch (error) {
      this.#violate('partial', `${what} failed: ${describe(error)}`);
    }
  }

  /** An error with a code tells the user what to do; any other error would be reported as INTERNAL. */
  async #coded(what: string, action: () => Promise<void>): Promise<void> {
    try {
      await action();
    } catch (error) {
      if (!isHoldfastError(error)) this.#violate('partial', `${what} failed without a code: ${describe(error)}`);
    }
  }

  #violate(kind: 'lost' | 'phantom' | 'partial', text: string): void {
    violate(this.#counts, kind, `${this.#label}: ${text}`);
  }
}

/** Returns the row's part of a column's name: table and primary key. */
function rowOf(name: string): string {
  return name.slice(0, name.lastIndexOf(' '));
}

function isDerived(schema: Schema | undefined, name: string): boolean {
  if (schema === npSchema && stats.test(name)) return true;
  return Object.values(schema ?? {}).some(
    (definition) => 'indexes' in definition && definition.indexes.some(({ template }) => template.matches(name)),
  );
}

async function withDatabase<T>(path: string, use: (database: Database) => T | Promise<T>): Promise<T> {
  const database = await openExisting(path, { synchronous: 'OFF' });
  try {
    return await use(database);
  } finally {
    await database.close();
  }
}

/** Does what `holdfast verify` does. Returns the kind and key of each problem. */
async function check(database: Database, schema: Schema | undefined): Promise<readonly string[]> {
  const problems = database.integrityProblems();
  problems.push(...findJournalProblems(database).map(({ kind, key }) => `${kind} ${key}`));
  if (schema === undefined) return problems;
  const report = await new Keyspace(engineOn(database), schema).verify();
  return [...problems, ...report.problems.map(({ kind, key }) => `${kind} ${key}`)];
}

/** Does what `holdfast verify --repair` does. Returns the keys with problems. */
async function checkAndRepair(database: Database, schema: Schema | undefined, repairs: boolean): Promise<string[]> {
  const journal = repairs ? await repairFromJournal(database) : findJournalProblems(database);
  const keys = journal.map(({ key }) => key);
  if (schema === undefined) return keys;
  const keyspace = new Keyspace(engineOn(database), schema);
  const { problems } = repairs ? await keyspace.repair() : await keyspace.verify();
  return [...keys, ...problems.map(({ key }) => key)];
}

function describe(error: unknown): string {
  return isHoldfastError(error) ? `${error.code}: ${error.message}` : String((error as Error)?.stack ?? error);
}
