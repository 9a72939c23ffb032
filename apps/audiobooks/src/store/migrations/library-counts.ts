import { afterKey, type KeyspaceMigration, type Transaction } from '@holdfast/keyspace';
import { countersOf } from '../books.ts';
import { books, libraryCounts } from '../definitions.ts';

const PAGE = 200;

/** Indexes by library and by length, and how many books of each author and so on there are in each library. */
export const countByLibrary: KeyspaceMigration = {
  version: 4,
  description: 'books by library and by length, and counts for each library',
  async step(transaction, place) {
    const range = books.template.range({});
    const entries = await transaction.readRange({
      gte: place === undefined ? range.gte : afterKey(place),
      lt: range.lt,
      limit: PAGE,
      reverse: false,
    });
    for (const [key, stored] of entries) {
      if (books.template.matches(key)) await bringUp(transaction, key, stored);
    }
    return entries.length < PAGE ? undefined : entries.at(-1)?.[0];
  },
};

/** Writing a book as it is writes the entries it lacks. */
async function bringUp(transaction: Transaction, key: string, stored: unknown): Promise<void> {
  const book = books.codec.decode(stored as string, key);
  await transaction.put(books, { id: book.id }, book);
  for (const [counter, parts] of countersOf(book)) {
    if (counter === libraryCounts) transaction.add(libraryCounts, { library: '', ...parts }, 1);
  }
}
