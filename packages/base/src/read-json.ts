import { readFileSync } from 'node:fs';

import { systemErrorCode } from './system-error.ts';

/** Content of a JSON file; undefined if it is missing or not valid JSON, for example only partly written. */
export function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    if (error instanceof SyntaxError || systemErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
