import { isLive } from '../model/session.ts';
import { sessions } from '../store/sessions.ts';
import type { Dependencies } from './dependencies.ts';
import { type SessionView, sessionView } from './views.ts';

/** The sessions that would be accepted now, oldest first. */
export async function listSessions(
  { keyspace, clock, settings }: Dependencies,
  userId: string,
): Promise<readonly SessionView[]> {
  const all = await keyspace.list(sessions.by.user, { user_id: userId });
  return all.filter((session) => isLive(session, settings, clock())).map(sessionView);
}
