import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { runProgram } from '../../test/process.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { plant, scanTree } from '../../test/tree.ts';

describe('writing tags, killed', () => {
  it.each([
    ['audiobooks.tags.copied:1', [undefined, undefined]],
    ['audiobooks.tags.written:2', ['Dune', undefined]],
    ['audiobooks.tags.synced:1', [undefined, undefined]],
    ['audiobooks.tags.renamed:1', ['Dune', undefined]],
  ])('at %s, leaves every file whole, with old tags or new ones', async (step, albums) => {
    const folder = temporaryFolder();
    const [root, state] = [join(folder, 'library'), join(folder, 'state')];
    mkdirSync(state);
    plant(root, { 'A B/T/1.mp3': null, 'A B/T/2.mp3': { title: 'Two' } });
    const hashes = async (): Promise<readonly (readonly [string, string | undefined])[]> =>
      (await scanTree(root)).books.flatMap(({ files }) =>
        files.map((file) => [file.quickHash, file.tags.album] as const),
      );
    const before = await hashes();
    const victim = await runProgram('tag-victim', [root, state], step);
    expect(victim.wasKilled, victim.output).toBe(true);
    expect(await hashes()).toEqual(before.map(([hash], index) => [hash, albums[index]]));
    const next = await runProgram('tag-victim', [root, state]);
    expect(next.output, next.output).toContain('done');
    expect(await hashes()).toEqual(before.map(([hash]) => [hash, 'Dune']));
    expect(readdirSync(join(root, 'A B/T')).sort()).toEqual(['1.mp3', '2.mp3']);
  });
});
