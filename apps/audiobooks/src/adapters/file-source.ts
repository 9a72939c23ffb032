import { constants, type BigIntStats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

import { type ByteSource, KEPT_MAX } from '../media/source.ts';
import type { FileSignature } from '../model/scanned.ts';

/** Large reads share a buffer. */
export interface FileSource extends ByteSource {
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

/** Does not follow links, and refuses pipes and devices, which could block forever. */
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

/** Skips zero-filling, and avoids Buffer, whose slices are views. */
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
