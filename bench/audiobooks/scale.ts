import { join } from 'node:path';
import {
  type Audiobooks,
  browseBooks,
  type BrowseRequest,
  evaluateQuery,
  lastYear,
  listProgress,
  localListener,
  openAudiobooks,
  shelvesOf,
  showBook,
  statisticsOf,
} from '@holdfast/audiobooks';
import { compare, type Context, type Figure, ratioFigure } from '../lib/harness.ts';
import { ASKING, type Generated, generateLibrary, generateListening } from './generated.ts';

const SMALL = 1_000;
const PAGE = 50;
/** Playback events per book over all listeners: for example 2,000,000 events for 100,000 books. */
const EVENTS_PER_BOOK = 20;

/**
 * Workload: two generated libraries with ten files per book, of 1,000 and of 20,000 books (HOLDFAST_BENCH_BOOKS=100000
 * takes a few minutes to generate), with twenty playback events per book (HOLDFAST_BENCH_EVENTS). Requests: a page of
 * 50, a search with 50 results, one book, positions, shelves, smart playlists, statistics. Timed: the same request on
 * both libraries, alternating, and opening the large library compared with an empty one. Memory: peak of this process,
 * including generation.
 */
export async function benchmark(context: Context): Promise<readonly Figure[]> {
  const large = context.quick ? 2_000 : Number(process.env['HOLDFAST_BENCH_BOOKS'] ?? 20_000);
  const few = await generateLibrary(context.folder, 'few', SMALL, context.progress);
  const many = await generateLibrary(context.folder, 'many', large, context.progress);
  const events = Number(process.env['HOLDFAST_BENCH_EVENTS'] ?? EVENTS_PER_BOOK * large);
  await generateListening(few, EVENTS_PER_BOOK * SMALL, context.progress);
  await generateListening(many, events, context.progress);
  const timing = context.quick
    ? { operations: 2, rounds: 2, warmUpRounds: 1 }
    : { operations: 5, rounds: 41, warmUpRounds: 5 };
  const figures: Figure[] = [];
  for (const [name, ask] of await requests(few, many)) {
    context.progress(name);
    const compared = await compare({ ...timing, ours: (n) => ask(many, n), baseline: (n) => ask(few, n) });
    figures.push(ratioFigure(`audiobooks.scale.${name}`, compared, `${SMALL} books instead of ${large}`, 2));
  }
  context.progress('start');
  const opened = await compare({
    ...timing,
    operations: 1,
    ours: () => openOnce(join(context.folder, 'many.db')),
    baseline: () => openOnce(join(context.folder, 'empty.db')),
  });
  figures.push(ratioFigure('audiobooks.scale.start', opened, 'an empty library', 2));
  // maxRSS is in KiB.
  const highest = process.resourceUsage().maxRSS / 1_024;
  const memory = { name: 'audiobooks.scale.memory', value: highest, unit: 'MiB', goal: 512, better: 'lower' } as const;
  figures.push({ ...memory, baseline: `${large} books, ${large * 10} segments, ${events} events` });
  await few.close();
  await many.close();
  return figures;
}

const viewer = localListener(ASKING);

type Ask = (library: Generated, operation: number) => Promise<unknown>;

async function requests(few: Generated, many: Generated): Promise<readonly (readonly [string, Ask])[]> {
  const middles = new Map<Generated, string | undefined>([
    [few, await cursorInTheMiddle(few.audiobooks)],
    [many, await cursorInTheMiddle(many.audiobooks)],
  ]);
  return [
    ['list', list(() => ({}))],
    ['list_by_author', list(() => ({ sort: 'author' }))],
    [
      'page_in_the_middle',
      async (library) => browseBooks(library.audiobooks, viewer, { limit: PAGE, cursor: middles.get(library) }),
    ],
    ['filter_author', list((n) => ({ author: `Author Number ${n % 20}` }))],
    ['filter_genre', list((n) => ({ genre: `Genre ${n % 20}` }))],
    ['filter_narrator', list((n) => ({ narrator: `Reader ${n % 5}` }))],
    [
      'search',
      async ({ audiobooks }, n) =>
        expectFull(await browseBooks(audiobooks, viewer, { q: `word${n % 20}x`, limit: PAGE }), PAGE),
    ],
    [
      'show',
      async ({ audiobooks }, n) => {
        const [book] = (await browseBooks(audiobooks, viewer, { author: `Author Number ${n % 20}`, limit: 1 })).items;
        return showBook(audiobooks, book?.id ?? '');
      },
    ],
    ...listeningRequests(),
  ];
}

function listeningRequests(): readonly (readonly [string, Ask])[] {
  const asking = localListener(ASKING);
  return [
    ['progress', async ({ audiobooks }) => expectFull(await listProgress(audiobooks, asking, { limit: PAGE }), 20)],
    ['shelves', async ({ audiobooks }) => expectFull({ items: (await shelvesOf(audiobooks, asking)).continue }, 10)],
    [
      'smart_playlist',
      async ({ audiobooks }, n) => {
        const genre = { field: 'genre', op: 'is', value: `genre ${n % 20}` } as const;
        const unstarted = { field: 'state', op: 'is', value: 'unstarted' } as const;
        const question = { all: [genre, unstarted], sort: 'title', limit: null } as const;
        expectFull(await evaluateQuery(audiobooks, asking, { ...question, all: [...question.all] }, { limit: 40 }), 20);
      },
    ],
    [
      'statistics',
      async ({ audiobooks }) => {
        const found = await statisticsOf(audiobooks, asking, lastYear(Date.UTC(2026, 9, 2), 'UTC'));
        expectFull({ items: found.days }, 20);
      },
    ],
  ];
}

async function openOnce(path: string): Promise<void> {
  const { store } = await openAudiobooks({ path });
  // Closes as a command does when it ends. A normal close would collect all garbage while this benchmark has the file
  // open twice.
  await store.close({ processIsEnding: true });
}

function list(request: (n: number) => Omit<BrowseRequest, 'limit'>): Ask {
  return async ({ audiobooks }, n) =>
    expectFull(await browseBooks(audiobooks, viewer, { ...request(n), limit: PAGE }), 20);
}

async function cursorInTheMiddle(audiobooks: Audiobooks): Promise<string | undefined> {
  let cursor: string | undefined;
  for (let page = 0; page < 5; page++) ({ cursor } = await browseBooks(audiobooks, viewer, { limit: 100, cursor }));
  return cursor;
}

/** Rejects a short page, which would be fast because it has less to read. */
function expectFull({ items }: { readonly items: readonly unknown[] }, least: number): void {
  if (items.length < Math.min(least, 10)) throw new Error(`Only ${items.length} books were found`);
}
