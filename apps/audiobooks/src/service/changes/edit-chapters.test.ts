import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryAudiobooks, temporaryFolder } from '../../../test/audiobooks.ts';
import { made, sound } from '../../../test/fixtures.ts';
import type { Audiobooks } from '../audiobooks.ts';
import { chaptersOfCue, findSilentPlaces } from '../find-chapters.ts';
import { addLibraryAt } from '../libraries.ts';
import { mergeBook } from '../merge/encode-book.ts';
import { scanLibrary } from '../scan-library.ts';
import { readSound } from '../../adapters/read-sound.ts';
import { verify } from '../verify.ts';
import { showBook } from '../views.ts';
import { editChapters } from './edit-chapters.ts';
import { undoChange } from './undo-change.ts';

interface Shelf {
  readonly audiobooks: Audiobooks;
  readonly root: string;
  readonly rescan: () => Promise<unknown>;
}

async function shelf(files: Readonly<Record<string, string>>): Promise<Shelf> {
  const root = temporaryFolder();
  mkdirSync(join(root, 'Emma'));
  for (const [name, from] of Object.entries(files)) copyFileSync(from, join(root, 'Emma', name));
  const audiobooks = await temporaryAudiobooks();
  const library = await addLibraryAt(audiobooks, root);
  const rescan = () => scanLibrary(audiobooks, { library, by: 'test' });
  await rescan();
  return { audiobooks, root, rescan };
}

const twoFiles = (): Readonly<Record<string, string>> => ({
  '1.m4a': sound('m4a', { seconds: 4, tags: { title: 'First' } }),
  '2.m4a': sound('m4a', { seconds: 4, frequency: 660, tags: { title: 'Second' } }),
});

const titlesAndStarts = async (audiobooks: Audiobooks): Promise<readonly (readonly [string, number])[]> =>
  (await showBook(audiobooks, 'Emma')).chapters.map(({ title, startMs }) => [title, startMs] as const);

describe('edited chapters', () => {
  it('replace those of the files, survive scans, are written by a merge, and are undone', async () => {
    const { audiobooks, root, rescan } = await shelf(twoFiles());
    const before = await titlesAndStarts(audiobooks);
    expect(before.map(([title]) => title)).toEqual(['First', 'Second']);
    const marks = [
      { title: 'Opening', startMs: 0 },
      { title: ' ', startMs: 1_500 },
      { title: 'End', startMs: 6_000 },
    ];
    const { operation, value } = await editChapters(audiobooks, { book: 'Emma', marks, by: 'test' });
    expect(value.locks).toEqual(['chapters']);
    const edited = [
      ['Opening', 0],
      ['Chapter 2', 1_500],
      ['End', 6_000],
    ];
    expect(await titlesAndStarts(audiobooks)).toEqual(edited);
    await rescan();
    expect(await titlesAndStarts(audiobooks)).toEqual(edited);
    await mergeBook(audiobooks, { book: 'Emma', by: 'test' });
    const { segments } = await showBook(audiobooks, 'Emma');
    const merged = await readSound(root, segments[0]!.file_path);
    expect('file' in merged && merged.file.chapters.map(({ title }) => title)).toEqual(['Opening', 'Chapter 2', 'End']);
    const after = await titlesAndStarts(audiobooks);
    expect(after.map(([title]) => title)).toEqual(['Opening', 'Chapter 2', 'End']);
    for (const [index, [, startMs]] of after.entries())
      expect(Math.abs(startMs - marks[index]!.startMs)).toBeLessThan(60);
    await undoChange(audiobooks, operation, 'test');
    // Now the book uses the chapters of the merged file.
    expect((await titlesAndStarts(audiobooks)).map(([title]) => title)).toEqual(['Opening', 'Chapter 2', 'End']);
    expect((await showBook(audiobooks, 'Emma')).book.locks).toEqual([]);
    expect((await verify(audiobooks, false)).problems).toEqual([]);
  });

  it('start at 0, in order and inside the book; nothing changes otherwise', async () => {
    const { audiobooks } = await shelf(twoFiles());
    const before = await titlesAndStarts(audiobooks);
    for (const starts of [[1], [0, 0], [0, 3_000, 2_000], [0, 8_200]]) {
      const marks = starts.map((startMs) => ({ title: 'x', startMs }));
      await expect(editChapters(audiobooks, { book: 'Emma', marks, by: 'test' })).rejects.toMatchObject({
        code: 'CHAPTERS_INVALID',
      });
    }
    const stale = editChapters(audiobooks, { book: 'Emma', marks: null, ifRevision: 99, by: 'test' });
    await expect(stale).rejects.toMatchObject({ code: 'REVISION_STALE' });
    expect(await titlesAndStarts(audiobooks)).toEqual(before);
  });
});

describe('places for chapters', () => {
  it('are found after silences and at the starts of files', async () => {
    const input = ['-f', 'lavfi', '-i', 'sine=frequency=440:sample_rate=22050:duration=9'];
    const silence = ['-af', "volume=0:enable='between(t,3,5.5)'"];
    const spoken = made('m4a', [...input, ...silence, '-c:a', 'aac', '-b:a', '32k', '-f', 'ipod']);
    const { audiobooks } = await shelf({ '1.m4a': spoken, '2.m4a': sound('m4a', { seconds: 4, frequency: 660 }) });
    const { book } = await showBook(audiobooks, 'Emma');
    const places = await findSilentPlaces(audiobooks, book, { lengthMs: 2_000, noiseDb: -35 });
    expect(places).toHaveLength(2);
    expect(Math.abs(places[0]!.start_ms - 5_000)).toBeLessThan(200);
    expect(places[0]!.silence_ms).toBeGreaterThan(2_300);
    expect(places[1]).toEqual({
      start_ms: (await showBook(audiobooks, 'Emma')).segments[0]!.duration_ms,
      silence_ms: 0,
    });
  });

  it('are read from a cue sheet for one file or for each file', async () => {
    const { audiobooks } = await shelf(twoFiles());
    const { book, segments } = await showBook(audiobooks, 'Emma');
    const one =
      'FILE "x.m4a" MP4\n  TRACK 01 AUDIO\n    TITLE "A"\n    INDEX 01 00:01:00\n  TRACK 02 AUDIO\n    TITLE "B"\n    INDEX 01 00:05:00\n';
    expect(await chaptersOfCue(audiobooks, book, one)).toEqual([
      { title: 'A', startMs: 0 },
      { title: 'B', startMs: 5_000 },
    ]);
    const both = `${one.split('  TRACK 02')[0]}FILE "y.m4a" MP4\n  TRACK 02 AUDIO\n    TITLE "B"\n    INDEX 01 00:01:00\n`;
    expect((await chaptersOfCue(audiobooks, book, both))[1]).toEqual({
      title: 'B',
      startMs: segments[0]!.duration_ms + 1_000,
    });
    await expect(chaptersOfCue(audiobooks, book, 'nothing')).rejects.toMatchObject({ code: 'CHAPTERS_INVALID' });
  });
});
