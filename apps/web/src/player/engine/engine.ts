import { meQuery } from '../../api/queries.ts';
import type { Me, Progress } from '../../api/types.ts';
import { queryClient } from '../../api/query-client.ts';
import { statusOf } from '../../lib/reason.ts';
import type { PlayableBook } from '../book.ts';
import { freshView, plainTuning, type Tuning } from '../model/fresh-view.ts';
import { waitAfter } from '../model/outbox.ts';
import { isFurtherElsewhere, startPlace } from '../model/resume.ts';
import { preferences } from '../preferences.ts';
import { playerState } from '../state.ts';
import { happen, wired } from './core.ts';
import { deviceId, deviceName } from './device.ts';
import { forget, recall, remember } from './memory.ts';
import { readBook, readProgress } from './read-book.ts';
import { lost } from './recover.ts';
import { revisions, started, stop } from './start.ts';

interface Kept {
  readonly userId: string;
  readonly book: PlayableBook;
  readonly queue: readonly PlayableBook[];
}

/** Plays a book here, or goes on with it. */
export async function playHere(book: PlayableBook, atMs?: number): Promise<void> {
  const view = playerState.get();
  if (view?.book.id === book.id && view.timeline !== undefined) {
    if (atMs === undefined) return view.status === 'playing' ? undefined : goOn();
    happen({ is: 'sought', toMs: atMs });
    return happen({ is: 'play' });
  }
  await open(book, { atMs, isPlaying: true, queue: view?.queue ?? [] });
}

export async function toggle(): Promise<void> {
  const view = playerState.get();
  if (view?.status === 'playing') happen({ is: 'pause' });
  else if (view?.timeline === undefined && view !== undefined) await playHere(view.book);
  else if (view !== undefined) await goOn();
}

export function append(books: readonly PlayableBook[]): void {
  const view = playerState.get();
  const [first, ...rest] = books;
  if (view === undefined && first !== undefined) return void open(first, { isPlaying: true, queue: rest });
  if (view === undefined) return;
  happen({ is: 'queued', queue: [...view.queue, ...books] });
  keep();
}

/** Plays books one after the other. */
export async function playList([first, ...rest]: readonly PlayableBook[]): Promise<void> {
  if (first === undefined) return;
  if (playerState.get()?.book.id !== first.id) return open(first, { isPlaying: true, queue: rest });
  happen({ is: 'queued', queue: rest });
  keep();
  await playHere(first);
}

/** Somebody listens with another device. Who has not listened here yet is taken along, others are asked. */
export function heardOf(known: Progress): void {
  const view = playerState.get();
  if (view?.book.id !== known.book_id || view.status !== 'paused') return;
  takeAlong(known);
}

/** The book that was listened to last in this browser, ready to go on. */
export async function restore(): Promise<void> {
  const userId = queryClient.getQueryData<Me>(meQuery.queryKey)?.user.id;
  const kept = recall<Kept>('last');
  if (playerState.get() !== undefined || kept === undefined || kept.userId !== userId) return;
  await open(kept.book, { isPlaying: false, queue: kept.queue });
}

/** Puts the player away. The place in the book stays where it is. */
export async function putAway(): Promise<void> {
  happen({ is: 'pause' });
  await Promise.race([wired()?.outbox.flush(), new Promise((done) => setTimeout(done, QUICK_MS))]);
  stop();
}

export function closePlayer(): void {
  forget('last');
  stop();
}

interface Opening {
  readonly atMs?: number | undefined;
  readonly isPlaying: boolean;
  readonly queue: readonly PlayableBook[];
}

let openings = 0;

async function open(book: PlayableBook, { atMs, isPlaying, queue }: Opening): Promise<void> {
  const parts = started(onFinished);
  if (parts === undefined) return;
  happen({ is: 'pause' });
  const before = playerState.get();
  const kept: Omit<Tuning, 'queue'> = before ?? recall<Tuning>('tuning') ?? plainTuning;
  playerState.set(freshView(book, { ...kept, queue }));
  keep();
  openings += 1;
  const own = openings;
  const isStale = (): boolean => own !== openings || playerState.get()?.book.id !== book.id;
  for (let failures = 0; ; failures += 1) {
    try {
      const { book: details, timeline, progress, preferences: wanted } = await readBook(book.id);
      if (isStale()) return;
      if (wanted !== undefined) preferences.set(wanted);
      revisions.set(book.id, progress?.revision ?? UNKNOWN);
      const unsent = parts.outbox.unsent(book.id);
      const place = unsent && { positionMs: unsent.position_ms, at: unsent.occurred_at };
      happen({ is: 'tuned', speed: wanted?.books[book.id]?.speed ?? wanted?.speed ?? kept.speed });
      happen({ is: 'opened', book: details, timeline, positionMs: startPlace(atMs, progress, place), isPlaying });
      return;
    } catch (error) {
      if (isStale()) return;
      const status = statusOf(error) ?? 0;
      if (status === 404 || status === 403) return notThere(isPlaying);
      if (status === 401) return;
      happen({ is: 'broken', trouble: lost, isOver: false });
      await new Promise((done) => setTimeout(done, waitAfter(failures)));
    }
  }
}

/** Deleted, or in a library that is not for this user any more. Nobody needs to be told who did not ask for it. */
function notThere(isAsked: boolean): void {
  if (!isAsked) return closePlayer();
  const title = 'This book is not there any more';
  happen({ is: 'broken', trouble: { kind: 'gone', title, hint: 'Look for it in the library.' }, isOver: true });
}

const QUICK_MS = 1_500;
/** The first revision that the server gives is 0. */
const UNKNOWN = -1;

/** Before it goes on: was this book listened to elsewhere since? Somebody who is offline goes on where they are. */
async function goOn(): Promise<void> {
  const view = playerState.get();
  if (view === undefined || view.status === 'elsewhere') return happen({ is: 'play' });
  const { id } = view.book;
  const known = await readProgress(id, AbortSignal.timeout(QUICK_MS)).catch(() => undefined);
  if (playerState.get()?.book.id !== id) return;
  if (known === undefined || takeAlong(known)) happen({ is: 'play' });
}

/** To the place of another device, if that is newer; false when the listener must say so first. */
function takeAlong(known: Progress): boolean {
  const view = playerState.get();
  if (view === undefined) return false;
  const { id } = view.book;
  const here = { device: deviceId(), positionMs: view.positionMs, revision: revisions.get(id) ?? UNKNOWN };
  if (!isFurtherElsewhere(known, here)) return true;
  revisions.set(id, known.revision);
  if (view.wasPlayed) {
    const offer = { positionMs: known.position_ms, device: deviceName(known.device_id), at: known.updated_at };
    happen({ is: 'offered', offer });
    return false;
  }
  happen({ is: 'carried', positionMs: known.position_ms });
  return true;
}

function onFinished(): void {
  const [next, ...rest] = playerState.get()?.queue ?? [];
  if (next !== undefined) void open(next, { isPlaying: true, queue: rest });
}

/** What the next page load begins with. */
export function keep(): void {
  const view = playerState.get();
  const userId = wired()?.userId;
  if (view === undefined || userId === undefined) return;
  const kept: Kept = { userId, book: slim(view.book), queue: view.queue.map(slim) };
  remember('last', kept);
}

function slim({ id, title, authors, narrators, cover, duration_ms }: PlayableBook): PlayableBook {
  return { id, title, authors: authors.map(({ name }) => ({ name })), narrators, cover, duration_ms };
}
