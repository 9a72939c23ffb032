import { createHash } from 'node:crypto';

import type { ByteSource } from '../media/source.ts';

const SAMPLE = 8 * 1024;

/**
 * A short look at the sound of a file: its length and three places of it. Tags do not change it, so a file keeps its
 * identity when they are written. Two files with the same are compared whole before anything is deleted.
 */
export async function quickHash(
  source: ByteSource,
  { offset, length }: { readonly offset: number; readonly length: number },
): Promise<string> {
  const hash = createHash('sha256').update(`sound:${length}:`);
  const last = Math.max(offset, offset + length - SAMPLE);
  // The middle last: the reader has just been at the beginning and at the end.
  const places = new Set([offset, last, Math.floor((offset + last) / 2)]);
  for (const place of places) hash.update(await source.read(place, Math.min(SAMPLE, offset + length - place)));
  return hash.digest('hex').slice(0, 32);
}

const CHUNK = 1024 * 1024;

/** The whole file. For a large library this takes hours, so it is only done where two files have to be told apart. */
export async function sha256Of(source: ByteSource, signal?: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  for (let at = 0; at < source.size; at += CHUNK) {
    signal?.throwIfAborted();
    hash.update(await source.read(at, CHUNK));
  }
  return hash.digest('hex');
}
