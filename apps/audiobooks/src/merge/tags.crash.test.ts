import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { runProgram } from '../../test/process.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { plant, scanTree } from '../../test/tree.ts';

describe('writing tags, killed', () => {
  it.each([
    'audiobooks.tags.copied:1',
    'audiobooks.tags.chapters_written:1',
    'audiobooks.tags.written:2',
    'audiobooks.moves.planned:1',
    'audiobooks.move.linked:1',
    'audiobooks.move.replaced:1',
    'audiobooks.moves.moved:3',
    'audiobooks.moves.all_moved:1',
  ])('at %s, is rolled back and can be repeated', async (step) => {
    const folder = temporaryFolder();
    const [root, state] = [join(folder, 'library'), join(folder, 'state')];
    mkdirSync(state);
    plant(root, { 'A B/T/1.mp3': null, 'A B/T/2.mp3': { title: 'Two' } });
    const files = (): readonly Buffer[] => ['1.mp3', '2.mp3'].map((name) => readFileSync(join(root, 'A B/T', name)));
    const before = files();
    const victim = await runProgram('tag-victim', [root, state, 'write'], step);
    expect(victim.wasKilled, victim.output).toBe(true);
    const recovered = await runProgram('tag-victim', [root, state, 'recover']);
    expect(recovered.output, recovered.output).toContain('done');
    expect(files()).toEqual(before);
    expect(readdirSync(root)).toEqual(['A B']);
    const next = await runProgram('tag-victim', [root, state, 'write']);
    expect(next.output, next.output).toContain('done');
    const [book] = (await scanTree(root)).books;
    expect(book?.files.map(({ tags }) => tags.album)).toEqual(['Dune', 'Dune']);
    expect(readdirSync(join(root, 'A B/T')).sort()).toEqual(['1.mp3', '2.mp3']);
  });
});
