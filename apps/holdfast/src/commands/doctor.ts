import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';

import { holdfastHome, isHoldfastError, MEBIBYTE } from '@holdfast/base';
import type { CommandContext, ExitCode } from '@holdfast/cli';
import { style } from '@holdfast/cli';
import type { StoreLocation } from '@holdfast/hub/databases';
import { openExisting, sqliteVersion } from '@holdfast/sqlite';

import { existingDatabases } from '../databases.ts';

type Check = { readonly name: string; readonly ok: boolean; readonly detail: string };

const NODE_MINIMUM = [20, 19] as const;
const SPACE_MINIMUM = 256 * MEBIBYTE;

export async function run({ env, out }: CommandContext): Promise<ExitCode> {
  const home = holdfastHome(env);
  const sqlite = { name: 'SQLite', ok: true, detail: sqliteVersion() };
  const checks: Check[] = [checkNode(), sqlite, checkHome(home)];
  const databases = existingDatabases(env);
  for (const location of databases) checks.push(await checkDatabase(location));
  if (databases.some(({ name }) => name === 'audiobooks')) checks.push(await checkCovers());
  const healthy = checks.every(({ ok }) => ok);
  out.result({ home, healthy, checks }, (page) => {
    const width = Math.max(...checks.map(({ name }) => name.length));
    for (const { name, ok, detail } of checks) {
      page.line(ok ? style.green('✓') : style.red('✗'), ' ', style.bold(name.padEnd(width)), `  ${detail}`);
    }
  });
  return healthy ? 0 : 1;
}

function checkNode(): Check {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const ok = major > NODE_MINIMUM[0] || (major === NODE_MINIMUM[0] && minor >= NODE_MINIMUM[1]);
  return {
    name: 'Node.js',
    ok,
    detail: `${process.versions.node}${ok ? '' : `, needs ${NODE_MINIMUM.join('.')} or later`}`,
  };
}

function checkHome(home: string): Check {
  if (!existsSync(home)) return { name: 'Data home', ok: true, detail: `${home} (created on first use)` };
  try {
    const { bavail, bsize } = statfsSync(home);
    const free = bavail * bsize;
    const found = statSync(home);
    const isPrivate = !found.isDirectory() || (found.mode & 0o077) === 0;
    const problems = [
      ...(found.isDirectory() ? [] : ['is not a folder']),
      ...(isUsable(home) ? [] : ['no permission to read and write: check its owner and mode']),
      ...(free < SPACE_MINIMUM ? [`only ${Math.round(free / MEBIBYTE)} MiB free`] : []),
      ...(isPrivate ? [] : ['readable by others: run chmod 700 on it']),
    ];
    return { name: 'Data home', ok: problems.length === 0, detail: [home, ...problems].join(', ') };
  } catch (error) {
    return { name: 'Data home', ok: false, detail: `${home}: ${(error as Error).message}` };
  }
}

function isUsable(folder: string): boolean {
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

async function checkDatabase({ path, name }: StoreLocation): Promise<Check> {
  try {
    const database = await openExisting(path);
    try {
      const problems = database.integrityProblems();
      const summary = `${database.kind}, revision ${database.revision()}, ${bytesOf(path)} bytes`;
      return { name: name ?? path, ok: problems.length === 0, detail: [summary, ...problems].join(', ') };
    } finally {
      await database.close({ processIsEnding: true });
    }
  } catch (error) {
    return { name: name ?? path, ok: false, detail: error instanceof Error ? error.message : String(error) };
  }
}

/** Includes the write-ahead log, which holds recent commits. */
function bytesOf(path: string): number {
  return statSync(path).size + (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0);
}

/** `sharp` is an optional dependency, so it may be missing. */
async function checkCovers(): Promise<Check> {
  const { requirePictures } = await import('@holdfast/audiobooks');
  try {
    await requirePictures();
    return { name: 'Covers', ok: true, detail: 'sharp is installed' };
  } catch (error) {
    if (!isHoldfastError(error)) throw error;
    return { name: 'Covers', ok: false, detail: `${error.message} ${error.hint}` };
  }
}
