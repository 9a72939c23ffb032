import { schemaErrors } from '@holdfast/base';
import { keyspaceErrors, type Page, type Reads } from '@holdfast/keyspace';
import type { Event } from '../model/event.ts';
import { directoryHash, withParents } from '../model/ids.ts';
import {
  byOrder,
  countByStatus,
  type Plan,
  type Session,
  type SessionSummary,
  type Status,
  type Task,
  type TaskNote,
} from '../model/plan.ts';
import { events, goals, notes, sessions, stats, tasks } from './definitions.ts';

export async function activeAt(reads: Reads, path: string): Promise<Session | undefined> {
  const [key] = await reads.keys(sessions.by.activeByDirectory, { dir_hash: directoryHash(path) });
  if (key === undefined) return undefined;
  const session = await sessionOf(reads, key);
  // Compares the path too, because two directories could have the same hash.
  return session.dir_path === path ? session : undefined;
}

/**
 * Throws if the session is damaged. If it returned nothing instead, a command would use the plan of a parent
 * directory or start a new session.
 */
export async function sessionOf(reads: Reads, key: { readonly sid: string }): Promise<Session> {
  const session = await reads.get(sessions, key);
  if (session !== undefined) return session;
  throw schemaErrors.VALUE_UNREADABLE(`Session ${key.sid} is damaged.`, {
    hint: "'np verify --repair' restores it, or sets it aside.",
  });
}

/** Returns the active session of this directory or of its nearest parent that has one. */
export async function activeAbove(reads: Reads, path: string): Promise<Session | undefined> {
  for (const directory of withParents(path)) {
    const session = await activeAt(reads, directory);
    if (session !== undefined) return session;
  }
  return undefined;
}

/** Finds the nearest directory with archived sessions, starting with this one; returns its last archived session. */
export async function archivedAbove(reads: Reads, path: string): Promise<Session | undefined> {
  for (const directory of withParents(path)) {
    const key = { dir_hash: directoryHash(directory) };
    const [last] = await reads.list(sessions.by.archivedByDirectory, key, { reverse: true, limit: 1 });
    if (last !== undefined) return last;
  }
  return undefined;
}

/** Returns the ids of all sessions, including damaged ones. */
export async function allSids(reads: Reads): Promise<readonly string[]> {
  const keys = [...(await reads.keys(sessions.by.active, {})), ...(await reads.keys(sessions.by.archived, {}))];
  return keys.map(({ sid }) => sid);
}

export async function allSessions(reads: Reads): Promise<readonly Session[]> {
  const [active, archived] = [sessions.by.active, sessions.by.archived];
  return [...(await reads.list(active, {})), ...(await reads.list(archived, {}))];
}

export interface SessionPageRequest {
  readonly state: 'active' | 'archived' | 'all';
  /** Only sessions of this directory, not of directories below it. */
  readonly directory?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** Returns active sessions, then archived ones; each group is sorted with the newest first. */
export async function listSessions(reads: Reads, request: SessionPageRequest): Promise<Page<SessionSummary>> {
  const { state, limit, directory } = request;
  const here = directory === undefined ? undefined : { dir_hash: directoryHash(directory) };
  const [part, cursor] = splitCursor(request.cursor, state);
  const found: Session[] = [];
  let next: string | undefined;
  if (part === 'active') {
    const options = { reverse: true, limit, cursor };
    const page = await (here === undefined
      ? reads.page(sessions.by.active, {}, options)
      : reads.page(sessions.by.activeByDirectory, here, options));
    found.push(...page.items);
    next = page.cursor === undefined ? undefined : `active.${page.cursor}`;
  }
  if (state !== 'active' && next === undefined) {
    const room = limit - found.length;
    const from = part === 'archived' ? cursor : undefined;
    const options = { reverse: true, limit: Math.max(room, 1), cursor: from };
    const page = await (here === undefined
      ? reads.page(sessions.by.archived, {}, options)
      : reads.page(sessions.by.archivedByDirectory, here, options));
    // If active sessions fill the page, the next page starts with the archived ones.
    if (room > 0) found.push(...page.items);
    if (room === 0 && page.items.length > 0) next = 'archived.';
    if (room > 0 && page.cursor !== undefined) next = `archived.${page.cursor}`;
  }
  return { items: await Promise.all(found.map((session) => summarize(reads, session))), cursor: next };
}

function splitCursor(cursor: string | undefined, state: string): readonly [string, string | undefined] {
  if (cursor === undefined) return [state === 'archived' ? 'archived' : 'active', undefined];
  const [, part = '', rest = ''] = /^(active|archived)\.(.*)$/u.exec(cursor) ?? [];
  const isOurs = part !== '' && (state === 'all' || state === part);
  if (!isOurs) throw keyspaceErrors.CURSOR_INVALID('The cursor does not belong to this list');
  return [part, rest || undefined];
}

export async function summarize(reads: Reads, session: Session): Promise<SessionSummary> {
  const key = { sid: session.sid };
  // There are no stored counts if no task has been added yet, or if the stored counts are damaged.
  const counts = (await reads.get(stats, key)) ?? countByStatus(await reads.list(tasks, key));
  return { session, goal: (await reads.get(goals, key)) ?? null, counts };
}

export async function readPlan(reads: Reads, session: Session): Promise<Plan> {
  const key = { sid: session.sid };
  const goal = (await reads.get(goals, key)) ?? null;
  const found = await readTasks(reads, session.sid);
  return { session, goal, tasks: found, notes: await readNotes(reads, key), counts: countByStatus(found) };
}

/** Returns the notes of all tasks, or of one task, in order. */
export async function readNotes(
  reads: Reads,
  key: { readonly sid: string } | { readonly sid: string; readonly id: string },
): Promise<readonly TaskNote[]> {
  const found = await reads.entries(notes, key);
  return found.map(({ key: { id, seq }, value }) => ({ task_id: id, seq, ...value }));
}

/** Returns all tasks in order. Scanning and sorting them is faster than following the order index. */
export async function readTasks(reads: Reads, sid: string): Promise<readonly Task[]> {
  return (await reads.list(tasks, { sid })).sort(byOrder);
}

/**
 * Returns every task whose id begins with these hexadecimal digits. The range ends at `g`, which sorts after the last
 * digit, `f`.
 */
export function readTasksByPrefix(reads: Reads, sid: string, prefix: string): Promise<readonly Task[]> {
  return reads.list(tasks, { sid }, { start: prefix, end: `${prefix}g` });
}

export async function readTasksWithStatus(reads: Reads, sid: string, status: Status): Promise<readonly Task[]> {
  return (await reads.list(tasks.by.status, { sid, status })).sort(byOrder);
}

/** Returns the events with a higher number than `after`, in order. */
export function readEvents(reads: Reads, sid: string, after = -1, limit?: number): Promise<Event[]> {
  return reads.list(events, { sid }, { start: after + 1, ...(limit === undefined ? {} : { limit }) });
}

/** Returns the newest events, in order. */
export async function readLastEvents(reads: Reads, sid: string, limit: number): Promise<Event[]> {
  return (await reads.list(events, { sid }, { reverse: true, limit })).reverse();
}

export interface FeedEntry {
  readonly sid: string;
  readonly event: Event;
}

/** Returns the newest events of all sessions, oldest first. */
export async function readFeed(reads: Reads, limit: number): Promise<readonly FeedEntry[]> {
  const found = await reads.entries(events.by.feed, {}, { reverse: true, limit });
  return found.reverse().map(({ key, value }) => ({ sid: key.sid, event: value }));
}
