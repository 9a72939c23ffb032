import { accountErrors } from '@holdfast/accounts';
import { isHoldfastError } from '@holdfast/base';
import { ulidOfUuid } from '../../model/audiobookshelf/ids.ts';
import type { OperationContext } from '../../model/engines.ts';
import type { AudiobookshelfData } from '../../store/audiobookshelf-database.ts';
import type { Audiobooks } from '../audiobooks.ts';
import { setRights } from '../rights.ts';

type SourceUser = AudiobookshelfData['users'][number];

interface ImportedUsers {
  /** Our user ids, by the Audiobookshelf user ids. */
  readonly ids: ReadonlyMap<string, string>;
  readonly created: number;
}

/** One of our libraries, and the id of the Audiobookshelf library with the same folder. */
interface OwnLibrary {
  readonly libraryId: string;
  readonly id: string | undefined;
}

/**
 * Creates the users. If a user with the same name exists, uses that user and keeps their password and access. Everyone
 * gets the role "user": an Audiobookshelf administrator must not become a Holdfast administrator.
 */
export async function importUsers(
  audiobooks: Audiobooks,
  data: AudiobookshelfData,
  libraries: readonly OwnLibrary[],
  context: OperationContext,
): Promise<ImportedUsers> {
  const ids = new Map<string, string>();
  let created = 0;
  for (const user of data.users) {
    context.signal.throwIfAborted();
    const known = await findUser(audiobooks, user);
    const id = known ?? (await createUser(audiobooks, data, user, libraries, context));
    if (id !== undefined) ids.set(user.id, id);
    if (known === undefined && id !== undefined) created += 1;
  }
  return { ids, created };
}

async function findUser({ accounts }: Audiobooks, { id, username }: SourceUser): Promise<string | undefined> {
  const open = await accounts.accounts();
  for (const typed of [ulidOfUuid(id), username, usableName(username)]) {
    try {
      return (await open.findUser(typed)).id;
    } catch (error) {
      if (!isHoldfastError(error, 'USER_NOT_FOUND')) throw error;
    }
  }
  return undefined;
}

/** Replaces characters that our user names cannot have, such as spaces. */
function usableName(name: string): string {
  return name.replaceAll(/[^\p{L}\p{M}0-9]+/gu, '.').replaceAll(/^\.|\.$/gu, '');
}

async function createUser(
  audiobooks: Audiobooks,
  data: AudiobookshelfData,
  user: SourceUser,
  libraries: readonly OwnLibrary[],
  context: OperationContext,
): Promise<string | undefined> {
  const accounts = await audiobooks.accounts.accounts();
  const id = ulidOfUuid(user.id);
  const imported = { id, passwordHash: user.pash ?? null };
  // Sets the access before the user exists, so that the user cannot sign in first and see hidden books.
  await setRights(audiobooks, { user_id: id, ...accessOf(data, user, libraries, context) });
  for (const username of new Set([user.username, usableName(user.username)])) {
    try {
      await accounts.createUser({ username, imported });
      if (!user.isActive) await accounts.setStatus({ userId: id, status: 'disabled' });
      if (username !== user.username) context.log('info', `The user "${user.username}" is ${username} in Holdfast.`);
      return id;
    } catch (error) {
      if (!isHoldfastError(error, accountErrors.USERNAME_INVALID.code)) throw error;
    }
  }
  context.log('warn', `The user "${user.username}" was not imported, because Holdfast does not allow this name.`);
  return undefined;
}

/**
 * Converts the permissions. Holdfast has no rules for tags and explicit books, so it hides a whole library from users
 * who may not see all of its books.
 */
function accessOf(
  data: AudiobookshelfData,
  { username, permissions }: SourceUser,
  libraries: readonly OwnLibrary[],
  context: OperationContext,
) {
  const { download, update: edit, accessAllLibraries, accessAllTags, accessExplicitContent } = permissions;
  const explicit = new Set(data.books.filter((book) => book.explicit).map(({ id }) => id));
  const restricted = new Set(
    data.items.filter(({ mediaId }) => explicit.has(mediaId)).map(({ libraryId }) => libraryId),
  );
  const own = data.libraries.filter(({ id }) => accessAllLibraries || permissions.librariesAccessible.includes(id));
  const isVisible = (library: string): boolean => accessAllTags && (accessExplicitContent || !restricted.has(library));
  const seen = own.filter(({ id }) => isVisible(id));
  if (seen.length < own.length) {
    const reason = accessAllTags ? 'some of their books are explicit' : 'the access was limited by tags';
    const hidden = own.filter((library) => !seen.includes(library)).map(({ name }) => name);
    context.log('warn', `${username} does not see ${hidden.join(', ')}, because ${reason}. Set this user's access.`);
  }
  const isUnrestricted = accessAllLibraries && seen.length === own.length;
  const shown = libraries.flatMap(({ libraryId, id = [] }) => (seen.some((one) => one.id === libraryId) ? id : []));
  return { libraries: isUnrestricted ? ('all' as const) : shown, edit, download };
}
