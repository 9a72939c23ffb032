import type { Page, Transaction } from '@holdfast/keyspace';
import { toTime } from '../model/clock.ts';
import { npErrors } from '../model/errors.ts';
import { type Event, FIRST_EVENT_SEQ } from '../model/event.ts';
import type { ExportedSession } from '../model/exported.ts';
import { directoryHash } from '../model/ids.ts';
import { countByStatus, type Session, type SessionSummary } from '../model/plan.ts';
import { checkReason } from '../model/text.ts';
import { events, goals, notes, sessions, stats, tasks } from '../store/definitions.ts';
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
  /** True if the session was created; false if the directory already had this active session. */
  readonly isNew: boolean;
  /** The active session of a parent directory. Commands in this directory now find the new session instead. */
  readonly shadows: Session | undefined;
  /** Number of tasks that were added from a Markdown plan. */
  readonly tasksAdded?: number | undefined;
}

/**
 * Starts a session, unless the directory has an active one. Looks for the active session inside the transaction: of two
 * concurrent starts, one is retried and finds the other's session.
 */
export async function startSession(
  np: Np,
  {
    directory,
    plan,
    ...call
  }: Omit<Call, 'where'> & { readonly directory: string; readonly plan?: string | undefined },
): Promise<Started> {
  const at = toTime(np.now());
  const sid = np.newSid();
  const addPlan = plan === undefined ? undefined : (await import('./add-plan.ts')).planAdder(plan);
  return np.store.transact(async (tx) => {
    const active = await activeAt(tx, directory);
    if (active !== undefined) {
      if (addPlan !== undefined) throw npErrors.SESSION_EXISTS(`Session ${active.sid} is active in ${directory}.`);
      return { session: active, isNew: false, shadows: undefined };
    }
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
    const change = new Change(tx, session, at, call);
    const event: Event = {
      seq: FIRST_EVENT_SEQ,
      at,
      type: 'session_started',
      reason: null,
      cmd: call.cmd,
      ...change.by,
      payload,
    };
    await tx.put(events, { sid, seq: event.seq }, event);
    const tasksAdded = await addPlan?.(change);
    return { session, isNew: true, shadows, tasksAdded };
  });
}

export interface Archived {
  readonly session: Session;
  /** True if the state of the session changed; false if the session already had that state. */
  readonly isNew: boolean;
}

/** Archives a session. Also works in directories below the session's directory. */
export function archiveSession(np: Np, call: Call & { readonly reason?: string | undefined }): Promise<Archived> {
  const at = toTime(np.now());
  const reason = checkReason(call.reason);
  return np.store.transact(async (tx) => {
    const session = await sessionToArchive(tx, call.where);
    if (session.state === 'archived') return { session, isNew: false };
    const change = new Change(tx, session, at, call);
    const { sid, dir_path } = session;
    change.emit('session_archived', { sid, dir_path, archived_at: at }, reason);
    const archived: Session = { ...session, state: 'archived', archived_at: at, last_updated_at: at };
    await tx.put(sessions, { sid }, archived);
    return { session: archived, isNew: true };
  });
}

/**
 * Makes a session active again: the given session or, if none is given, the last archived session of the nearest
 * directory that has archived sessions.
 */
export function unarchiveSession(np: Np, call: Call & { readonly reason?: string | undefined }): Promise<Archived> {
  const at = toTime(np.now());
  const reason = checkReason(call.reason);
  return np.store.transact(async (tx) => {
    const { where } = call;
    const session = 'sid' in where ? await resolveSession(tx, where) : await archivedAbove(tx, where.directory);
    if (session === undefined)
      throw npErrors.NO_SESSION('No archived session for this directory.', { hint: LIST_HINT });
    if (session.state === 'active') return { session, isNew: false };
    const { sid, dir_path } = session;
    const active = await activeAt(tx, dir_path);
    if (active !== undefined) {
      const hint = 'Nothing was changed. Archive the active session first: np a';
      throw npErrors.SESSION_EXISTS(`Session ${active.sid} is active in ${dir_path}.`, { hint });
    }
    const change = new Change(tx, session, at, call);
    change.emit('session_unarchived', { sid, dir_path, unarchived_at: at }, reason);
    const unarchived: Session = { ...session, state: 'active', archived_at: null, last_updated_at: at };
    await tx.put(sessions, { sid }, unarchived);
    return { session: unarchived, isNew: true };
  });
}

const LIST_HINT = "'np ls --state archived' lists archived sessions; name one by its id.";

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
  // Reads half a page at a time, so that all matches from the last read fit into the page.
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

/** Returns the plan and log as of one moment. */
export async function exportSession(np: Np, where: Where): Promise<ExportedSession> {
  return np.store.snapshot(async (reads) => {
    const session = await resolveSession(reads, where);
    const { goal, tasks: found, notes: noted } = await readPlan(reads, session);
    const log = await readEvents(reads, session.sid);
    return { format: 'np-session', version: 1, session, goal, tasks: found, notes: noted, events: log };
  });
}

export interface ImportRequest {
  readonly exported: ExportedSession;
  /** The directory that the session will belong to. */
  readonly directory: string;
  /** Import the session as archived, even if it was active. */
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
    for (const { task_id: id, seq, ...note } of exported.notes ?? []) await tx.put(notes, { sid, id, seq }, note);
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
