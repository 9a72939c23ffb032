import { spawn } from 'node:child_process';

import { MINUTE } from '@holdfast/base';

import { ringmasterErrors } from '../model/errors.ts';

const TIME_MAX = 5 * MINUTE;

/** Runs a command line of the settings with text on its standard input, and gives what it prints. */
export function runForText(command: string, input: string, folder: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn('/bin/sh', ['-c', command], {
      cwd: folder,
      stdio: ['pipe', 'pipe', 'inherit'],
      timeout: TIME_MAX,
    });
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.on('error', reject);
    // A command that does not read its input is free not to.
    child.stdin.on('error', () => undefined);
    child.on('close', (code, signal) => {
      if (code === 0) resolve(Buffer.concat(chunks).toString('utf8').trim());
      else reject(ringmasterErrors.TEXT_INVALID(`"${command}" ended with ${code ?? signal}`));
    });
    child.stdin.end(input);
  });
}
