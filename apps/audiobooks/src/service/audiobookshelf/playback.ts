import { randomUUID } from 'node:crypto';
import { DAY, HOUR, MINUTE, SECOND } from '@holdfast/base';
import type { ClientSession } from '../../model/audiobookshelf/records.ts';
import type { Book } from '../../model/book.ts';
import { audiobookErrors } from '../../model/errors.ts';
import type { Progress } from '../../model/playback.ts';
import { toTime } from '../../model/stored.ts';
import { clientSessions, durationMaps, progress } from '../../store/definitions.ts';
import type { Audiobooks } from '../audiobooks.ts';
import { type AudioFile, openAudioFile } from '../covers.ts';
import { type Listener, rightsOf, seenBook } from '../listener.ts';
import { progressIn } from '../listening/progress.ts';
import { type MeasuredReport, recordPlayback } from '../listening/record-playback.ts';

/**
 * Playback sessions of clients. The reports of a session become playback events, so the same position rules apply.
 */

/** A session ends if it is not updated for this long. */
const OPEN_MS: number = 36 * HOUR;
/** How long a session stays in the session list. */
const LISTED_MS: number = 365 * DAY;
/** Fastest playback speed. If a position moved faster than this, the listener jumped. */
const SPEED_MAX = 4;
const JUMP_MS: number = 30 * SECOND;
/**
 * A faulty client sometimes reports the start of a book without having played it. A forgotten client may report late
 * what it played before another device did. Such a report is ignored if its position is before `START_MS`, and if the
 * book is finished or the stored position is more than `AHEAD_MS` ahead.
 */
const START_MS: number = MINUTE;
const AHEAD_MS: number = 5 * MINUTE;

type Device = ClientSession['device'];

export interface NewSession {
  readonly device: Device;
  readonly mediaPlayer: string;
}

/** Starts a session and closes the open session of the same device. */
export async function startSession(
  audiobooks: Audiobooks,
  listener: Listener,
  book: Book,
  { device, mediaPlayer }: NewSession,
): Promise<ClientSession> {
  const place = await progressIn(audiobooks, listener, book.id);
  const positionMs = place === undefined || place.finished ? 0 : place.book_position_ms;
  const at = toTime(audiobooks.now());
  const session: ClientSession = {
    id: randomUUID(),
    user_id: listener.userId,
    book_id: book.id,
    generation: book.generation,
    device,
    media_player: mediaPlayer,
    play_method: 0,
    started_at: at,
    updated_at: at,
    start_ms: positionMs,
    position_ms: positionMs,
    duration_ms: book.duration_ms,
    listened_ms: 0,
    closed_at: null,
    version: 1,
  };
  await audiobooks.store.transact(async (tx) => {
    for (const open of await tx.list(clientSessions.by.open, { user_id: listener.userId })) {
      if (open.device['deviceId'] !== device['deviceId']) continue;
      await tx.put(clientSessions, { id: open.id }, { ...open, closed_at: at });
    }
    await tx.put(clientSessions, { id: session.id }, session);
  });
  return session;
}

/** Returns an open session of the listener. */
export async function ownSession(audiobooks: Audiobooks, { userId }: Listener, id: string): Promise<ClientSession> {
  const session = await openSession(audiobooks, id);
  if (session === undefined || session.user_id !== userId)
    throw audiobookErrors.PLAYBACK_SESSION_NOT_FOUND('There is no such playback session.');
  return session;
}

async function openSession({ store, now }: Audiobooks, id: string): Promise<ClientSession | undefined> {
  const session = await store.get(clientSessions, { id });
  const isOpen = session?.closed_at === null && now() - Date.parse(session.updated_at) < OPEN_MS;
  return isOpen ? session : undefined;
}

const missing = (): Error => audiobookErrors.SEGMENT_NOT_FOUND('There is no such file.');

/** Returns the open session of a device, if it has one. */
export async function sessionOfDevice(
  { reader }: Audiobooks,
  { userId }: Listener,
  device: string | null,
): Promise<ClientSession | undefined> {
  const open = await reader.list(clientSessions.by.open, { user_id: userId });
  return open.find((session) => session.device['deviceId'] === device);
}

/**
 * Opens an audio file in a session, for players that send no credentials. `index` is the number of the file, from 1,
 * among the files that the book had when the session started. These files still exist after a merge.
 */
export async function openTrack(audiobooks: Audiobooks, id: string, index: number): Promise<AudioFile> {
  const { store, accounts } = audiobooks;
  const session = await openSession(audiobooks, id);
  if (session === undefined || session.play_method !== 0) throw missing();
  const { user_id: user, book_id: book, generation } = session;
  const [own, access] = await Promise.all([rightsOf(store, user), accounts.access(user)]);
  if (!access.reads) throw missing();
  const isVisible = ({ library_id: library }: Pick<Book, 'library_id'>): boolean =>
    access.manages || own.libraries === 'all' || (library !== null && own.libraries.includes(library));
  await seenBook(store, { sees: isVisible }, book);
  const map = await store.get(durationMaps, { book_id: book, generation });
  const segment = map?.segments[index - 1];
  if (segment === undefined) throw missing();
  return openAudioFile(audiobooks, book, segment.id);
}

export interface SessionReport {
  readonly positionMs?: number | undefined;
  /** Time listened since the previous report. */
  readonly listenedMs: number;
}

/** Applies a report. Devices send these reports while they play, so the reported position is the newest. */
export async function syncSession(
  audiobooks: Audiobooks,
  listener: Listener,
  session: ClientSession,
  report: SessionReport,
  isClosing = false,
): Promise<void> {
  const now = audiobooks.now();
  const at = toTime(now);
  // A repeated report cannot add more than the time that has passed since the last one.
  const listenedMs = Math.round(Math.min(report.listenedMs, Math.max(0, now - Date.parse(session.updated_at))));
  const { positionMs } = report;
  if (positionMs !== undefined) {
    const event = { id: `${session.id}:${audiobooks.newId()}`, at, positionMs, listenedMs };
    await recordPosition(audiobooks, listener, session, event);
  }
  // Keeps `closed_at`: another request may have closed the session in the meantime.
  await audiobooks.store.transact((tx) =>
    tx.update(clientSessions, { id: session.id }, (current) => ({
      ...current,
      updated_at: at,
      position_ms: positionMs ?? current.position_ms,
      listened_ms: current.listened_ms + listenedMs,
      closed_at: isClosing ? at : current.closed_at,
    })),
  );
}

interface PositionEvent {
  readonly id: string;
  readonly at: string;
  readonly positionMs: number;
  readonly listenedMs: number;
}

/** Records a position; returns whether it became the current one. */
async function recordPosition(
  audiobooks: Audiobooks,
  listener: Listener,
  session: ClientSession,
  { id, at, positionMs, listenedMs }: PositionEvent,
): Promise<boolean> {
  const { book_id, generation, device } = session;
  const now = audiobooks.now();
  const before = await audiobooks.store.get(progress, { user_id: listener.userId, book_id });
  if (isFaultyReset(before, session, positionMs, listenedMs)) return false;
  const report: MeasuredReport = {
    event_id: id,
    book_id,
    event_type: 'progress',
    position_ms: positionMs,
    generation,
    occurred_at: at,
    play_speed: 1,
    device_id: String(device['deviceId'] ?? 'audiobookshelf').slice(0, 100),
    session_id: session.id,
    listened_ms: listenedMs,
  };
  const distanceMs = Math.abs(positionMs - (before?.book_position_ms ?? positionMs));
  const isJump = distanceMs > listenedMs * SPEED_MAX + JUMP_MS;
  // A jump becomes a separate event, so that the position before it is kept.
  const { listened_ms: _, ...seek } = { ...report, event_id: `${id}:seek`, event_type: 'seek' as const };
  const { progress: after, refused } = await recordPlayback(audiobooks, listener, isJump ? [seek, report] : [report]);
  const [refusal] = refused;
  if (refusal?.code === 'BOOK_NOT_FOUND') throw audiobookErrors.BOOK_NOT_FOUND('There is no such book.');
  // If the device's clock is ahead, the stored time is the time of arrival.
  return after[0]?.device_id === report.device_id && Date.parse(after[0].updated_at) >= Math.min(Date.parse(at), now);
}

function isFaultyReset(
  before: Progress | undefined,
  session: ClientSession,
  positionMs: number,
  listenedMs: number,
): boolean {
  if (before?.started !== true || positionMs >= START_MS) return false;
  if (!before.finished && before.book_position_ms <= positionMs + AHEAD_MS) return false;
  // The device may have listened before another device stored its position. If someone is listening on this device now,
  // its next report proves it.
  const overtakenMs = Date.parse(before.updated_at) - Date.parse(session.updated_at);
  return listenedMs < SECOND || listenedMs <= overtakenMs;
}

/** A session of a downloaded book, which may have been played offline. */
export interface LocalSession extends NewSession {
  readonly id: string;
  readonly startedAtMs: number;
  readonly updatedAtMs: number;
  readonly positionMs: number;
  /** Time listened in the whole session. */
  readonly totalListenedMs: number;
  /** True for a session imported from an Audiobookshelf server. It is stored as ended, so nobody can resume it here. */
  readonly isClosed?: boolean;
}

/**
 * Stores a local session and its position, with the device's times. Storing a session again changes nothing. The
 * listening time counts as one span that ends with the session.
 */
export async function recordLocalSession(
  audiobooks: Audiobooks,
  listener: Listener,
  book: Book,
  local: LocalSession,
): Promise<{ readonly isCurrent: boolean }> {
  const { store } = audiobooks;
  const known = await store.get(clientSessions, { id: local.id });
  if (known !== undefined && known.user_id !== listener.userId)
    throw audiobookErrors.PLAYBACK_SESSION_NOT_FOUND('There is no such playback session.');
  const [startedAt, updatedAt] = [toTime(local.startedAtMs), toTime(local.updatedAtMs)];
  const session: ClientSession = known ?? {
    id: local.id,
    user_id: listener.userId,
    book_id: book.id,
    generation: book.generation,
    device: local.device,
    media_player: local.mediaPlayer,
    play_method: 3,
    started_at: startedAt,
    updated_at: startedAt,
    start_ms: local.positionMs,
    position_ms: local.positionMs,
    duration_ms: book.duration_ms,
    listened_ms: 0,
    closed_at: null,
    version: 1,
  };
  const passedMs = Math.max(0, local.updatedAtMs - Date.parse(session.updated_at));
  const listenedMs = Math.round(Math.min(Math.max(0, local.totalListenedMs - session.listened_ms), passedMs));
  const id = `${local.id}:${Math.round(local.updatedAtMs)}`;
  const event = { id, at: updatedAt, positionMs: local.positionMs, listenedMs };
  const isCurrent = await recordPosition(audiobooks, listener, session, event);
  const isNewer = local.updatedAtMs >= Date.parse(session.updated_at);
  await store.transact((tx) =>
    tx.put(
      clientSessions,
      { id: session.id },
      {
        ...session,
        ...(isNewer ? { updated_at: updatedAt, position_ms: local.positionMs } : {}),
        listened_ms: session.listened_ms + listenedMs,
        ...(local.isClosed === true ? { closed_at: updatedAt } : {}),
      },
    ),
  );
  return { isCurrent };
}

/** Lists the listener's sessions, newest first. */
export async function listSessions({ reader }: Audiobooks, { userId }: Listener, book?: string) {
  const all = await reader.list(clientSessions.by.user, { user_id: userId }, { reverse: true });
  return book === undefined ? all : all.filter(({ book_id: id }) => id === book);
}

const PRUNED_MAX = 1_000;

/** Removes sessions that ended long ago. The statistics keep the time listened in them. */
export async function pruneSessions({ store, now }: Audiobooks): Promise<void> {
  const end = toTime(now() - LISTED_MS);
  await store.transact(async (tx) => {
    const old = await tx.list(clientSessions.by.updated, {}, { end, limit: PRUNED_MAX });
    for (const { id } of old) await tx.delete(clientSessions, { id });
  });
}
