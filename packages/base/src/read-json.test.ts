import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';

import { readJson } from './read-json.ts';

it('a file that is not there or was cut off says nothing, and what cannot be read is an error', () => {
  const folder = mkdtempSync(join(tmpdir(), 'read-json-'));
  const path = join(folder, 'a.json');
  expect(readJson(path)).toBeUndefined();
  writeFileSync(path, '{"a": 1}');
  expect(readJson(path)).toEqual({ a: 1 });
  for (const cut of ['', '{"a":']) {
    writeFileSync(path, cut);
    expect(readJson(path)).toBeUndefined();
  }
  expect(() => readJson(folder)).toThrow('EISDIR');
  rmSync(folder, { recursive: true });
});
