import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { sensitiveFolder } from './sensitive-folder.ts';

describe('a folder that must not be published', () => {
  let folder: string;
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'sensitive-')));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('is a home directory, or lies around one', () => {
    expect(sensitiveFolder(homedir())).toBe('it is a home directory');
    expect(sensitiveFolder(dirname(homedir()))).toBe('it contains home directories');
    expect(sensitiveFolder('/')).toBe('it contains home directories');
  });

  it('is the home directory of another user', () => {
    for (const home of ['/home/somebody', '/Users/somebody', '/root']) {
      expect(sensitiveFolder(home)).toBe('it is a home directory');
    }
    expect(sensitiveFolder('/home')).toBe('it contains home directories');
    expect(sensitiveFolder('/home/somebody/books')).toBeUndefined();
  });

  it('is behind a link with a harmless name', () => {
    mkdirSync(join(folder, '.ssh'));
    symlinkSync(join(folder, '.ssh'), join(folder, 'notes'));
    expect(sensitiveFolder(join(folder, 'notes'))).toBe('it is hidden (.ssh)');
  });

  it('is hidden, at any depth, but for our own data home', () => {
    expect(sensitiveFolder(join(homedir(), '.ssh'))).toBe('it is hidden (.ssh)');
    expect(sensitiveFolder(join(folder, '.config', 'x'))).toBe('it is hidden (.config)');
    const home = join(folder, '.local', 'holdfast');
    expect(sensitiveFolder(join(home, 'notebooks', 'lab'), { except: home })).toBeUndefined();
    expect(sensitiveFolder(join(home, 'notebooks', '.ssh'), { except: home })).toBe('it is hidden (.ssh)');
  });

  it('holds keys or passwords', () => {
    mkdirSync(join(folder, 'keys'));
    writeFileSync(join(folder, 'keys', 'id_ed25519'), '');
    writeFileSync(join(folder, 'note.md'), '');
    expect(sensitiveFolder(join(folder, 'keys'))).toBe('it contains credentials (id_ed25519)');
    expect(sensitiveFolder(folder)).toBeUndefined();
    for (let n = 0; n < 1_200; n++) writeFileSync(join(folder, `note-${n}.md`), '');
    writeFileSync(join(folder, 'zz.key'), '');
    expect(sensitiveFolder(folder)).toBe('it contains credentials (zz.key)');
    expect(sensitiveFolder(join(folder, 'new'))).toBeUndefined();
  });
});
