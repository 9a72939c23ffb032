import type { Transaction } from '@holdfast/keyspace';
import { toTime } from '../model/clock.ts';
import { npErrors } from '../model/errors.ts';
import type { Session } from '../model/session.ts';
import { checkReason } from '../model/text.ts';
import { sessions } from '../store/definitions.ts';
import { activeAbove, archivedAbove } from '../store/sessions.ts';
import { Change } from './change.ts';
import type { Call, Np, Where } from './np.ts';
import { resolveSession } from './resolve.ts';

export interface Archived {
  readonly session: Session;
  /** False if it was archived before. */
  readonly isNew: boolean;
}

/** Works from any directory below that of the session. */
export function archiveSession(np: Np, call: Call & { readonly reason?: string | undefined }): Promise<Archived> {
  const at = toTime(np.now());
  const reason = checkReason(call.reason);
  return np.store.transact(async (tx) => {
    const session = await sessionToArchive(tx, call.where);
    if (session.state === 'archived') return { session, isNew: false };
    const change = new Change(tx, session, at, call.cmd);
    const { sid, dir_path } = session;
    change.emit('session_archived', { sid, dir_path, archived_at: at }, reason);
    const archived: Session = { ...session, state: 'archived', archived_at: at, last_updated_at: at };
    await tx.put(sessions, { sid }, archived);
    return { session: archived, isNew: true };
  });
}

/** Finds archived sessions too, so archiving twice is not an error. */
async function sessionToArchive(tx: Transaction, where: Where): Promise<Session> {
  if ('sid' in where) return resolveSession(tx, where);
  const { directory } = where;
  const session = (await activeAbove(tx, directory)) ?? (await archivedAbove(tx, directory));
  if (session === undefined) throw npErrors.NO_SESSION('No active session for this directory.');
  return session;
}
