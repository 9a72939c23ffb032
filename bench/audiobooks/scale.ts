import { type Catalogue, listBooks, type ListRequest, searchBooks, showBook } from '@holdfast/audiobooks';

import { compare, type Context, type Figure, ratioFigure } from '../lib/harness.ts';
import { type Generated, generateLibrary } from './generated.ts';

const SMALL = 1_000;
const PAGE = 50;

/**
 * Workload: two generated libraries, ten files per book: one of 1,000 books, one of 20,000 (of 100,000 with
 * HOLDFAST_BENCH_BOOKS=100000, which takes some minutes to make). One page of 50, a search that finds 50, one book.
 * Timed: the same request on both, in turns. Memory: of this process at its highest, generating included.
 */
export async function benchmark(context: Context): Promise<readonly Figure[]> {
  const large = context.quick ? 2_000 : Number(process.env['HOLDFAST_BENCH_BOOKS'] ?? 20_000);
  const few = await generateLibrary(context.folder, 'few', SMALL, context.progress);
  const many = await generateLibrary(context.folder, 'many', large, context.progress);
  const timing = context.quick
    ? { operations: 2, rounds: 2, warmUpRounds: 1 }
    : { operations: 5, rounds: 41, warmUpRounds: 5 };
  const figures: Figure[] = [];
  for (const [name, ask] of await requests(few, many)) {
    context.progress(name);
    const compared = await compare({ ...timing, ours: (n) => ask(many, n), baseline: (n) => ask(few, n) });
    figures.push(ratioFigure(`audiobooks.scale.${name}`, compared, `${SMALL} books instead of ${large}`, 2));
  }
  // The system counts in KiB.
  const highest = process.resourceUsage().maxRSS / 1_024;
  const memory = { name: 'audiobooks.scale.memory', value: highest, unit: 'MiB', goal: 512, better: 'lower' } as const;
  figures.push({ ...memory, baseline: `${large} books, ${large * 10} segments` });
  await few.close();
  await many.close();
  return figures;
}

type Ask = (library: Generated, operation: number) => Promise<unknown>;

async function requests(few: Generated, many: Generated): Promise<readonly (readonly [string, Ask])[]> {
  const middles = new Map<Generated, string | undefined>([
    [few, await cursorInTheMiddle(few.catalogue)],
    [many, await cursorInTheMiddle(many.catalogue)],
  ]);
  return [
    ['list', list(() => ({}))],
    ['list_by_author', list(() => ({ sort: 'author' }))],
    [
      'page_in_the_middle',
      async (library) => listBooks(library.catalogue, { limit: PAGE, cursor: middles.get(library) }),
    ],
    ['filter_author', list((n) => ({ author: `Author Number ${n % 20}` }))],
    ['filter_genre', list((n) => ({ genre: `Genre ${n % 20}` }))],
    ['filter_narrator', list((n) => ({ narrator: `Reader ${n % 5}` }))],
    [
      'search',
      async ({ catalogue, search }, n) =>
        expectFull(await searchBooks(catalogue, search, { query: `word${n % 20}x`, limit: PAGE }), PAGE),
    ],
    [
      'show',
      async ({ catalogue }, n) => {
        const [book] = (await listBooks(catalogue, { author: `Author Number ${n % 20}`, limit: 1 })).items;
        return showBook(catalogue, book?.id ?? '');
      },
    ],
  ];
}

function list(request: (n: number) => Omit<ListRequest, 'limit'>): Ask {
  return async ({ catalogue }, n) => expectFull(await listBooks(catalogue, { ...request(n), limit: PAGE }), 20);
}

async function cursorInTheMiddle(catalogue: Catalogue): Promise<string | undefined> {
  let cursor: string | undefined;
  for (let page = 0; page < 5; page++) ({ cursor } = await listBooks(catalogue, { limit: 100, cursor }));
  return cursor;
}

/** A page that came out short would have been fast for the wrong reason. */
function expectFull({ items }: { readonly items: readonly unknown[] }, least: number): void {
  if (items.length < Math.min(least, 10)) throw new Error(`Only ${items.length} books were found`);
}
