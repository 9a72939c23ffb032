import { afterKey, type KeyspaceMigration, type Transaction } from '@holdfast/keyspace';
import { countersOf } from '../books.ts';
import { books, libraryCounts } from '../definitions.ts';

const PAGE = 200;

/** Adds indexes by library and duration, and counts per library. */
export const countByLibrary: KeyspaceMigration = {
  version: 4,
  description: 'books by library and by length, and counts for each library',
  async step(tx, place) {
    const range = books.template.range({});
    const entries = await tx.readRange({
      gte: place === undefined ? range.gte : afterKey(place),
      lt: range.lt,
      limit: PAGE,
      reverse: false,
    });
    for (const [key, stored] of entries) {
      if (books.template.matches(key)) await bringUp(tx, key, stored);
    }
    return entries.length < PAGE ? undefined : entries.at(-1)?.[0];
  },
};

/** Writing an unchanged book adds its missing index entries. */
async function bringUp(tx: Transaction, key: string, stored: unknown): Promise<void> {
  const book = books.codec.decode(stored as string, key);
  await tx.put(books, { id: book.id }, book);
  for (const [counter, parts] of countersOf(book)) {
    if (counter === libraryCounts) tx.add(libraryCounts, { library: '', ...parts }, 1);
  }
}
