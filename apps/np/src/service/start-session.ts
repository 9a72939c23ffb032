import { toTime } from '../model/clock.ts';
import { directoryHash } from '../model/directory.ts';
import { type Event, FIRST_EVENT_SEQ } from '../model/event.ts';
import type { Session } from '../model/session.ts';
import { events, sessions } from '../store/definitions.ts';
import { advanceCounter } from '../store/events.ts';
import { activeAbove, activeAt } from '../store/sessions.ts';
import type { Np } from './np.ts';

export interface StartRequest {
  readonly directory: string;
  readonly cmd: string;
}

export interface Started {
  readonly session: Session;
  /** False if the directory had an active session, which is then returned. */
  readonly isNew: boolean;
  /** The session of a parent directory, which this one hides. */
  readonly shadows: Session | undefined;
}

/**
 * Looks for an active session inside the transaction: of two concurrent starts, one is retried and
 * finds the other's session.
 */
export function startSession(np: Np, { directory, cmd }: StartRequest): Promise<Started> {
  const at = toTime(np.now());
  const sid = np.newSid();
  return np.store.transact(async (tx) => {
    const active = await activeAt(tx, directory);
    if (active !== undefined) return { session: active, isNew: false, shadows: undefined };
    const shadows = await activeAbove(tx, directory);
    const session: Session = {
      sid,
      dir_path: directory,
      dir_hash: directoryHash(directory),
      state: 'active',
      created_at: at,
      archived_at: null,
      last_updated_at: at,
    };
    await tx.insert(sessions, { sid }, session);
    advanceCounter(tx, sid, FIRST_EVENT_SEQ);
    const payload = { sid, dir_path: directory, created_at: at };
    const event: Event = { seq: FIRST_EVENT_SEQ, at, type: 'session_started', reason: null, cmd, payload };
    await tx.put(events, { sid, seq: event.seq }, event);
    return { session, isNew: true, shadows };
  });
}
