import type { Author } from '../../model/author.ts';
import { nameSortKey, normalizeName } from '../../model/normalize.ts';
import { writeBook } from '../../store/books.ts';
import { authors, books } from '../../store/definitions.ts';
import { type Audiobooks, stampFor } from '../audiobooks.ts';
import { resolveAuthor } from '../queries/resolve.ts';

export interface EditAuthorRequest {
  readonly author: string;
  /** The old name becomes an alias. */
  readonly name?: string | undefined;
  readonly addAliases?: readonly string[];
  readonly removeAliases?: readonly string[];
}

export function editAuthor(audiobooks: Audiobooks, request: EditAuthorRequest): Promise<Author> {
  const stamp = stampFor(audiobooks);
  return audiobooks.store.transact(async (tx) => {
    const before = await resolveAuthor(tx, request.author);
    const name = request.name?.trim() ?? before.name;
    const isRenamed = name !== before.name;
    const removed = new Set((request.removeAliases ?? []).map(normalizeName));
    const added = [...(request.addAliases ?? []), ...(isRenamed ? [before.name] : [])];
    const aliases = [...new Set([...before.aliases, ...added])].filter(
      (alias) => !removed.has(normalizeName(alias)) && normalizeName(alias) !== normalizeName(name),
    );
    const after: Author = {
      ...before,
      name,
      normalized_name: normalizeName(name),
      sort_name: nameSortKey(name),
      aliases,
      updated_at: stamp.at,
    };
    await tx.put(authors, { id: after.id }, after);
    if (!isRenamed) return after;
    for (const book of await tx.list(books.by.author, { author: after.id })) {
      const renamed = book.authors.map((author) => (author.id === after.id ? { ...author, name } : author));
      await writeBook(tx, book, { ...book, authors: renamed }, stamp);
    }
    return after;
  });
}
