import { constants } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { audiobookErrors } from '../model/errors.ts';

const DATABASE = 'absdatabase.sqlite';
const COVER_MAX = 32 * 1024 * 1024;

export interface AudiobookshelfFolder {
  readonly database: string;
  /** The metadata folder, or undefined if there is none. */
  readonly metadata: string | undefined;
}

/** Finds the database and the metadata folder. `dir` is the `config` folder or its parent. */
export async function findAudiobookshelf(dir: string): Promise<AudiobookshelfFolder> {
  const [database] = await existing([join(dir, 'config', DATABASE), join(dir, DATABASE)], 'file');
  if (database === undefined) {
    throw audiobookErrors.IMPORT_INVALID(`${dir} contains neither ${DATABASE} nor config/${DATABASE}.`, {
      hint: 'Give the parent of the Audiobookshelf config folder.',
    });
  }
  const [metadata] = await existing([join(dir, 'metadata'), join(dir, '..', 'metadata')], 'folder');
  return { database, metadata };
}

async function existing(paths: readonly string[], kind: 'file' | 'folder'): Promise<readonly string[]> {
  const found: string[] = [];
  for (const path of paths) {
    const facts = await stat(path).catch(() => undefined);
    if (kind === 'file' ? facts?.isFile() : facts?.isDirectory()) found.push(path);
  }
  return found;
}

/**
 * Copies the database and its journal files to a temporary folder, calls `use` with the copy, and deletes the copy.
 * Reading the original could change it: SQLite creates files next to it and applies its journal.
 */
export async function withDatabaseCopy<T>(database: string, use: (copy: string) => Promise<T> | T): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-audiobookshelf-'));
  try {
    const copy = join(folder, DATABASE);
    await copyFile(database, copy, constants.COPYFILE_FICLONE);
    for (const suffix of ['-wal', '-journal']) {
      await copyFile(database + suffix, copy + suffix).catch(ignoreMissing);
    }
    return await use(copy);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function ignoreMissing(error: unknown): void {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
}

/** Reads the cover that Audiobookshelf stores for an item in its metadata folder; undefined if there is none. */
export async function storedCover(metadata: string, item: string, cover: string): Promise<Uint8Array | undefined> {
  const folder = join(metadata, 'items', item);
  try {
    const path = await realpath(join(folder, basename(cover)));
    if (!path.startsWith(`${await realpath(folder)}/`) || (await stat(path)).size > COVER_MAX) return undefined;
    return await readFile(path);
  } catch {
    return undefined;
  }
}

/** Returns the real path of a folder, or undefined if it does not exist. */
export async function realFolder(path: string): Promise<string | undefined> {
  const facts = await stat(path).catch(() => undefined);
  return facts?.isDirectory() === true ? realpath(path) : undefined;
}

/** Writes `metadata.json` into a folder; creates the folder if it is missing. Replaces an existing file atomically. */
export async function writeMetadataFile(folder: string, content: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const unfinished = join(folder, `.metadata.json.${process.pid}`);
  await writeFile(unfinished, content);
  await rename(unfinished, join(folder, 'metadata.json'));
}
