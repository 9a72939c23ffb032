import { createHash } from 'node:crypto';

import type { ByteSource } from '../media/source.ts';

const SAMPLE = 8 * 1024;

/**
 * Hashes the length and three samples of the audio. Tags do not affect it, so a file keeps its identity when they
 * change. Callers compare whole files before deleting anything.
 */
export async function quickHash(
  source: ByteSource,
  { offset, length }: { readonly offset: number; readonly length: number },
): Promise<string> {
  const hash = createHash('sha256').update(`sound:${length}:`);
  const last = Math.max(offset, offset + length - SAMPLE);
  // The middle comes last: the start and end are still in the reader's windows.
  const places = new Set([offset, last, Math.floor((offset + last) / 2)]);
  for (const place of places) hash.update(await source.read(place, Math.min(SAMPLE, offset + length - place)));
  return hash.digest('hex').slice(0, 32);
}

const CHUNK = 1024 * 1024;

/** Hashes the whole file, which takes hours for a large library; use it only to compare candidates. */
export async function sha256Of(source: ByteSource, signal?: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  for (let at = 0; at < source.size; at += CHUNK) {
    signal?.throwIfAborted();
    hash.update(await source.read(at, CHUNK));
  }
  return hash.digest('hex');
}
