import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { factsOf } from '../../test/book-facts.ts';
import { testContext } from '../../test/file-journal.ts';
import { plant, scanTree, type Tree } from '../../test/tree.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { moveFile, placeFile } from '../adapters/move-file.ts';
import type { BookFacts, MovedFile, PlannedMove, RenamePlan } from '../model/engines.ts';
import { createOrganiseEngine } from './engine.ts';

const engine = createOrganiseEngine();
const TEMPLATE = '{author}/[{series}/][{sequence:2} - ]{title}';

function filesIn(root: string): string[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => statSync(join(root, path)).isFile())
    .sort();
}

async function planned(root: string, template = TEMPLATE): Promise<{ plan: RenamePlan; facts: readonly BookFacts[] }> {
  const { books } = await scanTree(root);
  const facts = books.map((book, index) => factsOf(book, `B${index}`));
  return { plan: await engine.plan({ root, template, books: facts }), facts };
}

async function organise(root: string, template = TEMPLATE): Promise<RenamePlan> {
  const { plan } = await planned(root, template);
  await moveAll(root, plan.moves);
  return plan;
}

async function moveAll(root: string, moves: readonly PlannedMove[]): Promise<readonly MovedFile[]> {
  const context = testContext(join(temporaryFolder(), 'journal.json'));
  const all: MovedFile[] = [];
  for (const bookId of new Set(moves.map((move) => move.bookId))) {
    const committed = (moved: readonly MovedFile[]): Promise<void> => Promise.resolve(void all.push(...moved));
    await engine.move({ root, moves: moves.filter((move) => move.bookId === bookId), context, committed });
  }
  expect((await context.journal.steps()).every(({ state }) => state === 'done')).toBe(true);
  return all;
}

function library(tree: Tree): string {
  const root = join(temporaryFolder(), 'library');
  mkdirSync(root);
  plant(root, tree);
  return root;
}

describe('organising', () => {
  it('moves sound and everything beside it, and removes what became empty', async () => {
    const root = library({
      'in/Dune Chronicles 1 - Dune/CD 1/01.mp3': { artist: 'Frank Herbert' },
      'in/Dune Chronicles 1 - Dune/CD 2/01.mp3': { artist: 'Frank Herbert' },
      'in/Dune Chronicles 1 - Dune/cover.jpg': 'x',
      'in/Dune Chronicles 1 - Dune/map.pdf': 'x',
      'keep.txt': 'x',
    });
    await organise(root);
    expect(filesIn(root)).toEqual([
      'Frank Herbert/Dune Chronicles/01 - Dune/CD 1/01.mp3',
      'Frank Herbert/Dune Chronicles/01 - Dune/CD 2/01.mp3',
      'Frank Herbert/Dune Chronicles/01 - Dune/cover.jpg',
      'Frank Herbert/Dune Chronicles/01 - Dune/map.pdf',
      'keep.txt',
    ]);
    expect(existsSync(join(root, 'in'))).toBe(false);
    expect((await planned(root)).plan.moves).toEqual([]);
  });

  it('names files when the template does, and keeps what belongs to other books of the folder', async () => {
    const root = library({
      'shelf/Dune.m4b': { title: 'Dune', artist: 'Frank Herbert' },
      'shelf/Dune.cue': 'x',
      'shelf/Emma.m4b': { title: 'Emma', artist: 'Jane Austen' },
      'shelf/notes.txt': 'x',
    });
    await organise(root, '{author}/{title}/[{track:2} - ]{title}.{ext}');
    expect(filesIn(root)).toEqual([
      'Frank Herbert/Dune/Dune.cue',
      'Frank Herbert/Dune/Dune.m4b',
      'Jane Austen/Emma/Emma.m4b',
      'shelf/notes.txt',
    ]);
  });

  it('lets files of a book change names among each other', async () => {
    const tags = (track: string): Record<string, string> => ({
      album: 'T',
      artist: 'A B',
      track,
      title: `was ${track}`,
    });
    const root = library({ 'A B/T/1 - T.mp3': tags('2'), 'A B/T/2 - T.mp3': tags('3'), 'A B/T/3 - T.mp3': tags('1') });
    const before = new Map(filesIn(root).map((path) => [path, readFileSync(join(root, path))]));
    const plan = await organise(root, '{author}/{title}/{track} - {title}.{ext}');
    expect(plan.moves).toHaveLength(3);
    expect(readFileSync(join(root, 'A B/T/1 - T.mp3'))).toEqual(before.get('A B/T/3 - T.mp3'));
    expect(readFileSync(join(root, 'A B/T/2 - T.mp3'))).toEqual(before.get('A B/T/1 - T.mp3'));
    expect(readFileSync(join(root, 'A B/T/3 - T.mp3'))).toEqual(before.get('A B/T/2 - T.mp3'));
    expect(filesIn(root)).toHaveLength(3);
  });

  it('can be undone by moving the other way', async () => {
    const root = library({ 'in/x/01.mp3': { album: 'Dune', artist: 'Frank Herbert' }, 'in/x/cover.jpg': 'x' });
    const before = filesIn(root);
    const { moves } = await organise(root);
    expect(filesIn(root)).not.toEqual(before);
    await moveAll(root, moves.map((move) => ({ ...move, from: move.to, to: move.from })).reverse());
    expect(filesIn(root)).toEqual(before);
  });

  it('keeps the identity of what it moves, and says so', async () => {
    const root = library({ 'in/x/01.mp3': { album: 'Dune', artist: 'Frank Herbert' } });
    const { plan, facts } = await planned(root);
    const moved = await moveAll(root, plan.moves);
    expect(moved).toMatchObject([
      { segmentId: 'B0-1', to: 'Frank Herbert/Dune/01.mp3', signature: { inode: facts[0]?.files[0]?.inode } },
    ]);
  });

  it('leaves files at their old paths until the new paths are stored', async () => {
    const root = library({ 'in/x/01.mp3': { album: 'Dune', artist: 'Frank Herbert' }, 'in/x/cover.jpg': 'x' });
    const before = filesIn(root);
    const { plan } = await planned(root);
    const context = testContext(join(temporaryFolder(), 'journal.json'));
    const committed = async (): Promise<void> => expect(filesIn(root)).toEqual(expect.arrayContaining(before));
    await engine.move({ root, moves: plan.moves, context, committed });
    expect(filesIn(root)).toEqual(['Frank Herbert/Dune/01.mp3', 'Frank Herbert/Dune/cover.jpg']);
  });

  it('puts everything back when the catalogue refuses', async () => {
    const root = library({ 'in/x/01.mp3': { album: 'Dune' }, 'in/x/02.mp3': { album: 'Dune' }, 'in/x/cover.jpg': 'x' });
    const before = filesIn(root);
    const { plan } = await planned(root);
    const context = testContext(join(temporaryFolder(), 'journal.json'));
    const committed = (): Promise<void> => Promise.reject(new Error('no'));
    await expect(engine.move({ root, moves: plan.moves, context, committed })).rejects.toThrow('no');
    expect(filesIn(root)).toEqual(before);
    expect(readdirSync(root)).toEqual(['in']);
    expect((await context.journal.steps()).every(({ state }) => state === 'undone')).toBe(true);
  });
});

describe('a plan refuses', () => {
  it('two books for one path, by case and accents too', async () => {
    const root = library({
      'a/1.mp3': { album: 'Dune', artist: 'Frank Herbert' },
      'b/1.mp3': { album: 'DUNE', artist: 'frank herbert' },
      'c/1.mp3': { album: 'Caf\u00e9', artist: 'A B' },
      'd/1.mp3': { album: 'Cafe\u0301', artist: 'A B' },
      'e/1.mp3': { album: 'Free', artist: 'A B' },
    });
    const { plan } = await planned(root);
    const reason = 'several files would get this path';
    expect(plan.refusals.map((refusal) => refusal.reason)).toEqual(Array.from({ length: 4 }, () => reason));
    expect(new Set(plan.refusals.map(({ title }) => title))).toEqual(new Set(['Dune', 'DUNE', 'Caf\u00e9']));
    expect(plan.moves.map(({ to }) => to)).toEqual(['A B/Free/1.mp3']);
  });

  it('a place that is taken, and leaves what is there', async () => {
    const root = library({ 'in/1.mp3': { album: 'Dune', artist: 'Frank Herbert' } });
    mkdirSync(join(root, 'Frank Herbert/dune'), { recursive: true });
    writeFileSync(join(root, 'Frank Herbert/dune/1.MP3'), 'somebody else');
    const { plan } = await planned(root);
    expect(plan.moves).toEqual([]);
    expect(plan.refusals).toMatchObject([
      { path: 'Frank Herbert/dune/1.mp3', reason: 'a file already exists at this path' },
    ]);
  });

  it('a link on the way', async () => {
    const outside = temporaryFolder();
    const root = library({ 'in/1.mp3': { album: 'Dune', artist: 'Frank Herbert' } });
    symlinkSync(outside, join(root, 'Frank Herbert'));
    const { plan } = await planned(root);
    expect(plan.moves).toEqual([]);
    expect(plan.refusals[0]?.reason).toMatch(/a link/);
    // The link may also appear after planning.
    const moves = [{ bookId: 'B', from: 'in/1.mp3', to: 'Frank Herbert/Dune/1.mp3' }];
    await expect(moveAll(root, moves)).rejects.toMatchObject({ code: 'PATH_OUTSIDE' });
    expect(readdirSync(outside)).toEqual([]);
    expect(existsSync(join(root, 'in/1.mp3'))).toBe(true);
  });

  it('books that would have to change places, but not those that follow each other', async () => {
    const root = library({
      'A B/One/1.mp3': { album: 'Two', artist: 'A B' },
      'A B/Two/1.mp3': { album: 'One', artist: 'A B' },
      'A B/Three/1.mp3': { album: 'Four', artist: 'A B' },
      'A B/Five/1.mp3': { album: 'Three', artist: 'A B' },
    });
    const { plan } = await planned(root);
    expect(plan.refusals.map(({ reason }) => reason)).toEqual([
      'the books would have to swap paths',
      'the books would have to swap paths',
    ]);
    expect(plan.moves.map(({ from, to }) => `${from} > ${to}`)).toEqual([
      'A B/Three/1.mp3 > A B/Four/1.mp3',
      'A B/Five/1.mp3 > A B/Three/1.mp3',
    ]);
  });

  it.each(['../out.mp3', '/etc/x.mp3', 'a/../../x.mp3', 'a//b.mp3', './x.mp3', 'x\0.mp3', '.'])(
    'the path %j, whoever made it',
    async (to) => {
      const root = library({ 'in/1.mp3': null });
      const moves = [{ bookId: 'B', from: 'in/1.mp3', to }];
      await expect(moveAll(root, moves)).rejects.toMatchObject({ code: 'PATH_OUTSIDE' });
      await expect(moveAll(root, [{ bookId: 'B', from: to, to: 'in/2.mp3' }])).rejects.toMatchObject({
        code: 'PATH_OUTSIDE',
      });
      expect(filesIn(root)).toEqual(['in/1.mp3']);
    },
  );
});

describe('moving one file', () => {
  it('never overwrites', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'a'), 'a');
    writeFileSync(join(folder, 'b'), 'b');
    const moving = moveFile(join(folder, 'a'), join(folder, 'b'), join(folder, 'u'));
    await expect(moving).rejects.toMatchObject({ code: 'FILE_IN_THE_WAY' });
    expect(readFileSync(join(folder, 'b'), 'utf8')).toBe('b');
  });

  it('copies, compares and keeps the original on another file system', async () => {
    const folder = temporaryFolder();
    const other = join('/dev/shm', `holdfast-${process.pid}-${Date.now()}`);
    writeFileSync(join(folder, 'a'), 'content');
    expect(statSync(folder).dev).not.toBe(statSync('/dev/shm').dev);
    try {
      expect(await placeFile(join(folder, 'a'), other, `${other}.unfinished`)).toBe('copied');
      expect(readFileSync(other, 'utf8')).toBe('content');
      expect(existsSync(join(folder, 'a'))).toBe(true);
      expect(Math.abs(statSync(other).mtimeMs - statSync(join(folder, 'a')).mtimeMs)).toBeLessThan(2);
    } finally {
      const { rmSync } = await import('node:fs');
      rmSync(other, { force: true });
    }
  });
});
