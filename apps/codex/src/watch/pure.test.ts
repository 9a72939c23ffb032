import { describe, expect, it } from 'vitest';

import type { DiskState } from '../model/operation.ts';
import { joinMoves } from './find-moves.ts';
import { Settling } from './settling.ts';

const file = (size: number, inode = '1'): DiskState => ({
  kind: 'file',
  size,
  mode: 0o644,
  mtime_ns: String(size),
  ctime_ns: String(size),
  inode,
});

describe('settling', () => {
  it('gives a path after two looks that found the same', () => {
    const settling = new Settling();
    settling.note('a', 0);
    expect(settling.look('a', file(1), 10)).toBeUndefined();
    expect(settling.look('a', file(2), 20)).toBeUndefined();
    expect(settling.look('a', file(2), 30)).toEqual({ path: 'a', state: file(2) });
    expect(settling.size).toBe(0);
  });

  it('begins anew when there was another event', () => {
    const settling = new Settling();
    settling.note('a', 0);
    settling.look('a', file(1), 10);
    settling.note('a', 15);
    expect(settling.look('a', file(1), 20)).toBeUndefined();
    expect(settling.look('a', file(1), 30)).toBeDefined();
  });

  it('waits longer for what is gone, because it may appear elsewhere', () => {
    const settling = new Settling();
    settling.note('a', 0);
    expect(settling.look('a', undefined, 50)).toBeUndefined();
    expect(settling.look('a', undefined, 100)).toBeUndefined();
    expect(settling.gone()).toEqual(['a']);
    expect(settling.look('a', undefined, 500)).toEqual({ path: 'a', state: undefined });
  });

  it('lets a folder wait for what is in it', () => {
    const settling = new Settling();
    const folder: DiskState = { ...file(0), kind: 'folder' };
    settling.note('d/s', 0);
    settling.note('d/s/f', 0);
    expect([...settling.busyFolders()].sort()).toEqual(['d', 'd/s']);
    for (const now of [10, 20, 30]) expect(settling.look('d/s', folder, now, true)).toBeUndefined();
    expect(settling.look('d/s', folder, 40)).toBeDefined();
  });

  it('does not wait for ever for a file that never holds still', () => {
    const settling = new Settling();
    settling.note('log', 0);
    for (let n = 1; n < 15; n++) expect(settling.look('log', file(n), n * 1_000)).toBeUndefined();
    expect(settling.look('log', file(15), 15_000)).toBeDefined();
  });
});

describe('files that moved together', () => {
  const folders = (left: readonly string[], fresh: readonly string[]): Parameters<typeof joinMoves>[1] => ({
    hasLeft: (folder) => left.includes(folder),
    isNew: (folder) => fresh.includes(folder),
  });

  it('are one move of the outermost folder', () => {
    const moves = [
      { from: 'a/s/1', to: 'b/s/1' },
      { from: 'a/2', to: 'b/2' },
    ];
    expect(joinMoves(moves, folders(['a', 'a/s'], ['b', 'b/s']))).toEqual({
      files: [],
      folders: [{ from: 'a', to: 'b' }],
    });
  });

  it('stay moves of files when their folder is still there, or the other was known', () => {
    const moves = [{ from: 'a/1', to: 'b/1' }];
    expect(joinMoves(moves, folders([], ['b'])).files).toEqual(moves);
    expect(joinMoves(moves, folders(['a'], [])).files).toEqual(moves);
    expect(joinMoves([{ from: 'a/1', to: 'b/2' }], folders(['a'], ['b'])).folders).toEqual([]);
  });

  it('into one folder from two are not both that folder', () => {
    const moves = [
      { from: 'a/1', to: 'c/1' },
      { from: 'b/2', to: 'c/2' },
    ];
    expect(joinMoves(moves, folders(['a', 'b'], ['c']))).toEqual({
      folders: [{ from: 'a', to: 'c' }],
      files: [{ from: 'b/2', to: 'c/2' }],
    });
  });
});
