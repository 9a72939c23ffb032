import { createHash } from 'node:crypto';
import * as fs from 'node:fs';

import { KIBIBYTE } from '@holdfast/base';

import { codexErrors } from '../model/errors.ts';
import { staleRead } from '../model/failure.ts';
import { type DiskState, looksSame } from '../model/operation.ts';
import { stateOf, type Tree } from './tree.ts';

const FILE_MODE = 0o666;
/** Shorter files are read synchronously, because switching threads takes much longer than reading a note. */
const AT_ONCE_BELOW: number = 64 * KIBIBYTE;

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Opens a regular file, without following links. The caller closes the descriptor. */
export async function openFile(tree: Tree, path: string): Promise<number> {
  const place = tree.place(path);
  if (place === undefined) throw codexErrors.FILE_NOT_FOUND(`${path} does not exist`);
  try {
    const fd = fs.openSync(place, fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW | fs.constants.O_NONBLOCK);
    if (fs.fstatSync(fd).isFile()) return fd;
    fs.closeSync(fd);
    throw codexErrors.PATH_LINK(`${path} is not a regular file`);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw codexErrors.FILE_NOT_FOUND(`${path} does not exist`, { cause: error });
    if (code === 'ELOOP') throw codexErrors.PATH_LINK(`${path} is a symbolic link`, { cause: error });
    throw error;
  }
}

export function readOutsideFile(path: string): Uint8Array {
  return fs.readFileSync(path);
}

export function sizeOf(fd: number): number {
  return fs.fstatSync(fd).size;
}

/** Creates a file and syncs it. A given mode applies regardless of the umask. */
export async function writeNewFile(tree: Tree, path: string, bytes: Uint8Array, mode?: number): Promise<void> {
  const place = tree.place(path);
  if (place === undefined) throw Object.assign(new Error(`The folder of ${path} no longer exists`), { code: 'ENOENT' });
  const flags = fs.constants.O_WRONLY | fs.constants.O_CREAT | fs.constants.O_EXCL | fs.constants.O_NOFOLLOW;
  const file = await fs.promises.open(place, flags, mode ?? FILE_MODE);
  try {
    if (mode !== undefined) await file.chmod(mode);
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

export interface Observed {
  readonly hash: string;
  readonly state: DiskState;
}

export interface ObservedContent extends Observed {
  readonly bytes: Uint8Array;
}

/** Reads a consistent version; throws a transient error if the file changes while it is read. */
export async function readFile(tree: Tree, path: string): Promise<ObservedContent> {
  const chunks: Uint8Array[] = [];
  const observed = await readThrough(tree, path, (chunk) => chunks.push(chunk));
  return { ...observed, bytes: Buffer.concat(chunks) };
}

export async function hashFile(tree: Tree, path: string): Promise<Observed> {
  return readThrough(tree, path, () => undefined);
}

/** Reads a file without detecting changes during the read, so the caller must verify the hash of the content. */
export async function readUnchecked(tree: Tree, path: string): Promise<Pick<ObservedContent, 'bytes' | 'hash'>> {
  const fd = await openFile(tree, path);
  try {
    const chunks: Uint8Array[] = [];
    for await (const chunk of chunksOf(fd, fs.fstatSync(fd).size)) chunks.push(chunk);
    const bytes = Buffer.concat(chunks);
    return { bytes, hash: sha256(bytes) };
  } finally {
    fs.closeSync(fd);
  }
}

async function readThrough(tree: Tree, path: string, take: (chunk: Uint8Array) => void): Promise<Observed> {
  const fd = await openFile(tree, path);
  try {
    const before = stateOf(fs.fstatSync(fd, { bigint: true }));
    const hash = createHash('sha256');
    for await (const chunk of chunksOf(fd, before.size)) {
      hash.update(chunk);
      take(chunk);
    }
    const after = stateOf(fs.fstatSync(fd, { bigint: true }));
    if (!looksSame(before, after)) throw staleRead(path);
    return { hash: hash.digest('hex'), state: after };
  } finally {
    fs.closeSync(fd);
  }
}

async function* chunksOf(fd: number, size: number): AsyncGenerator<Uint8Array, void, undefined> {
  if (size >= AT_ONCE_BELOW) {
    yield* fs.createReadStream('', { fd, autoClose: false, start: 0 });
    return;
  }
  // One extra byte shows whether the file has grown.
  const buffer = Buffer.allocUnsafe(size + 1);
  yield buffer.subarray(0, fs.readSync(fd, buffer, 0, size + 1, 0));
}
