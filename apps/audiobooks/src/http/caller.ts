import type { Principal } from '@holdfast/http';
import type { Reads } from '@holdfast/keyspace';

import type { Book } from '../model/book.ts';
import { audiobookErrors } from '../model/errors.ts';
import type { Audiobooks } from '../service/audiobooks.ts';
import { rightsOf } from '../service/rights.ts';
import { readBook } from '../store/books.ts';

/** Listening, and what belongs to oneself: progress, bookmarks, playlists, feeds. */
export const readPermission = 'app:audiobooks:read';
/** Changing what is said about books. */
export const writePermission = 'app:audiobooks:write';
/** Files, libraries, operations, and what others may do. */
export const managePermission = 'app:audiobooks:admin';

/** Who asks, and what they may do here. What a caller may not see does not exist for them: 404, never 403. */
export interface Caller {
  readonly userId: string;
  readonly name: string;
  readonly can: {
    readonly listen: boolean;
    readonly edit: boolean;
    readonly manage: boolean;
    readonly download: boolean;
  };
  readonly libraries: 'all' | ReadonlySet<string>;
  /** Whether things of this library may be shown; what is in none belongs to those who see all. */
  sees(libraryId: string | null): boolean;
}

/** Whoever manages the libraries sees all of them: nobody else could give them back what they took from themselves. */
export async function callerOf(
  audiobooks: Audiobooks,
  { principal }: { readonly principal: Principal },
): Promise<Caller> {
  const manages = principal.permissions.has(managePermission);
  const own = await rightsOf(audiobooks.store, principal.userId);
  const libraries = manages || own.libraries === 'all' ? 'all' : new Set(own.libraries);
  return {
    userId: principal.userId,
    name: principal.name,
    can: {
      listen: true,
      edit: principal.permissions.has(writePermission) && (manages || own.edit),
      manage: manages,
      download: manages || own.download,
    },
    libraries,
    sees: (libraryId) => libraries === 'all' || (libraryId !== null && libraries.has(libraryId)),
  };
}

/** The book with this id, as far as the caller may see it. Deleted ones are shown to those who could bring them back. */
export async function visibleBook(reads: Reads, caller: Caller, id: string): Promise<Book> {
  const book = await readBook(reads, id);
  const isThere = book !== undefined && caller.sees(book.library_id);
  if (isThere && (book.deleted_at === null || caller.can.edit)) return book;
  throw audiobookErrors.BOOK_NOT_FOUND(`There is no book ${id}.`);
}

interface BookAsked {
  readonly caller: Caller;
  readonly book: Book;
}

/** Who asks, and the book that they ask about. */
export async function bookAsked(
  app: Audiobooks,
  input: { readonly principal: Principal },
  id: string,
): Promise<BookAsked> {
  const caller = await callerOf(app, input);
  return { caller, book: await visibleBook(app.store, caller, id) };
}

/** Who wants to change a book, and may, and that book. */
export async function bookToEdit(
  app: Audiobooks,
  input: { readonly principal: Principal },
  id: string,
): Promise<BookAsked> {
  const asked = await bookAsked(app, input, id);
  requireEdit(asked.caller);
  return asked;
}

/** For what somebody sees, but may not change. */
function requireEdit(caller: Caller): void {
  if (!caller.can.edit)
    throw audiobookErrors.RIGHTS_MISSING('You may listen, but not change what is said about books.');
}

/** For what would change books of libraries that the caller cannot see. */
export function requireEverywhere(caller: Caller): void {
  requireEdit(caller);
  if (caller.libraries === 'all') return;
  throw audiobookErrors.RIGHTS_MISSING('This would change books of other libraries, too.');
}
