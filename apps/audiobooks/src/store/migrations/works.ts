import { type KeyspaceMigration, Template, type Transaction, ulidSource } from '@holdfast/keyspace';
import { normalizeText } from '../../model/normalize.ts';
import { toTime } from '../../model/stored.ts';
import { bookListenSeconds, bookPlays, workListenSeconds, workPlays } from '../definitions.ts';
import { seedRecords, type SeedRecord } from './seed-layout.ts';

/**
 * Version 1.1.0 of the design document, still in its layout: every book belongs to a work. A book without an author
 * gets its own work, because titles are not unique.
 */
export const introduceWorks: KeyspaceMigration = {
  version: 2,
  description: 'works: every book belongs to one, found by title and author',
  async step(tx, place) {
    const { records, next } = await seedRecords(tx, 'b:', place, PAGE);
    for (const record of records) {
      if (typeof record.value['work_id'] !== 'string') await giveWork(tx, record);
    }
    return next;
  },
};

const PAGE = 200;
const newId = ulidSource();
const workIndex = new Template('idx:work:title:{title}:author:{author}');
const bookIndex = new Template('idx:book:work:{work}:{book}');

async function giveWork(tx: Transaction, { key, id, value }: SeedRecord): Promise<void> {
  const title = String(value['title']);
  const author = typeof value['author_id'] === 'string' ? value['author_id'] : undefined;
  const indexKey = author === undefined ? undefined : workIndex.encode({ title: normalizeText(title), author });
  const found = indexKey === undefined ? undefined : await tx.readKey(indexKey);
  const work = typeof found === 'string' ? found : makeWork(tx, title, value, indexKey);
  tx.writeKey(key, JSON.stringify({ ...value, work_id: work }));
  tx.writeKey(bookIndex.encode({ work, book: id }), '1');
  const plays = await tx.get(bookPlays, { book: id });
  const seconds = await tx.get(bookListenSeconds, { book: id });
  if (plays !== 0) tx.add(workPlays, { work }, plays);
  if (seconds !== 0) tx.add(workListenSeconds, { work }, seconds);
}

function makeWork(
  tx: Transaction,
  title: string,
  book: Readonly<Record<string, unknown>>,
  indexKey: string | undefined,
): string {
  const id = newId();
  const at = toTime(book['created_at']);
  const work = {
    id,
    title,
    normalized_title: normalizeText(title),
    author_id: book['author_id'] ?? null,
    alt_titles: [],
    series_id: book['series_id'] ?? null,
    created_at: at,
    updated_at: at,
    version: 1,
  };
  tx.writeKey(`w:${id}`, JSON.stringify(work));
  if (indexKey !== undefined) tx.writeKey(indexKey, id);
  return id;
}
