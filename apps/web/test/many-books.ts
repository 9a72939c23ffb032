import { join } from 'node:path';

import { emptyBook } from '../../audiobooks/src/model/book.ts';
import { makerOf, openCatalogue } from '../../audiobooks/src/service/catalogue.ts';
import { libraryAt } from '../../audiobooks/src/service/libraries.ts';
import { writeBook } from '../../audiobooks/src/store/books.ts';

const AT_ONCE = 2_000;

/** So many books without files, `Book 00000` and on, straight into the data home. */
export async function seedManyBooks(home: string, many: number): Promise<void> {
  const catalogue = await openCatalogue({ path: join(home, 'audiobooks.db') });
  try {
    const library = await libraryAt(catalogue, '/nowhere/many', 'Many');
    for (let from = 0; from < many; from += AT_ONCE) {
      await catalogue.store.transact(async (transaction) => {
        const maker = makerOf(catalogue);
        for (let at = from; at < Math.min(many, from + AT_ONCE); at += 1) {
          const title = `Book ${String(at).padStart(5, '0')}`;
          const book = {
            ...emptyBook(catalogue.newId(), title, maker.at),
            library_id: library.id,
            folder: title,
            duration_ms: 3_600_000 + at,
          };
          await writeBook(transaction, undefined, book, maker);
        }
      });
    }
  } finally {
    await catalogue.store.close();
  }
}
