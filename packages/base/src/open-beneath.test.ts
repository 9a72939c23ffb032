import { closeSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { openBeneath } from './open-beneath.ts';

let base = '';
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'holdfast-beneath-'));
  mkdirSync(join(base, 'root/folder'), { recursive: true });
  mkdirSync(join(base, 'outside'));
  writeFileSync(join(base, 'root/folder/file'), 'inside');
  writeFileSync(join(base, 'outside/file'), 'outside');
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

function read(path: string): string {
  const fd = openBeneath(join(base, 'root'), path);
  try {
    return readFileSync(fd, 'utf8');
  } finally {
    closeSync(fd);
  }
}

describe('a file below a folder', () => {
  it('is opened by its path', () => {
    expect(read('folder/file')).toBe('inside');
  });

  it.each(['../outside/file', 'folder/../../outside/file', '/etc/passwd', '', '.', 'folder//file', 'folder/file\0'])(
    'is never somewhere else: %j',
    (path) => {
      expect(() => read(path)).toThrow(expect.objectContaining({ code: 'ENOENT' }));
    },
  );

  it('is not reached through a link, on the way or at the end', () => {
    symlinkSync(join(base, 'outside'), join(base, 'root/way'));
    symlinkSync(join(base, 'outside/file'), join(base, 'root/end'));
    expect(() => read('way/file')).toThrow(/ENOTDIR|ELOOP/u);
    expect(() => read('end')).toThrow(/ELOOP/u);
  });
});
