import { join } from 'node:path';

import { emptyBook } from '../../audiobooks/src/model/book.ts';
import { stampFor, openAudiobooks } from '../../audiobooks/src/service/audiobooks.ts';
import { libraryAt } from '../../audiobooks/src/service/libraries.ts';
import { writeBook } from '../../audiobooks/src/store/books.ts';

const AT_ONCE = 2_000;

/** Writes books without files, starting with `Book 00000`, directly into the data home. */
export async function seedManyBooks(home: string, many: number): Promise<void> {
  const audiobooks = await openAudiobooks({ path: join(home, 'audiobooks.db') });
  try {
    const library = await libraryAt(audiobooks, '/nowhere/many', 'Many');
    for (let from = 0; from < many; from += AT_ONCE) {
      await audiobooks.store.transact(async (tx) => {
        const stamp = stampFor(audiobooks);
        for (let at = from; at < Math.min(many, from + AT_ONCE); at += 1) {
          const title = `Book ${String(at).padStart(5, '0')}`;
          const book = {
            ...emptyBook(audiobooks.newId(), title, stamp.at),
            library_id: library.id,
            folder: title,
            duration_ms: 3_600_000 + at,
          };
          await writeBook(tx, undefined, book, stamp);
        }
      });
    }
  } finally {
    await audiobooks.store.close();
  }
}
