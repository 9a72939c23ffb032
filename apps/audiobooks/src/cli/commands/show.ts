import { commandLineErrors, type CommandContext, type Page, style } from '@holdfast/cli';
import { rowOf } from '../../model/book-row.ts';
import { fieldValues } from '../../model/fields.ts';
import { type BookView, showBook } from '../../service/queries/show-book.ts';
import { type SeriesView, showSeries } from '../../service/queries/show-series.ts';
import { lengthText } from '../view/books.ts';
import { withLibrary } from '../with-library.ts';

interface Input {
  readonly args: { readonly book: string | undefined };
  readonly options: { readonly series: string | undefined };
}

export async function run(context: CommandContext<Input>): Promise<void> {
  const { book } = context.args;
  const { series } = context.options;
  if (series !== undefined) {
    const view = await withLibrary(context, (audiobooks) => showSeries(audiobooks, series));
    const data = { ...view, books: view.books.map(({ sequence, book: found }) => ({ ...rowOf(found), sequence })) };
    context.out.result(data, (page) => printSeries(page, view));
    return;
  }
  if (book === undefined) throw commandLineErrors.MISSING_ARGUMENT('Which book, or which --series?');
  const view = await withLibrary(context, (audiobooks) => showBook(audiobooks, book));
  const data = {
    ...view,
    cover: view.cover ?? null,
    library: view.library ?? null,
    editions: view.editions.map(rowOf),
  };
  context.out.result(data, (page) => printBook(page, view));
}

function printBook(page: Page, { book, library, segments, chapters, editions, history }: BookView): void {
  page.line(style.bold(book.title), book.subtitle === null ? '' : `: ${book.subtitle}`);
  const values = fieldValues(book);
  const fields: readonly (readonly [string, string])[] = [
    ['id', book.id],
    ['authors', values.authors.join(', ')],
    ['narrators', values.narrators.join(', ')],
    [
      'series',
      values.series.map(({ name, sequence }) => `${name}${sequence === null ? '' : ` #${sequence}`}`).join('; '),
    ],
    ['year', values.year === null ? '' : String(values.year)],
    ['publisher', values.publisher ?? ''],
    ['language', values.language ?? ''],
    ['ISBN', values.isbn ?? ''],
    ['ASIN', values.asin ?? ''],
    ['genres', values.genres.join(', ')],
    ['tags', values.tags.join(', ')],
    ['edition', values.edition ?? ''],
    ['length', `${lengthText(book.duration_ms)}, ${chapters.length} chapters`],
    ['locked', book.locks.join(', ')],
    ['folder', library === undefined ? '' : `${library.root}/${book.folder ?? ''}`],
    ['missing since', book.missing_since ?? ''],
    ['work', book.work_id ?? ''],
  ];
  page.fields(fields.filter(([, value]) => value !== ''));
  if (book.description !== null) page.line(book.description);
  page.line('');
  page.table(segments, [
    { heading: '', value: ({ order }) => String(order + 1), align: 'right' },
    { heading: 'FILE', value: ({ file_path: path }) => path, flexible: true },
    { heading: 'LENGTH', value: ({ duration_ms: duration }) => lengthText(duration), align: 'right' },
  ]);
  for (const other of editions)
    page.line(style.dim('edition'), ` ${other.id} ${other.title}, read by ${other.narrator ?? '?'}`);
  for (const { at, field, before, after, source } of history) {
    page.line(
      style.dim(at.slice(0, 19).replace('T', ' ')),
      ` ${field}: ${JSON.stringify(before)} → ${JSON.stringify(after)} (${source})`,
    );
  }
}

function printSeries(page: Page, { series, books, missing }: SeriesView): void {
  page.line(style.bold(series.name));
  page.table(books, [
    { heading: '#', value: ({ sequence }) => sequence ?? '', align: 'right' },
    { heading: 'TITLE', value: ({ book }) => book.title, flexible: true },
    { heading: 'LENGTH', value: ({ book }) => lengthText(book.duration_ms), align: 'right' },
    { heading: 'ID', value: ({ book }) => book.id },
  ]);
  if (missing.length > 0) page.line(style.yellow('missing'), ` ${missing.join(', ')}`);
}
