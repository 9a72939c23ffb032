import { commandLineErrors, type CommandContext, style } from '@holdfast/cli';
import { rowOf } from '../../model/book-row.ts';
import { mergeBooks } from '../../service/changes/merge-books.ts';
import { type DuplicateGroup, findDuplicates } from '../../service/queries/find-duplicates.ts';
import { lengthText } from '../view/books.ts';
import { personOf, withLibrary } from '../with-library.ts';

interface Input {
  readonly options: { readonly keep: string | undefined; readonly drop: string | undefined };
}

const REASONS = {
  same_files: 'the same sound',
  same_number: 'the same ISBN or ASIN',
  same_reading: 'the same work and readers',
} as const;

export async function run(context: CommandContext<Input>): Promise<void> {
  const { keep, drop } = context.options;
  if ((keep === undefined) !== (drop === undefined))
    throw commandLineErrors.MISSING_ARGUMENT('--keep and --drop belong together.');
  if (keep !== undefined && drop !== undefined) {
    const request = { keep, other: drop, by: personOf(context.env) };
    const { value, operation } = await withLibrary(context, (audiobooks) => mergeBooks(audiobooks, request));
    context.out.result({ book: rowOf(value), operation: operation.id }, (page) =>
      page.line(`${value.title} is there once. Undo: holdfast audiobooks undo ${operation.id}`),
    );
    return;
  }
  const groups: DuplicateGroup[] = [];
  using bar = context.progress('Comparing');
  await withLibrary(context, async (audiobooks) => {
    for await (const group of findDuplicates(audiobooks)) {
      groups.push(group);
      bar.advance();
    }
  });
  bar.finish();
  const data = groups.map(({ reason, books }) => ({ reason, books: books.map(rowOf) }));
  context.out.result(data, (page) => {
    if (groups.length === 0) page.line('Nothing is there twice.');
    for (const { reason, books } of groups) {
      page.line(style.bold(REASONS[reason]));
      for (const book of books) {
        page.line(`  ${book.id}  ${book.title}  ${lengthText(book.duration_ms)}  `, style.dim(book.folder ?? ''));
      }
    }
  });
}
