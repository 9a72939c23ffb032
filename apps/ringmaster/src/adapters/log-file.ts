import { createHash } from 'node:crypto';
import { closeSync, fsync, mkdirSync, openSync, readSync, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';

import { KIBIBYTE } from '@holdfast/base';

/** A log that grows while somebody works. What was appended can be read at once; `seal` makes it durable. */
export interface LogFile {
  readonly append: (text: string) => void;
  readonly seal: () => Promise<{ readonly bytes: number; readonly sha256: string }>;
  /** For one that is given up. Harmless after `seal`, which closes it too. */
  readonly close: () => void;
}

export function openLog(path: string): LogFile {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const descriptor = openSync(path, 'a+', 0o600);
  let isOpen = true;
  const close = (): void => {
    if (isOpen) closeSync(descriptor);
    isOpen = false;
  };
  return {
    close,
    append(text) {
      // Somebody else's file may have the number by now.
      if (!isOpen) return;
      const bytes = Buffer.from(text);
      for (let at = 0; at < bytes.length;) at += writeSync(descriptor, bytes, at);
    },
    async seal() {
      try {
        await promisify(fsync)(descriptor);
        const hash = createHash('sha256');
        const piece = Buffer.allocUnsafe(64 * KIBIBYTE);
        let bytes = 0;
        for (let read = 1; read > 0; bytes += read) {
          read = readSync(descriptor, piece, 0, piece.length, bytes);
          hash.update(piece.subarray(0, read));
        }
        return { bytes, sha256: hash.digest('hex') };
      } finally {
        close();
      }
    },
  };
}

/** From an offset to the end, at most so many bytes; undefined when there is no such file. */
export function readLog(path: string, offset: number, bytesMax: number): Buffer | undefined {
  const size = statSync(path, { throwIfNoEntry: false })?.size;
  if (size === undefined) return undefined;
  const length = Math.min(bytesMax, Math.max(0, size - offset));
  const bytes = Buffer.allocUnsafe(length);
  const descriptor = openSync(path, 'r');
  try {
    return bytes.subarray(0, readSync(descriptor, bytes, 0, length, offset));
  } finally {
    closeSync(descriptor);
  }
}

/** The last bytes of a log, as text; nothing when there is no such file yet. */
export function logEnd(path: string, bytesMax: number): { readonly text: string; readonly isWhole: boolean } {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  const offset = Math.max(0, size - bytesMax);
  return { text: (readLog(path, offset, bytesMax) ?? Buffer.alloc(0)).toString('utf8'), isWhole: offset === 0 };
}
