import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { writeFile as writeFileLater } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';

import { syncFolder, systemErrorCode, writeFileDurablySync } from '@holdfast/base';

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

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Joins path parts below a folder; throws if the result is outside the folder. */
export function inside(folder: string, ...parts: string[]): string {
  const path = resolve(folder, ...parts);
  if (path.startsWith(`${resolve(folder)}${sep}`)) return path;
  throw ringmasterErrors.ID_INVALID(`${parts.join('/')} is outside ${folder}`);
}

/** Relative path from a folder to one below it, with links resolved; empty if `path` is not below `folder`. */
export function pathBelow(folder: string, path: string): string {
  if (!existsSync(folder) || !existsSync(path)) return '';
  const way = relative(realpathSync(folder), realpathSync(path));
  return way === '..' || way.startsWith(`..${sep}`) ? '' : way;
}

/** Writes a file whose content never changes; skips one that already has the same content. */
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

/** Makes `path` a link to another file, for people to open. No code depends on the link. */
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
