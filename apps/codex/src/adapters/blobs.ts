import { randomBytes } from 'node:crypto';
import { rmSync, utimesSync } from 'node:fs';

import { failpoint, identityOf, isAlive, KIBIBYTE } from '@holdfast/base';

import { codexErrors } from '../model/errors.ts';
import { failureOf } from '../model/failure.ts';
import type { StagedContent } from '../model/operation.ts';
import { readUnchecked, sha256, writeNewFile } from './file-content.ts';
import { Tree } from './tree.ts';

/** Content up to this size goes into the database row; longer content goes into a file in `.codex/blobs/`. */
const INLINE_BYTES_MAX: number = 4 * KIBIBYTE;

export const TEMPORARY_FOLDER = '.codex/tmp';
const BLOB_FOLDER = '.codex/blobs';

export function blobPath(hash: string): string {
  return `${BLOB_FOLDER}/${hash.slice(0, 2)}/${hash}`;
}

export interface Staged extends StagedContent {
  /** Undefined if the content is in `.codex/blobs/`. */
  readonly inline: Uint8Array | undefined;
}

export function inlineOf(bytes: Uint8Array): Uint8Array | undefined {
  return bytes.length <= INLINE_BYTES_MAX ? bytes : undefined;
}

/**
 * Makes content durable before the caller refers to it. Content up to 4 KiB is not written to a file but returned as
 * `inline`, for the caller's database row. If the caller has no row (`hasRow` is false), short content goes into a file
 * too.
 */
export async function stageContent(root: string, bytes: Uint8Array, hasRow = true): Promise<Staged> {
  const hash = sha256(bytes);
  if (hasRow && inlineOf(bytes) !== undefined) return { hash, size: bytes.length, inline: bytes };
  using tree = new Tree(root);
  const path = blobPath(hash);
  if (tree.state(path)?.size === bytes.length && touch(tree, path)) {
    // Another process may have created this file but not yet synced its folders.
    tree.countAsChanged(path);
    await tree.sync();
    return { hash, size: bytes.length, inline: undefined };
  }
  tree.makeFolders(TEMPORARY_FOLDER);
  tree.makeFolders(path.slice(0, path.lastIndexOf('/')));
  const temporary = `${TEMPORARY_FOLDER}/stage-${process.pid}-${randomBytes(6).toString('hex')}`;
  try {
    await writeNewFile(tree, temporary, bytes);
  } catch (error) {
    // Frees the space of the partial file.
    tree.remove(temporary);
    throw isFull(error) ? codexErrors.DISK_FULL('There is no space left for the content', { cause: error }) : error;
  }
  failpoint('codex.stage.written');
  // A file at this path either has the same content or is damaged, so replacing it loses nothing.
  tree.rename(temporary, path);
  await tree.sync();
  failpoint('codex.stage.done');
  return { hash, size: bytes.length, inline: undefined };
}

export function isStaged(root: string, { hash }: StagedContent): boolean {
  using tree = new Tree(root);
  return tree.state(blobPath(hash)) !== undefined;
}

/** Sets the modification time to now, so that maintenance does not remove the content. Returns false if it is gone. */
function touch(tree: Tree, path: string): boolean {
  try {
    utimesSync(tree.place(path) ?? path, new Date(), new Date());
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

function isFull(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOSPC' || code === 'EDQUOT';
}

/**
 * Reads staged content and verifies its hash. After an edit to the properties, `inline` still has the content from
 * before the edit, so it is used only if its hash matches.
 */
export async function readStaged(tree: Tree, staged: StagedContent, inline: Uint8Array | null): Promise<Uint8Array> {
  if (inline !== null && sha256(inline) === staged.hash) return inline;
  if (staged.size === 0) return new Uint8Array();
  try {
    const { bytes, hash } = await readUnchecked(tree, blobPath(staged.hash));
    if (hash === staged.hash) return bytes;
  } catch (error) {
    if (failureOf(error).isTransient) throw error;
    throw codexErrors.CONTENT_MISSING(`The stored content ${staged.hash} cannot be read`, { cause: error });
  }
  throw codexErrors.CONTENT_MISSING(`The stored content ${staged.hash} is damaged`);
}

/** Returns the hashes of staged content that was last used before the time `before`. */
export function oldBlobs(root: string, before: number): string[] {
  return namesIn(root, BLOB_FOLDER)
    .flatMap((part) => namesIn(root, `${BLOB_FOLDER}/${part}`))
    .filter((hash) => isOlder(root, blobPath(hash), before));
}

export function removeBlob(root: string, hash: string, before: number): void {
  if (isOlder(root, blobPath(hash), before)) remove(root, blobPath(hash));
}

/** Removes temporary files from unfinished writes if they are older than `before` or their process is dead. */
export function removeOldTemporaries(root: string, before: number): void {
  for (const name of namesIn(root, TEMPORARY_FOLDER)) {
    const path = `${TEMPORARY_FOLDER}/${name}`;
    const [, pid] = /^stage-(\d+)-/.exec(name) ?? [];
    const isOrphaned = pid !== undefined && !isAlive(identityOf(Number(pid)));
    if (isOrphaned || isOlder(root, path, before)) remove(root, path);
  }
}

export function removeTrash(root: string, path: string): void {
  using tree = new Tree(root);
  const place = reached(() => tree.place(path));
  if (place !== undefined) rmSync(place, { recursive: true, force: true });
}

function remove(root: string, path: string): void {
  using tree = new Tree(root);
  tree.remove(path);
}

function namesIn(root: string, folder: string): readonly string[] {
  using tree = new Tree(root);
  return reached(() => tree.names(folder)) ?? [];
}

function isOlder(root: string, path: string, before: number): boolean {
  using tree = new Tree(root);
  const found = reached(() => tree.state(path));
  return found !== undefined && BigInt(found.mtime_ns) < BigInt(Math.floor(before)) * 1_000_000n;
}

function reached<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
