import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, onTestFinished, test } from 'vitest';

import { createFileDurablySync, writeFileDurably, writeFileDurablySync } from './durable-file.ts';

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-base-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const modeOf = (path: string): number => statSync(path).mode & 0o777;

describe.each([
  { name: 'writeFileDurably', write: writeFileDurably },
  {
    name: 'writeFileDurablySync',
    write: async (...input: Parameters<typeof writeFileDurablySync>): Promise<void> => writeFileDurablySync(...input),
  },
])('$name', ({ write }) => {
  test('replaces a file and makes the folders above a new one', async () => {
    const folder = temporaryFolder();
    const path = join(folder, 'a/b/file');
    await write(path, 'one');
    await write(path, Buffer.from('two'));
    expect(readFileSync(path, 'utf8')).toBe('two');
    expect(readdirSync(join(folder, 'a/b'))).toEqual(['file']);
    expect([modeOf(path), modeOf(join(folder, 'a')), modeOf(join(folder, 'a/b'))]).toEqual([0o600, 0o700, 0o700]);
  });

  test('gives the new file the mode asked for, whatever the old one had', async () => {
    const path = join(temporaryFolder(), 'file');
    writeFileSync(path, 'old');
    chmodSync(path, 0o644);
    await write(path, 'private');
    expect(modeOf(path)).toBe(0o600);
    await write(path, 'public', 0o644);
    expect(modeOf(path)).toBe(0o644);
  });

  test('replaces a link instead of writing through it', async () => {
    const folder = temporaryFolder();
    const [path, target] = [join(folder, 'link'), join(folder, 'target')];
    writeFileSync(target, 'untouched');
    symlinkSync(target, path);
    await write(path, 'new');
    expect(readFileSync(target, 'utf8')).toBe('untouched');
    expect(lstatSync(path).isFile()).toBe(true);
  });

  test('leaves no temporary file when it fails', async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'taken/by-a-folder'), { recursive: true });
    await expect(write(join(folder, 'taken'), 'new')).rejects.toThrow(/EISDIR|ENOTEMPTY|EEXIST/);
    expect(readdirSync(folder)).toEqual(['taken']);
  });
});

test('createFileDurablySync never replaces a file', () => {
  const folder = temporaryFolder();
  const path = join(folder, 'key');
  expect(createFileDurablySync(path, 'first')).toBe(true);
  expect(createFileDurablySync(path, 'second')).toBe(false);
  expect(readFileSync(path, 'utf8')).toBe('first');
  expect(readdirSync(folder)).toEqual(['key']);
  expect(modeOf(path)).toBe(0o600);
});
