import type { Reads } from '@holdfast/keyspace';
import { npErrors } from '../model/errors.ts';
import type { Session } from '../model/session.ts';
import { activeAbove, sessionById } from '../store/sessions.ts';
import type { Np, Where } from './np.ts';

/** The session that is meant: the given one, or the nearest active one from a directory upwards. */
export async function resolveSession(reads: Reads, where: Where): Promise<Session> {
  if ('sid' in where) {
    const session = await sessionById(reads, where.sid);
    if (session === undefined) throw npErrors.SESSION_NOT_FOUND(`There is no session ${where.sid}.`);
    return session;
  }
  const session = await activeAbove(reads, where.directory);
  if (session === undefined) throw npErrors.NO_SESSION('No active session for this directory.');
  return session;
}

/**
 * The session that is meant now, by its id. Whoever changes it and then shows it has to ask once: a directory may have
 * no session any more, or another, when the change was made.
 */
export async function pinSession(np: Np, where: Where): Promise<{ readonly sid: string }> {
  if ('sid' in where) return where;
  return np.store.snapshot(async (reads) => {
    const { sid } = await resolveSession(reads, where);
    return { sid };
  });
}
