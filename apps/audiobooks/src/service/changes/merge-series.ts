import { normalizeText } from '../../model/normalize.ts';
import type { Series } from '../../model/series.ts';
import { fieldValues } from '../../model/fields.ts';
import { writeBook } from '../../store/books.ts';
import { books, series } from '../../store/definitions.ts';
import { writeHistory } from '../../store/history.ts';
import type { Audiobooks } from '../audiobooks.ts';
import { resolveSeries } from '../queries/resolve.ts';
import { changeAtOnce, type Changed } from './record-operation.ts';

export interface MergeSeriesRequest {
  readonly keep: string;
  readonly others: readonly string[];
  readonly by: string;
}

/** Merges series; the old names remain as aliases. */
export function mergeSeries(audiobooks: Audiobooks, request: MergeSeriesRequest): Promise<Changed<Series>> {
  const operation = { type: 'edit', params: { ...request }, createdBy: request.by } as const;
  return changeAtOnce(audiobooks, operation, async ({ tx, editor }) => {
    const keep = await resolveSeries(tx, request.keep);
    const others: Series[] = [];
    for (const given of request.others) {
      const other = await resolveSeries(tx, given);
      if (other.id !== keep.id) others.push(other);
    }
    const names = [...keep.aliases, ...others.flatMap((other) => [other.name, ...other.aliases])];
    const aliases = names.filter((name) => normalizeText(name) !== keep.normalized_name);
    const kept: Series = { ...keep, aliases: [...new Set(aliases)], updated_at: editor.at };
    await tx.put(series, { id: kept.id }, kept);
    const moved: string[] = [];
    for (const other of others) {
      for (const book of await tx.list(books.by.series, { series: other.id })) {
        const replaced = book.series.map((entry) =>
          entry.id === other.id ? { ...entry, id: kept.id, name: kept.name } : entry,
        );
        const distinct = replaced.filter((entry, index) => replaced.findIndex(({ id }) => id === entry.id) === index);
        const after = await writeBook(tx, book, { ...book, series: distinct }, editor);
        await writeHistory(tx, {
          id: editor.newId(),
          book_id: book.id,
          field: 'series',
          before: fieldValues(book).series,
          after: fieldValues(after).series,
          source: 'merge',
          by: editor.by,
          operation_id: editor.operationId,
          at: editor.at,
          version: 1,
        });
        moved.push(book.id);
      }
      await tx.delete(series, { id: other.id });
    }
    return { value: kept, result: { books: moved, series_merged: { kept: keep, removed: others } } };
  });
}
