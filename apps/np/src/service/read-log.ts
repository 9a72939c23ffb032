import { readPage } from '@holdfast/base';
import { keyspaceErrors } from '@holdfast/keyspace';
import { type Event, FIRST_EVENT_SEQ } from '../model/event.ts';
import type { Session } from '../model/session.ts';

import { events } from '../store/definitions.ts';
import { type FeedEntry, readEvents, readFeed, readLastEvents } from '../store/events.ts';
import type { Np, Where } from './np.ts';
import { resolveSession } from './resolve.ts';

export interface LogRequest {
  /** Read the oldest events after this number; if left out, the newest. */
  readonly after?: number | undefined;
  readonly limit: number;
}

export interface LogPart {
  readonly session: Session;
  readonly events: readonly Event[];
}

export async function readLog(np: Np, where: Where, { after, limit }: LogRequest): Promise<LogPart> {
  return np.store.snapshot(async (reads) => {
    const session = await resolveSession(reads, where);
    const { sid } = session;
    const found =
      after === undefined ? await readLastEvents(reads, sid, limit) : await readEvents(reads, sid, { after, limit });
    return { session, events: found };
  });
}

export interface LogPageRequest {
  readonly limit: number;
  /** Number of the event at which the previous page ended. */
  readonly cursor?: string | undefined;
  readonly order: 'oldest' | 'newest';
}

/** One page of a log, from its beginning or from its end. */
export async function readLogPage(np: Np, where: Where, { limit, cursor, order }: LogPageRequest) {
  const at = cursor === undefined ? undefined : Number(cursor);
  if (at !== undefined && !Number.isSafeInteger(at)) {
    throw keyspaceErrors.CURSOR_INVALID('The cursor does not belong to this list');
  }
  if (order === 'newest') {
    const { events: data } = await readLogBefore(np, where, { before: at, limit });
    const oldest = data.at(-1)?.seq ?? FIRST_EVENT_SEQ;
    return { data, next_cursor: oldest > FIRST_EVENT_SEQ ? String(oldest) : null };
  }
  const read = async (count: number) => (await readLog(np, where, { after: at ?? -1, limit: count })).events;
  return readPage(limit, read, ({ seq }) => String(seq));
}

interface EarlierLogRequest {
  /** Only events with a lower number; if left out, the newest. */
  readonly before?: number | undefined;
  readonly limit: number;
}

/** Newest first. Event numbers have no gaps, so the start of a page can be computed. */
async function readLogBefore(np: Np, where: Where, { before, limit }: EarlierLogRequest): Promise<LogPart> {
  if (before === undefined) {
    const { session, events: found } = await readLog(np, where, { limit });
    return { session, events: found.toReversed() };
  }
  const after = Math.max(before - limit, FIRST_EVENT_SEQ) - 1;
  const { session, events: found } = await readLog(np, where, { after, limit: before - after - 1 });
  return { session, events: found.toReversed() };
}

/** Returns the newest events of all sessions. */
export function readGlobalLog(np: Np, limit: number): Promise<readonly FeedEntry[]> {
  return np.store.snapshot((reads) => readFeed(reads, limit));
}

/** The newest events of all sessions, then everything that is appended to any of them. */
export async function* followGlobalLog(
  np: Np,
  { limit, signal }: { readonly limit: number; readonly signal?: AbortSignal | undefined },
): AsyncGenerator<FeedEntry, void, undefined> {
  const since = await np.store.revision();
  const lastBySid = new Map<string, number>();
  const isNew = ({ sid, event }: FeedEntry): boolean => event.seq > (lastBySid.get(sid) ?? -1);
  let found = await readGlobalLog(np, limit);
  const changes = np.store.watch(events, {}, { since, signal });
  for (;;) {
    for (const entry of found.filter(isNew)) {
      lastBySid.set(entry.sid, entry.event.seq);
      yield entry;
    }
    const { value: commit, done } = await changes.next();
    if (done === true) return;
    found = commit.reset
      ? await readGlobalLog(np, limit)
      : commit.changes.flatMap(({ key: { sid }, after }) =>
          after === undefined ? [] : [{ sid: String(sid), event: after }],
        );
  }
}

export interface FollowRequest extends LogRequest {
  readonly signal?: AbortSignal | undefined;
}

/**
 * The events of a session, then everything that any process appends, without gaps or repetitions. Takes the
 * revision first, so that nothing falls between reading and following; event numbers filter repetitions.
 */
export async function* followLog(np: Np, where: Where, request: FollowRequest): AsyncGenerator<Event, void, undefined> {
  const since = await np.store.revision();
  const { session, events: known } = await readLog(np, where, request);
  let last = request.after ?? -1;
  const changes = np.store.watch(events, { sid: session.sid }, { since, signal: request.signal });
  for (const event of known) {
    last = event.seq;
    yield event;
  }
  for await (const commit of changes) {
    // After a restore, the journal does not say what changed; read the log instead.
    const found = commit.reset
      ? await readEvents(np.store, session.sid, { after: last })
      : commit.changes.flatMap(({ after }) => (after === undefined ? [] : [after]));
    for (const event of found.toSorted((left, right) => left.seq - right.seq)) {
      if (event.seq <= last) continue;
      last = event.seq;
      yield event;
    }
  }
}
