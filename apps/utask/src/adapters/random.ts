import { randomBytes } from 'node:crypto';
import { delay } from '@holdfast/base';

const NONCE_BYTES = 16;

/** Returns cryptographically random bytes, so that machines cloned from one image differ. */
export function nonce(): Uint8Array {
  return randomBytes(NONCE_BYTES);
}

/** Waits for a random time that grows with each attempt, so that conflicting writers retry at different times. */
export function jitteredPause(attempt: number): Promise<void> {
  const milliseconds = Math.random() * Math.min(PAUSE_MAX_MS, 2 ** Math.min(attempt, 8));
  return delay(milliseconds);
}

const PAUSE_MAX_MS = 100;
