import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { otherBugs, storeBugs } from './bugs.ts';

const root = join(import.meta.dirname, '../..');

describe('the list of planted bugs', () => {
  it('quotes code that occurs exactly once, and names tests that exist', () => {
    const stale = [...storeBugs, ...otherBugs].filter(({ file, original, caughtBy }) => {
      const path = join(root, file);
      const isQuotedOnce = existsSync(path) && readFileSync(path, 'utf8').split(original).length === 2;
      return !isQuotedOnce || !existsSync(join(root, caughtBy));
    });
    expect(stale.map(({ name, file }) => `${name} (${file})`)).toEqual([]);
  });
});
