import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { temporaryFolder } from '../../test/temporary-folder.ts';
import { plant } from '../../test/tree.ts';
import { watchLibrary } from './watch-library.ts';

const GENEROUS_MS = 20_000;

function watched(root: string, onChange: (folders: readonly string[]) => void = () => undefined) {
  const controller = new AbortController();
  const seen: (readonly string[])[] = [];
  const problems: string[] = [];
  const ended = watchLibrary({
    root,
    quietMs: 60,
    lookMs: 100,
    signal: controller.signal,
    onChange: async (folders) => {
      seen.push(folders);
      onChange(folders);
      await Promise.resolve();
    },
    onProblem: (message) => void problems.push(message),
  });
  const until = async (isDone: () => boolean): Promise<void> => {
    for (const started = Date.now(); !isDone() && Date.now() - started < GENEROUS_MS;) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  const stop = async (): Promise<void> => {
    controller.abort();
    await ended;
  };
  return { seen, problems, until, stop };
}

describe('watching a library', () => {
  it('first looks at all of it, then where something changes, and not at what is ours or unfinished', async () => {
    const root = temporaryFolder();
    plant(root, { 'A B/One/1.mp3': null, 'A B/Two/1.mp3': null });
    const { seen, until, stop } = watched(root);
    await until(() => seen.length === 1);
    expect(seen).toEqual([['']]);
    mkdirSync(join(root, '.holdfast'));
    writeFileSync(join(root, '.holdfast/x'), 'x');
    writeFileSync(join(root, 'A B/One/2.mp3.part'), 'x');
    plant(root, { 'A B/One/2.mp3': null });
    await until(() => seen.length > 1);
    renameSync(join(root, 'A B/Two'), join(root, 'A B/Three'));
    await until(() => seen.flat().includes('A B'));
    await stop();
    const folders = new Set(seen.slice(1).flat());
    expect(folders.has('A B/One')).toBe(true);
    expect([...folders].some((folder) => folder.startsWith('.holdfast'))).toBe(false);
  });

  it('goes on with the folder that took the place of the first, as a disk does that is mounted again', async () => {
    const disk = join(temporaryFolder(), 'disk');
    const root = join(disk, 'library');
    plant(root, { 'Old/1.mp3': null });
    const { seen, until, stop } = watched(root);
    await until(() => seen.length === 1);
    renameSync(disk, `${disk}.away`);
    plant(root, { 'Old/1.mp3': null });
    const isSeen = (): boolean => seen.flat().includes('New');
    for (let file = 1; !isSeen() && file <= 20; file++) {
      plant(root, { [`New/${file}.mp3`]: null });
      const before = seen.length;
      await until(() => isSeen() || seen.length > before);
    }
    await stop();
    expect(isSeen()).toBe(true);
  });

  it('tries again what went wrong', async () => {
    const root = temporaryFolder();
    let calls = 0;
    const { seen, problems, until, stop } = watched(root, () => {
      calls += 1;
      if (calls === 1) throw new Error('busy');
    });
    await until(() => seen.length >= 2);
    await stop();
    expect(problems).toEqual(['busy']);
    expect(seen.slice(0, 2)).toEqual([[''], ['']]);
  });
});
