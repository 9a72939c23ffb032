import { randomBytes } from 'node:crypto';
import { utimesSync } from 'node:fs';

import { failpoint, KIBIBYTE } from '@holdfast/base';

import { codexErrors } from '../model/errors.ts';
import { failureOf } from '../model/failure.ts';
import type { StagedContent } from '../model/operation.ts';
import { readAnyway, sha256, writeNewFile } from './file-content.ts';
import { Tree } from './tree.ts';

/** Content of up to this size lies in the database row that needs it. */
const INLINE_BYTES_MAX: number = 4 * KIBIBYTE;

export const TEMPORARY_FOLDER = '.codex/tmp';
export const BLOB_FOLDER = '.codex/blobs';

/** Where content of this hash lies below the notebook. */
export function blobPath(hash: string): string {
  return `${BLOB_FOLDER}/${hash.slice(0, 2)}/${hash}`;
}

export interface Staged extends StagedContent {
  /** Undefined when it was put into `.codex/blobs/`. */
  readonly inline: Uint8Array | undefined;
}

/** Short content can lie in a row of the database. */
export function inlineOf(bytes: Uint8Array): Uint8Array | undefined {
  return bytes.length <= INLINE_BYTES_MAX ? bytes : undefined;
}

/** Makes content durable under its hash, before anything refers to it; short content only if there is no row for it. */
export async function stageContent(root: string, bytes: Uint8Array, hasRow = true): Promise<Staged> {
  const hash = sha256(bytes);
  if (hasRow && inlineOf(bytes) !== undefined) return { hash, size: bytes.length, inline: bytes };
  using tree = new Tree(root);
  const path = blobPath(hash);
  if (tree.state(path)?.size === bytes.length && touch(tree, path)) {
    // Another writer may not have synced the folders yet, and this content is acknowledged on its own.
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
    // A partial file takes up space that others may need.
    tree.remove(temporary);
    throw isFull(error) ? codexErrors.DISK_FULL('There is no space left for the content', { cause: error }) : error;
  }
  failpoint('codex.stage.written');
  // It replaces only a file of the same name, which has the same content or was damaged.
  tree.rename(temporary, path);
  await tree.sync();
  failpoint('codex.stage.done');
  return { hash, size: bytes.length, inline: undefined };
}

/** Whether content that was staged is still there. */
export function isStaged(root: string, { hash }: StagedContent): boolean {
  using tree = new Tree(root);
  return tree.state(blobPath(hash)) !== undefined;
}

/** Renews the modification time, so that cleaning up keeps the content. False when it is already gone. */
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

/** Staged content again, checked against its hash. What came with the event may have been edited since. */
export async function readStaged(tree: Tree, staged: StagedContent, inline: Uint8Array | null): Promise<Uint8Array> {
  if (inline !== null && sha256(inline) === staged.hash) return inline;
  if (staged.size === 0) return new Uint8Array();
  try {
    const { bytes, hash } = await readAnyway(tree, blobPath(staged.hash));
    if (hash === staged.hash) return bytes;
  } catch (error) {
    if (failureOf(error).isTransient) throw error;
    throw codexErrors.CONTENT_MISSING(`The staged content ${staged.hash} cannot be read`, { cause: error });
  }
  throw codexErrors.CONTENT_MISSING(`The staged content ${staged.hash} is damaged`);
}
