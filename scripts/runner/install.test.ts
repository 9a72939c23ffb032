import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { installReason, stampInstall } from './install.mjs';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdfast-install-'));
  write('package-lock.json', 'one', 100);
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(path: string, text: string, seconds: number): void {
  writeFileSync(join(folder, path), text);
  utimesSync(join(folder, path), seconds, seconds);
}

function installed(seconds: number): void {
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  write('node_modules/.package-lock.json', '{}', seconds);
}

describe('npm ci', () => {
  it('is needed in a fresh clone and after an installation that was cut short', () => {
    expect(installReason(folder)).toMatch(/missing/);
    mkdirSync(join(folder, 'node_modules'));
    expect(installReason(folder)).toMatch(/incomplete/);
  });

  it('is not needed after npm ran last, by whoever', () => {
    installed(200);
    expect(installReason(folder)).toBeUndefined();
  });

  it('is needed when the lock file changed afterwards', () => {
    installed(200);
    stampInstall(folder);
    write('package-lock.json', 'two', 300);
    expect(installReason(folder)).toMatch(/changed/);
  });

  it('is not needed when the lock file is newer but the same', () => {
    installed(200);
    stampInstall(folder);
    write('package-lock.json', 'one', 300);
    expect(installReason(folder)).toBeUndefined();
  });
});
