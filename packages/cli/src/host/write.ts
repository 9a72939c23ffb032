/**
 * Synchronous writes to standard output and error. `process.stdout` takes 3 ms to create and may still hold data at
 * exit. A plain write is cheap, is complete when it returns, and reports a closed pipe immediately. It blocks if the
 * reader is slow, which is right for a command.
 */
import { writeSync } from 'node:fs';
import { commandLineErrors } from '../errors.ts';

const PAUSE_MS = 2;

/** Thrown if the reader has closed standard output, as in `| head`. The command then ends normally. */
export class OutputClosed extends Error {}

function writeFully(descriptor: number, data: string | Uint8Array): void {
  const bytes = typeof data === 'string' ? Buffer.from(data) : data;
  let offset = 0;
  while (offset < bytes.length) {
    try {
      offset += writeSync(descriptor, bytes, offset);
    } catch (error) {
      if (!isSystemError(error, 'EAGAIN')) throw error;
      pause();
    }
  }
}

export function writeToStdout(data: string | Uint8Array): void {
  try {
    writeFully(1, data);
  } catch (error) {
    if (isSystemError(error, 'EPIPE')) throw new OutputClosed('the reader closed standard output');
    throw commandLineErrors.OUTPUT_FAILED('Cannot write to standard output.', { cause: error });
  }
}

export function writeToStderr(data: string | Uint8Array): void {
  try {
    writeFully(2, data);
  } catch {
    // The reader has closed the pipe.
  }
}

function isSystemError(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

/** Waits until a full pipe has room. Needed if another process has made the shared pipe non-blocking. */
function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
}
