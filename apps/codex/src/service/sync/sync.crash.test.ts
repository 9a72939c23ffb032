import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { afterAll, describe, expect, it } from 'vitest';

import { bundledProgram } from '../../../../../packages/base/test/bundled-program.ts';
import { filesInCommit, filesOnDisk, gitIn, removeFolders, temporaryFolder } from '../../../test/git-notebook.ts';

afterAll(removeFolders);

const program = resolve(import.meta.dirname, '../../../test/programs/sync-machine.ts');

/** Runs one sync; returns true if it was killed at the failpoint. */
function sync(base: string, failpoint?: string): boolean {
  const { HOLDFAST_FAILPOINT: _, ...env } = process.env;
  const { signal, status, stderr } = spawnSync(
    process.execPath,
    [bundledProgram(program), join(base, 'home'), join(base, 'remote')],
    { env: failpoint === undefined ? env : { ...env, HOLDFAST_FAILPOINT: failpoint }, encoding: 'utf8' },
  );
  if (signal === null && status !== 0) throw new Error(stderr);
  return signal === 'SIGKILL';
}

/** A synced notebook. Notebook and remote have both changed since the sync, partly in the same lines. */
function prepared(): string {
  const base = temporaryFolder();
  const [remote, clone, folder] = [join(base, 'remote'), join(base, 'clone'), join(base, 'home/notebooks/notes')];
  execFileSync('git', ['init', '-q', '--bare', '-b', 'main', remote]);
  execFileSync('git', ['clone', '-q', remote, clone], { stdio: 'ignore' });
  const put = (place: string, files: Record<string, string>): void => {
    for (const [path, content] of Object.entries(files)) writeFileSync(join(place, path), content);
  };
  const push = (): void => {
    gitIn(clone, 'add', '-A');
    gitIn(clone, 'commit', '-qm', 'other machine');
    gitIn(clone, 'push', '-q', 'origin', 'HEAD:main');
  };
  put(clone, { 'both.md': 'a\nb\nc\nd\n', 'clash.md': 'base\n', 'gone.md': 'gone\n' });
  push();
  mkdirSync(join(base, 'home'));
  sync(base);
  put(clone, { 'both.md': 'A\nb\nc\nd\n', 'clash.md': 'theirs\n', 'new.md': 'new\n' });
  rmSync(join(clone, 'gone.md'));
  push();
  put(folder, { 'both.md': 'a\nb\nc\nD\n', 'clash.md': 'ours\n', 'own.md': 'own\n' });
  return base;
}

function check(base: string): void {
  const folder = join(base, 'home/notebooks/notes');
  const files = filesOnDisk(folder);
  const copy = Object.keys(files).find((path) => path.startsWith('clash.conflict-')) ?? '';
  expect(files).toEqual({
    'both.md': 'A\nb\nc\nD\n',
    'clash.md': 'ours\n',
    [copy]: 'theirs\n',
    'new.md': 'new\n',
    'own.md': 'own\n',
  });
  expect(filesInCommit(folder)).toEqual(files);
  expect(gitIn(folder, 'status', '--porcelain')).toBe('');
  expect(gitIn(join(base, 'remote'), 'rev-parse', 'main')).toBe(gitIn(folder, 'rev-parse', 'HEAD'));
  expect(gitIn(folder, 'for-each-ref', 'refs/codex')).toBe('');
  expect(existsSync(join(folder, '.git', 'holdfast-sync'))).toBe(false);
  expect(readFileSync(join(base, 'home', 'codex.db')).length).toBeGreaterThan(0);
}

const STEPS = [
  'git.remote.fetched:1',
  'git.remote.kept:1',
  'codex.sync.fetched:1',
  'codex.sync.planned:1',
  'codex.sync.moved:1',
  'codex.sync.recorded:1',
  'codex.sync.applied:1',
  'codex.sync.applied:2',
  'codex.sync.finished:1',
  'codex.sync.pushed:1',
];

describe('a sync that is killed', () => {
  it.each(STEPS)('at %s is finished by the next one', (step) => {
    const base = prepared();
    expect(sync(base, step)).toBe(true);
    sync(base);
    check(base);
  });

  it.each([
    ['codex.sync.planned:1', 'codex.sync.moved:1'],
    ['codex.sync.moved:1', 'codex.sync.applied:1'],
    ['codex.sync.recorded:1', 'codex.sync.finished:1'],
  ])('at %s, and again at %s, is finished by the next one', (first, second) => {
    const base = prepared();
    expect(sync(base, first)).toBe(true);
    expect(sync(base, second)).toBe(true);
    sync(base);
    check(base);
  });
});
