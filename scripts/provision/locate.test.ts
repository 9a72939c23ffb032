import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { locate } from './locate.mjs';

const component = {
  name: 'thing',
  binary: 'thing',
  versionArgs: [],
  neededFor: 'this test',
  debianPackages: ['thing'],
};

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdfast-locate-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function program(path: string, mode = 0o755): string {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, '');
  chmodSync(file, mode);
  return file;
}

const places = () => ({
  path: [join(folder, 'first'), '', join(folder, 'second')].join(':'),
  folder: join(folder, 'cache'),
});

describe('locate', () => {
  it('finds a program on PATH, and neither a folder nor a file that cannot be run', () => {
    mkdirSync(join(folder, 'first', 'thing'), { recursive: true });
    expect(locate(component, places())).toBeUndefined();
    const file = program('second/thing', 0o644);
    expect(locate(component, places())).toBeUndefined();
    chmodSync(file, 0o755);
    expect(locate(component, places())).toBe(file);
  });

  it('prefers what was unpacked, because it was unpacked for a reason', () => {
    program('first/thing');
    const unpacked = program('cache/bin/thing');
    expect(locate(component, places())).toBe(unpacked);
  });

  it('does not accept a compiler without its headers', () => {
    program('first/thing');
    expect(locate({ ...component, header: join(folder, 'stdio.h') }, places())).toBeUndefined();
  });

  it('never takes a program from PATH for one that has to come from npm', () => {
    program('first/thing');
    expect(locate({ ...component, npmFolder: 'thing-1', npmProgram: 'thing' }, places())).toBeUndefined();
  });
});
