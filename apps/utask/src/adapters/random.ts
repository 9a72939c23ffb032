import { randomBytes } from 'node:crypto';
import { delay } from '@holdfast/base';

const NONCE_BYTES = 16;

/** From the system's cryptographic generator: two machines cloned from one image never agree. */
export function nonce(): Uint8Array {
  return randomBytes(NONCE_BYTES);
}

/** Waits longer with each attempt, and never as long as somebody else who lost the same race. */
export function jitteredPause(attempt: number): Promise<void> {
  const milliseconds = Math.random() * Math.min(PAUSE_MAX_MS, 2 ** Math.min(attempt, 8));
  return delay(milliseconds);
}

const PAUSE_MAX_MS = 100;
