import { scanFinds, scannedBook, scannedFile } from './audiobooks.ts';
import { type Audiobooks, openAudiobooks } from '../src/service/audiobooks.ts';
import { EMPTY_BOOK_TALLY } from '../src/model/tally.ts';
import { bookListenSeconds, bookPlays, books, bookTallies, works } from '../src/store/definitions.ts';

/**
 * Writes a library in the format of version 1.0 of the audiobooks design document, which had no works. The library has
 * two editions of one title with plays, and two books without an author that share a title.
 */
export async function writeLibraryBeforeWorks(path: string, more: readonly string[] = []): Promise<void> {
  const audiobooks = await openAudiobooks({ path });
  const titles = [
    ['dune', 'Dune', ['Frank Herbert']],
    ['dune-again', 'DUNE', ['Frank Herbert']],
    ['orphan', 'Best of', []],
    ['twin', 'Best of', []],
    ...more.map((title, index) => [`more-${index}`, title, ['Ann Author']] as const),
  ] as const;
  await scanFinds(
    audiobooks,
    titles.map(([folder, title, authors], index) =>
      scannedBook(folder, [scannedFile(`${folder}/1.mp3`, index)], { title, authors }),
    ),
  );
  await audiobooks.store.transact(async (tx) => {
    for (const { id } of await tx.list(works, {})) await tx.delete(works, { id });
    for (const book of await tx.list(books, {})) await tx.put(books, { id: book.id }, { ...book, work_id: null });
    for (const book of (await tx.list(books, {})).slice(0, 2)) {
      const tally = { ...EMPTY_BOOK_TALLY, plays: 3, listen_ms: 50_000 };
      await tx.put(bookTallies, { side: 'now', user: 'U', book: book.id }, tally);
      tx.add(bookPlays, { book: book.id }, 3);
      tx.add(bookListenSeconds, { book: book.id }, 50);
    }
    tx.writeKey('meta:version', '1');
  });
  await audiobooks.close();
}

export async function worksOf({ store }: Audiobooks): Promise<readonly (string | null)[]> {
  return (await store.list(books, {})).map(({ work_id: work }) => work);
}
