import { createHash } from 'node:crypto';
import { type BigIntStats, constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { type ByteSource, KEPT_MAX } from '../media/source.ts';
import type { FileSignature } from '../model/scanned.ts';

/** A read of more than `KEPT_MAX` bytes returns a shared buffer, so its result is valid only until the next read. */
interface FileSource extends ByteSource {
  readonly signature: FileSignature;
  close(): Promise<void>;
}

export function signatureOf(stats: BigIntStats): FileSignature {
  return {
    device: String(stats.dev),
    inode: String(stats.ino),
    size: Number(stats.size),
    mtimeNs: String(stats.mtimeNs),
  };
}

/** Opens a file for reading. Does not follow links, and refuses pipes and devices, which could block forever. */
export async function openSource(path: string): Promise<FileSource> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stats = await handle.stat({ bigint: true });
    if (!stats.isFile()) throw new TypeError(`${path} is not a file`);
    return sourceOf(handle, signatureOf(stats));
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Allocates bytes without zeroing them. Returns a plain `Uint8Array`, because `slice` of a Buffer does not copy. */
function uninitialised(length: number): Uint8Array {
  return new Uint8Array(Buffer.allocUnsafeSlow(length).buffer);
}

function sourceOf(handle: FileHandle, signature: FileSignature): FileSource {
  let large = uninitialised(0);
  return {
    size: signature.size,
    signature,
    async read(offset, length) {
      const wanted = Math.max(0, Math.min(length, signature.size - offset));
      if (wanted > KEPT_MAX && wanted > large.length) large = uninitialised(wanted);
      const buffer = wanted > KEPT_MAX ? large : uninitialised(wanted);
      let filled = 0;
      while (filled < wanted) {
        const { bytesRead } = await handle.read(buffer, filled, wanted - filled, offset + filled);
        if (bytesRead === 0) break;
        filled += bytesRead;
      }
      return buffer.subarray(0, filled);
    },
    close: () => handle.close(),
  };
}

const SAMPLE = 8 * 1024;

/**
 * Hashes the length and three samples of the audio. Tags do not affect the hash, so a file keeps its identity when its
 * tags change. Two different files can have equal hashes, so callers compare whole files before they delete anything.
 */
export async function quickHash(
  source: ByteSource,
  { offset, length }: { readonly offset: number; readonly length: number },
): Promise<string> {
  const hash = createHash('sha256').update(`sound:${length}:`);
  const last = Math.max(offset, offset + length - SAMPLE);
  // Reads the start and the end first: both are often still cached, and reading the middle may evict them.
  const places = new Set([offset, last, Math.floor((offset + last) / 2)]);
  for (const place of places) hash.update(await source.read(place, Math.min(SAMPLE, offset + length - place)));
  return hash.digest('hex').slice(0, 32);
}

const CHUNK = 1024 * 1024;

/**
 * Hashes the whole file. Hashing all files of a large library takes hours, so use it only to compare likely duplicates.
 */
export async function sha256Of(source: ByteSource, signal?: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  for (let at = 0; at < source.size; at += CHUNK) {
    signal?.throwIfAborted();
    hash.update(await source.read(at, CHUNK));
  }
  return hash.digest('hex');
}
