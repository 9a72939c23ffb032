import { readFileSync } from 'node:fs';

import { systemErrorCode } from './system-error.ts';

/** What a file says. Undefined when there is none, or when it was cut off while it was written: then it says nothing. */
export function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    if (error instanceof SyntaxError || systemErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
