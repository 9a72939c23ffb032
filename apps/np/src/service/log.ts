import { isHoldfastError, readPage } from '@holdfast/base';
import { keyspaceErrors, type TypedCommit } from '@holdfast/keyspace';
import { type Event, FIRST_EVENT_SEQ } from '../model/event.ts';
import type { Session } from '../model/plan.ts';
import { events } from '../store/definitions.ts';
import { type FeedEntry, readEvents, readFeed, readLastEvents } from '../store/queries.ts';
import { type Np, pinSession, resolveSession, type Where } from './np.ts';

export interface LogRequest {
  /** Reads the oldest events after this number; without a number, the newest events. */
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
      after === undefined ? await readLastEvents(reads, sid, limit) : await readEvents(reads, sid, after, limit);
    return { session, events: found };
  });
}

interface LogPageRequest {
  readonly limit: number;
  /** Number of the event at which the previous page ended. */
  readonly cursor?: string | undefined;
  readonly order: 'oldest' | 'newest';
}

/** Returns one page of a log, from its beginning or from its end. */
export async function readLogPage(np: Np, where: Where, { limit, cursor, order }: LogPageRequest) {
  const at = cursor === undefined ? undefined : Number(cursor);
  if (at !== undefined && !Number.isSafeInteger(at)) {
    throw keyspaceErrors.CURSOR_INVALID('The cursor does not belong to this list');
  }
  const read = async (request: LogRequest) => (await readLog(np, where, request)).events;
  if (order === 'oldest') {
    return readPage(
      limit,
      (count) => read({ after: at ?? -1, limit: count }),
      ({ seq }) => String(seq),
    );
  }
  // Event numbers have no gaps, so the start of an earlier page can be computed.
  const after = at === undefined ? undefined : Math.max(at - limit, FIRST_EVENT_SEQ) - 1;
  const found = await read(at === undefined || after === undefined ? { limit } : { after, limit: at - after - 1 });
  const oldest = found[0]?.seq ?? FIRST_EVENT_SEQ;
  return { data: found.toReversed(), next_cursor: oldest > FIRST_EVENT_SEQ ? String(oldest) : null };
}

/** Returns the newest events of all sessions. */
export function readGlobalLog(np: Np, limit: number): Promise<readonly FeedEntry[]> {
  return np.store.snapshot((reads) => readFeed(reads, limit));
}

interface FollowRequest extends LogRequest {
  readonly signal?: AbortSignal | undefined;
}

/** Yields the newest events of all sessions, then every event that is appended to any of them. */
export function followGlobalLog(
  np: Np,
  { limit, signal }: Omit<FollowRequest, 'after'>,
): AsyncGenerator<FeedEntry, void, undefined> {
  return followEntries(np, {}, () => readGlobalLog(np, limit), signal);
}

/** Yields the events of a session, then every event that any process appends to it. */
export async function* followLog(np: Np, where: Where, request: FollowRequest): AsyncGenerator<Event, void, undefined> {
  const key = await pinSession(np, where);
  const read = async (after = request.after) =>
    (await readLog(np, key, { ...request, after })).events.map((event) => ({ ...key, event }));
  for await (const { event } of followEntries(np, key, read, request.signal)) yield event;
}

/**
 * Yields existing events, then new ones, without gaps or repetitions. Reads the revision before the events, so that no
 * commit is missed. Skips events whose numbers were already yielded.
 */
async function* followEntries(
  np: Np,
  key: Readonly<Record<string, never>> | { readonly sid: string },
  read: (after?: number) => Promise<readonly FeedEntry[]>,
  signal: AbortSignal | undefined,
): AsyncGenerator<FeedEntry, void, undefined> {
  const since = await np.store.revision();
  const lastBySid = new Map<string, number>();
  let found = await read();
  const changes = np.store.watch(events, key, { since, signal });
  for (;;) {
    for (const entry of found) {
      if (entry.event.seq <= (lastBySid.get(entry.sid) ?? -1)) continue;
      lastBySid.set(entry.sid, entry.event.seq);
      yield entry;
    }
    const { value: commit, done } = await changes.next();
    if (done === true) return;
    // After a restore, the journal does not say what changed, so the log is read instead.
    found = commit.reset
      ? await read('sid' in key ? lastBySid.get(key.sid) : undefined)
      : addedEvents(commit).toSorted((left, right) => left.event.seq - right.event.seq);
  }
}

function addedEvents({ changes }: TypedCommit<Event>): readonly FeedEntry[] {
  return changes.flatMap(({ key, after }) => (after === undefined ? [] : [{ sid: String(key['sid']), event: after }]));
}

/** The events that one commit added. If `reset` is true, read everything again. */
export interface AddedEvents {
  readonly revision: number;
  readonly reset: boolean;
  readonly events: readonly FeedEntry[];
}

interface WatchOptions {
  readonly since: number;
  readonly signal: AbortSignal;
}

export function currentRevision(np: Np): Promise<number> {
  return np.store.revision();
}

/** Yields every commit that adds events to any session, from any process, without gaps or repetitions. */
export async function* watchEvents(
  np: Np,
  { since, signal }: WatchOptions,
): AsyncGenerator<AddedEvents, void, undefined> {
  let last = since;
  while (!signal.aborted) {
    try {
      for await (const commit of np.store.watch(events, {}, { since: last, signal })) {
        last = commit.revision;
        yield { revision: last, reset: commit.reset, events: addedEvents(commit) };
      }
      return;
    } catch (error) {
      if (!isHoldfastError(error, 'JOURNAL_TRIMMED')) throw error;
      last = await np.store.revision();
      yield { revision: last, reset: true, events: [] };
    }
  }
}

/** Yields after each commit that changes the session; without a session, yields after every commit. */
export async function* watchSession(
  np: Np,
  sid: string | undefined,
  options: WatchOptions,
): AsyncGenerator<void, void, undefined> {
  for await (const _ of np.store.watchPrefix(sid === undefined ? '' : `s/${sid}/`, options)) yield;
}
