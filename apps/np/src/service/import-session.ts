import { toTime } from '../model/clock.ts';
import { directoryHash } from '../model/directory.ts';
import { npErrors } from '../model/errors.ts';
import type { ExportedSession } from '../model/exported.ts';
import { countByStatus, type Session } from '../model/session.ts';
import { events, goals, sessions, stats, tasks } from '../store/definitions.ts';
import { advanceCounter } from '../store/events.ts';
import { activeAt, sessionById } from '../store/sessions.ts';
import type { Np } from './np.ts';

export interface ImportRequest {
  readonly exported: ExportedSession;
  /** The directory that the session will belong to. */
  readonly directory: string;
  /** Import it as archived, even if it was active. */
  readonly asArchived?: boolean;
}

/** Imports the session with its ids and numbers, in one transaction. */
export function importSession(np: Np, request: ImportRequest): Promise<Session> {
  const { exported, directory } = request;
  const session = sessionIn(exported.session, request, toTime(np.now()));
  const { sid } = session;
  return np.store.transact(async (tx) => {
    if ((await sessionById(tx, sid)) !== undefined) {
      throw npErrors.SESSION_EXISTS(`Session ${sid} is here already.`, { hint: 'Nothing was changed.' });
    }
    const active = session.state === 'active' ? await activeAt(tx, directory) : undefined;
    if (active !== undefined) throw npErrors.SESSION_EXISTS(`Session ${active.sid} is active in ${directory}.`);
    await tx.insert(sessions, { sid }, session);
    if (exported.goal !== null) await tx.put(goals, { sid }, exported.goal);
    for (const task of exported.tasks) await tx.insert(tasks, { sid, id: task.id }, task);
    if (exported.tasks.length > 0) {
      const counts = countByStatus(exported.tasks);
      await tx.put(stats, { sid }, { ...counts, updated_at: session.last_updated_at });
    }
    for (const event of exported.events) await tx.put(events, { sid, seq: event.seq }, event);
    advanceCounter(tx, sid, exported.events.length - 1);
    return session;
  });
}

function sessionIn(session: Session, { directory, asArchived = false }: ImportRequest, now: string): Session {
  const moved: Session = { ...session, dir_path: directory, dir_hash: directoryHash(directory) };
  if (!asArchived || moved.state === 'archived') return moved;
  return { ...moved, state: 'archived', archived_at: now };
}
