import { createHash } from 'node:crypto';
import {
  closeSync,
  type FSWatcher,
  fsync,
  fsyncSync,
  mkdirSync,
  openSync,
  readSync,
  statSync,
  watch,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';

import { KIBIBYTE } from '@holdfast/base';

interface SealedLog {
  readonly bytes: number;
  readonly sha256: string;
}

/** A log that grows while a worker runs. Appended text can be read immediately; `seal` makes it durable. */
export interface LogFile {
  readonly append: (text: string) => void;
  readonly seal: () => Promise<SealedLog>;
  /** Like `seal`, but synchronous, for a caller that holds the database lock. */
  readonly sealNow: () => SealedLog;
  /** Closes a log that will not be sealed. Does nothing after `seal`. */
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
      // After closing, another file may have the same descriptor number.
      if (!isOpen) return;
      const bytes = Buffer.from(text);
      for (let at = 0; at < bytes.length;) at += writeSync(descriptor, bytes, at);
    },
    async seal() {
      try {
        await promisify(fsync)(descriptor);
        return hashOf(descriptor);
      } finally {
        close();
      }
    },
    sealNow() {
      try {
        fsyncSync(descriptor);
        return hashOf(descriptor);
      } finally {
        close();
      }
    },
  };
}

function hashOf(descriptor: number): SealedLog {
  const hash = createHash('sha256');
  const piece = Buffer.allocUnsafe(64 * KIBIBYTE);
  let bytes = 0;
  for (let read = 1; read > 0; bytes += read) {
    read = readSync(descriptor, piece, 0, piece.length, bytes);
    hash.update(piece.subarray(0, read));
  }
  return { bytes, sha256: hash.digest('hex') };
}

/** Returns the size of a log; 0 if there is no such file. */
export function logSize(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** Reads up to `bytesMax` bytes from an offset; undefined if there is no such file. */
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

/** Returns the end of a log as text; empty if there is no file yet. */
export function logEnd(path: string, bytesMax: number): { readonly text: string; readonly isWhole: boolean } {
  const size = logSize(path);
  const offset = Math.max(0, size - bytesMax);
  return { text: (readLog(path, offset, bytesMax) ?? Buffer.alloc(0)).toString('utf8'), isWhole: offset === 0 };
}

export interface FolderChanges {
  readonly wake: () => void;
  /** Marks all changes so far as seen. */
  readonly forget: () => void;
  /** Resolves when something may have changed since `forget`. */
  readonly next: () => Promise<void>;
  readonly close: () => void;
}

/** Milliseconds between polls. Polling is needed because file system events can get lost. */
const LOOK_EVERY = 200;

export function watchFolder(folder: string): FolderChanges {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  let hasChanged = false;
  let resume = doNothing;
  const wake = (): void => {
    hasChanged = true;
    resume();
  };
  let watcher: FSWatcher | undefined;
  try {
    watcher = watch(folder, wake).on('error', () => undefined);
  } catch {
    // The system allows no more watches, so only polling remains.
  }
  const timer = setInterval(wake, LOOK_EVERY);
  return {
    wake,
    forget() {
      hasChanged = false;
    },
    next: () =>
      new Promise((resolve) => {
        resume = resolve;
        if (hasChanged) resolve();
      }),
    close() {
      clearInterval(timer);
      watcher?.close();
    },
  };
}

function doNothing(): void {}
