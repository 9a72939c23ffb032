import { realpathSync } from 'node:fs';

import { holdfastHome, isHoldfastError, MEBIBYTE, sensitiveFolder, toTimestamp } from '@holdfast/base';
import type { CommandContext, ExitCode } from '@holdfast/cli';
import { style } from '@holdfast/cli';
import { openStoreAt, type Store, type StoreLocation } from '@holdfast/hub/databases';
import { Keyspace } from '@holdfast/keyspace';

import { existingDatabases } from '../databases.ts';
import { type Check, checkClock, checkPreconditions, ok, problem, warning } from '../preconditions.ts';

const marks = { ok: style.green('✓'), warning: style.yellow('!'), problem: style.red('✗') };

export async function run({ env, out }: CommandContext): Promise<ExitCode> {
  const home = holdfastHome(env);
  const checks = checkPreconditions(home);
  const databases = existingDatabases(env);
  let newest = 0;
  for (const location of databases) {
    const { check, lastCommitAt, folders } = await checkDatabase(location);
    checks.push(check, ...checkFolders(folders, home));
    newest = Math.max(newest, lastCommitAt);
  }
  checks.push(checkClock(Date.now(), newest));
  if (databases.some(({ name }) => name === 'audiobooks')) checks.push(await checkCovers());
  const healthy = checks.every(({ status }) => status !== 'problem');
  out.result({ home, healthy, checks }, (page) => {
    const width = Math.max(...checks.map(({ name }) => name.length));
    for (const { name, status, reason, action } of checks) {
      page.line(marks[status], ' ', style.bold(name.padEnd(width)), `  ${reason}`);
      if (action !== null) page.line(' '.repeat(width + 4), action);
    }
  });
  return healthy ? 0 : 1;
}

async function checkDatabase(location: StoreLocation) {
  const name = location.name ?? location.path;
  try {
    const database = await openStoreAt(location);
    try {
      const check = await checkOpened(name, database);
      return { check, lastCommitAt: await lastCommitOf(database), folders: await publishedFolders(name, database) };
    } finally {
      await database.close({ processIsEnding: true });
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const action = isHoldfastError(error) ? error.hint : undefined;
    return { check: problem(name, reason, action ?? RESTORE(name)), lastCommitAt: 0, folders: [] };
  }
}

const RESTORE = (name: string): string => `Restore a backup with: holdfast restore ${name} --from BACKUP`;

async function checkOpened(name: string, database: Store): Promise<Check> {
  const { bytes, logBytes } = await database.sizes();
  const place = database.file === undefined ? [database.place] : [];
  const revision = await database.revision();
  const summary = [database.kind, `revision ${revision}`, `${bytes + logBytes} bytes`, ...place].join(', ');
  const problems = database.file?.integrityProblems() ?? [];
  if (problems.length > 0) return problem(name, [summary, ...problems].join(', '), RESTORE(name));
  const found = database.longReaders();
  if (found === undefined) return ok(name, summary);
  const { pinnedBytes, oldestBefore, processes } = found;
  const pinned = `a long read prevents the reuse of ${Math.round(pinnedBytes / MEBIBYTE)} MiB of the write-ahead log`;
  const since = oldestBefore === undefined ? [] : [`the oldest reader started before ${toTimestamp(oldestBefore)}`];
  const readers = processes.map(({ pid, command }) => `process ${pid} (${command})`);
  const action = `End the read or the process: ${readers.length === 0 ? 'unknown' : readers.join(', ')}`;
  return warning(name, [summary, pinned, ...since].join(', '), action);
}

async function lastCommitOf(database: Store): Promise<number> {
  const revision = await database.revision();
  const [last] = revision === 0 ? [] : await database.changes(revision - 1, 1);
  return last?.at ?? 0;
}

/** Returns the folders whose content the server's users can read: notebooks and audiobook libraries. */
async function publishedFolders(name: string, { file, engine }: Store): Promise<readonly string[]> {
  if (name === 'codex' && file !== undefined) {
    const { listNotebooks } = await import('@holdfast/codex');
    return listNotebooks(file.reader).map(({ path }) => path);
  }
  if (name !== 'audiobooks' || engine === undefined) return [];
  const { libraries, schema } = await import('@holdfast/audiobooks');
  const all = await new Keyspace(engine, schema).list(libraries, {});
  return all.filter(({ removed_at: removed }) => removed === null).map(({ root }) => root);
}

/** A folder may have become sensitive after it was added, for example because somebody has stored a key in it. */
function checkFolders(folders: readonly string[], home: string): Check[] {
  const except = realpathSync(home);
  return folders.flatMap((folder) => {
    const reason = sensitiveFolder(folder, { except });
    if (reason === undefined) return [];
    const action =
      'Users of the server can read this folder. Remove the folder from Holdfast, or move its files elsewhere.';
    return [problem('Published folder', `${folder}: ${reason}`, action)];
  });
}

/** `sharp` is an optional dependency, so it may be missing. */
async function checkCovers(): Promise<Check> {
  const { requirePictures } = await import('@holdfast/audiobooks');
  try {
    await requirePictures();
    return ok('Covers', 'sharp is installed');
  } catch (error) {
    if (!isHoldfastError(error)) throw error;
    return problem('Covers', error.message, error.hint);
  }
}
