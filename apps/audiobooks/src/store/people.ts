import type { Reads, Transaction } from '@holdfast/keyspace';
import type { Author } from '../model/author.ts';
import { nameSortKey, normalizeName } from '../model/normalize.ts';
import { authors, narrators } from './definitions.ts';

/** Time and id source for records that one change creates. */
export interface Stamp {
  readonly at: string;
  readonly newId: () => string;
}

/** Finds an author by name or alias; of several, the first created. */
export async function findAuthor(reads: Reads, name: string): Promise<Author | undefined> {
  const normalized = normalizeName(name);
  const [named] = await reads.list(authors.by.name, { normalized_name: normalized }, { limit: 1 });
  if (named !== undefined) return named;
  const [known] = await reads.list(authors.by.alias, { alias: normalized }, { limit: 1 });
  return known;
}

export async function findOrCreateAuthor(tx: Transaction, name: string, stamp: Stamp): Promise<Author> {
  const found = await findAuthor(tx, name);
  if (found !== undefined) return found;
  const author: Author = {
    id: stamp.newId(),
    name,
    normalized_name: normalizeName(name),
    sort_name: nameSortKey(name),
    aliases: [],
    created_at: stamp.at,
    updated_at: stamp.at,
    version: 2,
  };
  await tx.put(authors, { id: author.id }, author);
  return author;
}

/** Stores new narrators; the first spelling of a name is the one shown. */
export async function rememberNarrators(tx: Transaction, names: readonly string[], at: string): Promise<void> {
  for (const name of names) {
    const key = { normalized_name: normalizeName(name) };
    if ((await tx.get(narrators, key)) !== undefined) continue;
    await tx.put(narrators, key, { name, ...key, sort_name: nameSortKey(name), created_at: at, version: 1 });
  }
}
