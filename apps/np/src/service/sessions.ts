import type { Page, Transaction } from '@holdfast/keyspace';
import { toTime } from '../model/clock.ts';
import { npErrors } from '../model/errors.ts';
import { type Event, FIRST_EVENT_SEQ } from '../model/event.ts';
import type { ExportedSession } from '../model/exported.ts';
import { directoryHash } from '../model/ids.ts';
import { countByStatus, type Session, type SessionSummary } from '../model/plan.ts';
import { checkReason } from '../model/text.ts';
import { events, goals, sessions, stats, tasks } from '../store/definitions.ts';
import {
  activeAbove,
  activeAt,
  archivedAbove,
  listSessions as readSessions,
  readEvents,
  readPlan,
  type SessionPageRequest,
} from '../store/queries.ts';
import { Change } from './change.ts';
import { type Call, type Np, resolveSession, type Where } from './np.ts';

export interface Started {
  readonly session: Session;
  /** False if the directory already had an active session, which is then returned. */
  readonly isNew: boolean;
  /** The active session of a parent directory, which commands in this directory no longer find. */
  readonly shadows: Session | undefined;
}

/**
 * Looks for an active session inside the transaction: of two concurrent starts, one is retried and finds the other's
 * session.
 */
export function startSession(
  np: Np,
  { directory, cmd }: { readonly directory: string; readonly cmd: string },
): Promise<Started> {
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
    tx.add(events.counter, { sid }, FIRST_EVENT_SEQ);
    const payload = { sid, dir_path: directory, created_at: at };
    const event: Event = { seq: FIRST_EVENT_SEQ, at, type: 'session_started', reason: null, cmd, payload };
    await tx.put(events, { sid, seq: event.seq }, event);
    return { session, isNew: true, shadows };
  });
}

export interface Archived {
  readonly session: Session;
  /** False if the session was already archived. */
  readonly isNew: boolean;
}

/** Also works in directories below that of the session. */
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

/** Finds archived sessions too: archiving twice is not an error. */
async function sessionToArchive(tx: Transaction, where: Where): Promise<Session> {
  if ('sid' in where) return resolveSession(tx, where);
  const { directory } = where;
  const session = (await activeAbove(tx, directory)) ?? (await archivedAbove(tx, directory));
  if (session === undefined) throw npErrors.NO_SESSION('No active session for this directory.');
  return session;
}

/**
 * Returns a page of sessions. A search finds words in directory, goal or id; its pages may hold fewer sessions than
 * requested.
 */
export function listSessions(
  np: Np,
  { search = '', limit, ...request }: SessionPageRequest & { readonly search?: string },
): Promise<Page<SessionSummary>> {
  const wanted = search.trim().toLowerCase();
  if (wanted === '') return np.store.snapshot((reads) => readSessions(reads, { ...request, limit }));
  // Reads half a page at a time, so that all matches of the last read fit into the page.
  const size = Math.ceil(limit / 2);
  return np.store.snapshot(async (reads) => {
    const items: SessionSummary[] = [];
    let { cursor } = request;
    do {
      const page = await readSessions(reads, { ...request, cursor, limit: size });
      items.push(...page.items.filter((summary) => mentions(summary, wanted)));
      ({ cursor } = page);
    } while (cursor !== undefined && items.length + size <= limit);
    return { items, cursor };
  });
}

function mentions({ session, goal }: SessionSummary, wanted: string): boolean {
  const texts = [session.dir_path, session.sid, goal?.title, goal?.description];
  return texts.some((text) => text?.toLowerCase().includes(wanted) ?? false);
}

/** Plan and log as of one moment. */
export async function exportSession(np: Np, where: Where): Promise<ExportedSession> {
  return np.store.snapshot(async (reads) => {
    const session = await resolveSession(reads, where);
    const { goal, tasks: found } = await readPlan(reads, session);
    const log = await readEvents(reads, session.sid);
    return { format: 'np-session', version: 1, session, goal, tasks: found, events: log };
  });
}

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
    if ((await tx.get(sessions, { sid })) !== undefined) {
      throw npErrors.SESSION_EXISTS(`Session ${sid} already exists.`, { hint: 'Nothing was changed.' });
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
    tx.add(events.counter, { sid }, exported.events.length - 1);
    return session;
  });
}

function sessionIn(session: Session, { directory, asArchived = false }: ImportRequest, now: string): Session {
  const moved: Session = { ...session, dir_path: directory, dir_hash: directoryHash(directory) };
  if (!asArchived || moved.state === 'archived') return moved;
  return { ...moved, state: 'archived', archived_at: now };
}
