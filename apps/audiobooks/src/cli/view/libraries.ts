import type { Column } from '@holdfast/cli';
import type { Library } from '../../model/library.ts';
import type { Audiobooks } from '../../service/audiobooks.ts';
import { countOf } from '../../service/queries/book-filter.ts';

export interface LibraryRow {
  readonly id: string;
  readonly name: string;
  readonly root: string;
  readonly books: number;
  readonly scanned_at: string | null;
}

export async function libraryRow({ store }: Audiobooks, { id, name, root, scanned_at }: Library): Promise<LibraryRow> {
  return { id, name, root, books: (await countOf(store, [id])) ?? 0, scanned_at };
}

export const LIBRARY_COLUMNS: readonly Column<LibraryRow>[] = [
  { heading: 'ID', value: ({ id }) => id },
  { heading: 'NAME', value: ({ name }) => name, flexible: true },
  { heading: 'BOOKS', value: ({ books }) => String(books), align: 'right' },
  { heading: 'SCANNED', value: ({ scanned_at: at }) => at?.slice(0, 19).replace('T', ' ') ?? 'never' },
  { heading: 'FOLDER', value: ({ root }) => root, flexible: true },
];
