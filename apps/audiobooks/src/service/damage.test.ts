import { type AnyOperation, type Caller, runOperation } from '@holdfast/operation';
import { expect, it } from 'vitest';
import { scanFinds, scannedBook, scannedFile, temporaryAudiobooks } from '../../test/audiobooks.ts';
import * as books from '../operations/books.ts';
import * as files from '../operations/files.ts';
import * as feeds from '../operations/feeds.ts';
import * as groups from '../operations/groups.ts';
import * as libraries from '../operations/libraries.ts';
import * as operations from '../operations/operations.ts';
import * as playlists from '../operations/playlists.ts';
import * as progress from '../operations/progress.ts';
import * as statistics from '../operations/statistics.ts';
import { schema } from '../store/definitions.ts';
import type { Audiobooks } from './audiobooks.ts';
import { runOperation as runLong } from './operations/run-operation.ts';
import { libraryAt } from './libraries.ts';

const caller: Caller = { name: 'ann', via: 'test', face: 'http', userId: 'U' };

async function library(problems: unknown[]): Promise<Audiobooks> {
  const audiobooks = await temporaryAudiobooks({ onProblem: (error) => void problems.push(error) });
  const run = (operation: AnyOperation, input: object) => runOperation(operation, audiobooks, input, caller);
  await scanFinds(
    audiobooks,
    ['One', 'Two', 'Three'].map((title, number) =>
      scannedBook(title, [scannedFile(`${title}/1.mp3`, number)], {
        title,
        authors: ['Ann Author'],
        series: [{ name: 'Row', sequence: String(number + 1) }],
        genres: ['Sea'],
      }),
    ),
  );
  await run(playlists.createPlaylist, { name: 'Short' });
  await run(playlists.addItems, { playlist: 'Short', books: ['One', 'Two', 'Three'] });
  await run(playlists.createPlaylist, { name: 'Wet', query: { all: [{ field: 'genre', op: 'is', value: 'Sea' }] } });
  for (const [index, book] of ['One', 'Two', 'Three'].entries()) {
    const { id } = (await run(books.showBook, { book })) as { readonly id: string };
    await run(progress.addBookmark, { book, position_ms: 1_000 });
    await run(books.editBook, { book, subtitle: 'edited' });
    const report = { book_id: id, play_speed: 1, device_id: 'd', session_id: 's' };
    await run(progress.reportPlayback, {
      events: ['start', 'progress', 'pause'].map((event_type, step) => ({
        ...report,
        event_id: `${book}-${step}`,
        event_type,
        position_ms: step * 10_000,
        occurred_at: `2026-01-01T0${index}:00:${step}0.000Z`,
      })),
    });
  }
  await run(statistics.showStatistics, { from: '2026-01-01', to: '2026-01-31' });
  await run(feeds.createFeed, { kind: 'opds', origin: 'https://books.example.org' });
  const target = (await libraryAt(audiobooks, '/library')).id;
  await runLong(audiobooks, { type: 'scan', params: {}, target, createdBy: 'ann' }, async ({ log }) => {
    log('info', 'nothing to do');
    return { result: {} };
  });
  return audiobooks;
}

/**
 * All reads that a listener can make. The inputs name records (`Two`, `Ann Author`). If such a record is damaged, the
 * read may report that it does not exist; all other reads must succeed.
 */
const reads: readonly (readonly [AnyOperation, object])[] = [
  [books.listBooks, {}],
  [books.listBooks, { sort: 'author' }],
  [books.listBooks, { q: 'two' }],
  [books.listBooks, { genre: 'Sea' }],
  [books.showBook, { book: 'Two' }],
  [books.bookHistory, { book: 'Two' }],
  [books.search, { q: 'o' }],
  [books.showShelves, {}],
  ...(['author', 'series', 'narrator', 'genre'] as const).map((kind) => [groups.listGroups, { kind }] as const),
  [groups.showAuthor, { author: 'Ann Author' }],
  [groups.showSeries, { series: 'Row' }],
  [libraries.listLibraries, {}],
  [files.listDuplicates, {}],
  [operations.listOperations, {}],
  [playlists.listPlaylists, {}],
  [playlists.showPlaylist, { playlist: 'Short' }],
  [playlists.showPlaylist, { playlist: 'Wet' }],
  [progress.listProgress, {}],
  [progress.showProgress, { book: 'Two' }],
  [progress.listJumps, { book: 'Two' }],
  [progress.listBookmarks, { book: 'Two' }],
  [progress.showPreferences, {}],
  [feeds.listFeeds, {}],
  [statistics.showStatistics, { from: '2026-01-01', to: '2026-01-31' }],
  [statistics.showYear, { year: 2026 }],
];

/** The expected errors of reads that request the damaged record by name. */
const MISSING = /^(?:BOOK|AUTHOR|SERIES|PLAYLIST)_NOT_FOUND$/u;

it('one damaged record, of whatever kind, stops no read of the others, and is reported', async () => {
  const problems: { code?: string }[] = [];
  const audiobooks = await library(problems);
  const { engine } = audiobooks.store;
  const definitions = Object.values(schema);
  const kindOf = (key: string) => definitions.find(({ template }) => template.matches(key));
  const entries = await engine.range({ gte: '', lt: '\u{10ffff}', limit: 10_000, reverse: false });
  const kinds = new Set<unknown>();
  const write = (key: string, value: string): Promise<void> =>
    audiobooks.store.transact(async (tx) => tx.writeKey(key, value));
  const stopped: string[] = [];
  for (const [key, value] of entries) {
    const kind = kindOf(key);
    if (kind === undefined || key.startsWith('meta:version')) continue;
    kinds.add(kind.template.source);
    await write(key, '{"broken');
    for (const [operation, input] of reads) {
      await runOperation(operation, audiobooks, input, caller).catch((error: Error & { code?: string }) => {
        if (!MISSING.test(error.code ?? '')) stopped.push(`${operation.name} ${key}: ${error.message}`);
      });
    }
    await write(key, value as string);
  }
  expect(stopped).toEqual([]);
  expect(kinds.size, 'kinds of records in the test').toBeGreaterThan(18);
  expect(new Set(problems.map(({ code }) => code))).toEqual(new Set(['VALUE_UNREADABLE']));
}, 120_000);
