import type { Caller } from '@holdfast/operation';
import type { Reads } from '@holdfast/keyspace';
import type { Book } from '../model/book.ts';
import { audiobookErrors } from '../model/errors.ts';
import { DEFAULT_RIGHTS, type Rights } from '../model/records.ts';
import { readBook } from '../store/books.ts';
import { rights } from '../store/definitions.ts';
import type { Audiobooks } from './audiobooks.ts';
import { resolveBook } from './queries/resolve.ts';
import { listeningUsers } from './statistics/count.ts';

/** The user for whom a service runs. A book that the user may not see counts as not found: 404, never 403. */
export interface Listener {
  readonly userId: string;
  /** Name that the history and logs show. */
  readonly name: string;
  readonly can: {
    readonly listen: boolean;
    readonly edit: boolean;
    readonly manage: boolean;
    readonly download: boolean;
  };
  readonly libraries: 'all' | ReadonlySet<string>;
  /** Returns whether the user sees a book. Only users who see all libraries see books without a library. */
  readonly sees: (book: Pick<Book, 'library_id'>) => boolean;
}

/** Placeholder for "no user" on the command line; not a valid user id. */
const NO_USER = '-';

/** Returns the user of the command line, who may do everything. */
export function localListener(userId: string, name: string = userId): Listener {
  const can = { listen: true, edit: true, manage: true, download: true };
  return { userId, name, can, libraries: 'all', sees: () => true };
}

/** Returns the stored rights of a user, or the default rights. */
export async function rightsOf(
  reads: Reads,
  userId: string,
): Promise<Pick<Rights, 'libraries' | 'edit' | 'download' | 'revision'>> {
  return (await reads.get(rights, { user_id: userId })) ?? { ...DEFAULT_RIGHTS, revision: 0 };
}

const WRITE = 'app:audiobooks:write';
const MANAGE = 'app:audiobooks:admin';

export async function listenerOf({ store }: Audiobooks, caller: Caller): Promise<Listener> {
  const { userId, permissions, name } = caller;
  if (permissions === undefined || userId === undefined) return localListener(userId ?? NO_USER, name);
  const manage = permissions.includes(MANAGE);
  const own = await rightsOf(store, userId);
  // Managers see all libraries, so that a manager who removes their own rights can restore them.
  const libraries = manage || own.libraries === 'all' ? 'all' : new Set(own.libraries);
  return {
    userId,
    name,
    can: {
      listen: true,
      edit: permissions.includes(WRITE) && (manage || own.edit),
      manage,
      download: manage || own.download,
    },
    libraries,
    sees: ({ library_id: library }) => libraries === 'all' || (library !== null && libraries.has(library)),
  };
}

/**
 * Returns the user whose data is read. The command line has no user: it reads the data of the only user who listens. If
 * several users listen, it fails.
 */
export async function readerOf(audiobooks: Audiobooks, caller: Caller): Promise<Listener> {
  if (caller.userId !== undefined) return listenerOf(audiobooks, caller);
  const known: string[] = [];
  for await (const id of listeningUsers(audiobooks)) known.push(id);
  const [only = NO_USER, ...others] = known;
  if (others.length === 0) return localListener(only, caller.name);
  throw audiobookErrors.USER_REQUIRED('Several users have listened to books.', { details: { users: known } });
}

/** Returns the user whose data is changed. */
export async function ownerOf(audiobooks: Audiobooks, caller: Caller): Promise<Listener> {
  const listener = await readerOf(audiobooks, caller);
  if (listener.userId !== NO_USER) return listener;
  throw audiobookErrors.USER_REQUIRED('No user has listened to a book yet.');
}

/** Returns the book with this id or title. Deleted books are visible only to users who can restore them. */
export async function visibleBook(reads: Reads, listener: Listener, given: string): Promise<Book> {
  const book = await resolveBook(reads, given, (candidate) => listener.sees(candidate));
  if (book.deleted_at === null || listener.can.edit) return book;
  throw audiobookErrors.BOOK_NOT_FOUND(`There is no book ${given}.`);
}

/** Returns the book with this id, even if the book is deleted, because listeners keep their position in it. */
export async function seenBook(reads: Reads, { sees }: Pick<Listener, 'sees'>, id: string): Promise<Book> {
  const book = await readBook(reads, id);
  if (book === undefined || !sees(book)) throw audiobookErrors.BOOK_NOT_FOUND(`There is no book ${id}.`);
  return book;
}

export function requireEdit({ can }: Listener): void {
  if (!can.edit) throw audiobookErrors.RIGHTS_MISSING("You don't have access to edit books.");
}

/** Throws unless the listener sees all libraries; for changes that also affect books in other libraries. */
export function requireAllLibraries(listener: Listener): void {
  requireEdit(listener);
  if (listener.libraries === 'all') return;
  throw audiobookErrors.RIGHTS_MISSING('This would also change books in libraries that you cannot see.');
}
