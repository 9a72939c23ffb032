import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { writeFile as writeFileLater } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';

import { KIBIBYTE, syncFolder, systemErrorCode, writeFileDurablySync } from '@holdfast/base';

import { ringmasterErrors } from '../model/errors.ts';

export function readFile(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (error) {
    throw ringmasterErrors.FILE_UNREADABLE(`${path} cannot be read`, { cause: error });
  }
}

export function readText(path: string): string {
  return new TextDecoder().decode(readFile(path));
}

const READ_BYTES = 256 * KIBIBYTE;
const NEWLINE = 0x0a;
const NOTHING = Buffer.alloc(0);

/** Yields the lines of a text file. Each iteration reads the file again, in chunks. */
export function linesOfFile(path: string): Iterable<string> {
  return { [Symbol.iterator]: () => readLines(path) };
}

function* readLines(path: string): Generator<string> {
  const file = openForReading(path);
  try {
    const piece = Buffer.alloc(READ_BYTES);
    let rest: Buffer = NOTHING;
    for (let isFirst = true; ; isFirst = false) {
      const length = readSync(file, piece);
      if (length === 0) break;
      let start = isFirst && piece.subarray(0, BOM.length).equals(BOM) ? BOM.length : 0;
      const end = piece.lastIndexOf(NEWLINE, length - 1);
      if (end < start) {
        rest = Buffer.concat([rest, piece.subarray(start, length)]);
        continue;
      }
      for (let at = piece.indexOf(NEWLINE, start); at >= 0 && at <= end; at = piece.indexOf(NEWLINE, start)) {
        const line = piece.subarray(start, at);
        yield (rest.length === 0 ? line : Buffer.concat([rest, line])).toString('utf8');
        rest = NOTHING;
        start = at + 1;
      }
      rest = Buffer.from(piece.subarray(start, length));
    }
    if (rest.length > 0) yield rest.toString('utf8');
  } finally {
    closeSync(file);
  }
}

/** Returns the Dolt database of the Beads project that a path belongs to; undefined if there is none. */
export function doltDatabase(path: string): string | undefined {
  const folders = [dirname(path), path, join(path, '.beads')];
  const candidates = folders.flatMap((folder) => [join(folder, 'embeddeddolt'), join(folder, 'dolt')]);
  return candidates.find((folder) => existsSync(folder));
}

export function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile();
}

const BOM = Buffer.from('\uFEFF');

function openForReading(path: string): number {
  try {
    return openSync(path, 'r');
  } catch (error) {
    throw ringmasterErrors.FILE_UNREADABLE(`${path} cannot be read`, { cause: error });
  }
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Joins path parts below a folder; throws if the result is outside the folder. */
export function inside(folder: string, ...parts: string[]): string {
  const path = resolve(folder, ...parts);
  if (path.startsWith(`${resolve(folder)}${sep}`)) return path;
  throw ringmasterErrors.ID_INVALID(`${parts.join('/')} is outside ${folder}`);
}

/**
 * Returns the relative path from a folder to one below it, with links resolved; empty if `path` is not below `folder`.
 */
export function pathBelow(folder: string, path: string): string {
  if (!existsSync(folder) || !existsSync(path)) return '';
  const way = relative(realpathSync(folder), realpathSync(path));
  return way === '..' || way.startsWith(`..${sep}`) ? '' : way;
}

/** Writes a file whose content never changes. Does nothing if the file already has this content. */
export function writeImmutable(path: string, bytes: Uint8Array): void {
  if (existsSync(path) && sha256(readFileSync(path)) === sha256(bytes)) return;
  writeFileDurablySync(path, bytes);
}

/** Writes several new files in one folder and syncs them; they are durable when the promise resolves. */
export async function writeTogether(
  folder: string,
  files: readonly { readonly name: string; readonly content: string }[],
): Promise<void> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  await Promise.all(
    files.map(({ name, content }) => writeFileLater(join(folder, name), content, { mode: 0o600, flush: true })),
  );
  await syncFolder(folder);
}

/** Makes `path` a link to another file, so that people can find the file. No code depends on the link. */
export function pointAt(path: string, target: string): void {
  if (readLink(path) === target) return;
  try {
    symlinkSync(target, path);
  } catch (error) {
    if (systemErrorCode(error) !== 'EEXIST') throw error;
    const unfinished = `${path}.${process.pid}.link`;
    rmSync(unfinished, { force: true });
    symlinkSync(target, unfinished);
    renameSync(unfinished, path);
  }
}

function readLink(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

/** Copies instead of hard-linking, so that damage to one file does not affect the other. */
export function copyOnce(from: string, to: string): void {
  if (!existsSync(to)) writeFileDurablySync(to, readFileSync(from));
}

export function fileExists(path: string): boolean {
  return existsSync(path);
}

export function removeFile(path: string): void {
  rmSync(path, { force: true });
}

export function writeProjection(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(path, text, { mode: 0o600 });
}

/** Writes a file for people to edit; keeps an existing one. */
export function writeOnce(path: string, text: string): void {
  if (!existsSync(path)) writeFileSync(path, text);
}

export function makeFolders(root: string, names: readonly string[]): void {
  for (const name of names) mkdirSync(join(root, name), { recursive: true, mode: 0o700 });
}
