import { spawn } from 'node:child_process';

import { MEBIBYTE, MINUTE } from '@holdfast/base';

import { ringmasterErrors } from '../model/errors.ts';

const TIME_MAX = 5 * MINUTE;
const BYTES_MAX = 4 * MEBIBYTE;

export interface CommandForText {
  readonly program: string;
  readonly args: readonly string[];
  readonly input: string;
  readonly folder: string;
}

/** Runs a configured command with text on standard input and returns its output. */
export function runForText({ program, args, input, folder }: CommandForText): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: folder, stdio: ['pipe', 'pipe', 'inherit'], timeout: TIME_MAX });
    const failed = (how: string, cause?: unknown): void =>
      reject(ringmasterErrors.TEXT_INVALID(`"${program}" ${how}`, { cause }));
    const chunks: Buffer[] = [];
    let received = 0;
    child.stdout.on('data', (chunk: Buffer) => {
      received += chunk.length;
      if (received <= BYTES_MAX) chunks.push(chunk);
      // Closing standard output ends the writer.
      else child.stdout.destroy();
    });
    child.on('error', (error) => failed(`could not be started: ${error.message}`, error));
    // The command need not read its input.
    child.stdin.on('error', () => undefined);
    child.on('close', (code, signal) => {
      if (received > BYTES_MAX) failed(`prints more than ${BYTES_MAX} bytes`);
      else if (code === 0) resolve(Buffer.concat(chunks).toString('utf8').trim());
      else failed(`ended with ${code ?? signal}`);
    });
    child.stdin.end(input);
  });
}
