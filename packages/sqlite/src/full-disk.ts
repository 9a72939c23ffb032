import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';

import { KIBIBYTE } from '@holdfast/base';

/** SQLite lets its shared memory grow by this much, and calls it an I/O error when there is no room for it. */
const SHARED_MEMORY_STEP = 32 * KIBIBYTE;

export function isDiskFull(path: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(dirname(path));
    return bavail * bsize < SHARED_MEMORY_STEP;
  } catch {
    // Who cannot ask for the room does not know of a better reason than the error at hand.
    return false;
  }
}
