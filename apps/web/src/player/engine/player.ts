import { delay } from '@holdfast/base/time';

import { booksApi } from '../../api/clients.ts';
import type { PlaybackEvent, Progress } from '../../api/types.ts';
import { statusOf } from '../../lib/error-reason.ts';
import { randomKey } from '../../lib/random-key.ts';
import { createStore } from '../../lib/store.ts';
import { type PlayerEvent, reduce } from '../model/machine.ts';
import { isFurtherElsewhere, startPosition, retryDelay } from '../model/progress.ts';
import { filePositionAt } from '../model/timeline.ts';
import {
  type Effect,
  initialView,
  defaultTuning,
  type PlayableBook,
  type PlayerView,
  type Sleep,
  type Tuning,
} from '../model/view.ts';
import { playerState, preferences } from '../state.ts';
import { deviceName, forget, openTabs, recall, remember, storedDeviceId, type TabMessage } from './browser.ts';
import { Deck } from './deck.ts';
import { Outbox } from './outbox.ts';
import { autoplayBlocked, bookMissing, connectionLost, readBook, readProgress, Recovery } from './recovery.ts';

/** The player of the signed-in user; undefined until something is played. */
export const currentPlayer = createStore<Player | undefined>(undefined);

interface LastPlayed {
  readonly userId: string;
  readonly book: PlayableBook;
  readonly queue: readonly PlayableBook[];
}

/** The sleep timer and its book, stored so that the timer survives a reload. */
interface StoredSleep {
  readonly bookId: string;
  readonly sleep: Sleep;
}

interface Opening {
  readonly atMs?: number | undefined;
  readonly isPlaying: boolean;
  readonly queue: readonly PlayableBook[];
  readonly sleep?: Sleep | undefined;
}

/** Events that report the current position or jump away from it. The exact position is read before each of them. */
const exactEvents: ReadonlySet<PlayerEvent['type']> = new Set([
  'pause',
  'pageHidden',
  'reportNow',
  'seek',
  'tune',
  'otherTabStarted',
]);

const CHECK_MS = 1_000;
const TAB_UPDATE_MS = 1_000;
const STALLED_MS = 8_000;
const TAB_GONE_MS = 5_000;
const QUICK_TIMEOUT_MS = 1_500;
const SAVE_DELAY_MS = 500;
/** Lower than the server's first revision, which is 0. */
const UNKNOWN_REVISION = -1;

/** Plays books for one user: passes events to the reducer and runs the resulting effects. */
export class Player {
  readonly userId: string;
  readonly deck: Deck;
  readonly outbox: Outbox;
  readonly #tabs: ReturnType<typeof openTabs>;
  readonly #recovery = new Recovery(this);
  readonly #deviceId = storedDeviceId();
  readonly #sessionId = randomKey();
  readonly #closing = new AbortController();
  /** The latest revision of each book's progress that this tab has seen. */
  readonly #revisions = new Map<string, number>();
  #openings = 0;
  #lastReportAt = 0;
  #toldTabsAt = 0;
  #heardTabAt = 0;
  #saving: ReturnType<typeof setTimeout> | undefined;

  constructor(userId: string) {
    this.userId = userId;
    this.deck = new Deck({
      onMoved: () => this.#updateTime(),
      onEnded: () => this.dispatch({ type: 'ended' }),
      onWaiting: () => this.dispatch({ type: 'waiting' }),
      onPlaying: () => {
        this.#recovery.succeeded();
        this.dispatch({ type: 'playing' });
      },
      onInterrupted: () => this.dispatch({ type: 'pause' }),
      onError: () => void this.#recovery.run(),
      onBlocked: () => this.dispatch({ type: 'failed', trouble: autoplayBlocked, isFinal: true }),
    });
    this.outbox = new Outbox(userId, (progress) => this.#accepted(progress));
    this.#tabs = openTabs(userId, (message) => this.#heardTab(message));
    this.#watch();
  }

  dispatch(event: PlayerEvent): void {
    if (exactEvents.has(event.type)) this.#updateTime();
    this.#reduce(event);
  }

  async play(book: PlayableBook, atMs?: number): Promise<void> {
    const view = playerState.get();
    if (view?.book.id === book.id && view.timeline !== undefined) {
      if (atMs === undefined) return view.status === 'playing' ? undefined : this.#resume();
      this.dispatch({ type: 'seek', toMs: atMs });
      return this.dispatch({ type: 'play' });
    }
    await this.open(book, { atMs, isPlaying: true, queue: view?.queue ?? [] });
  }

  async toggle(): Promise<void> {
    const view = playerState.get();
    if (view?.status === 'playing') this.dispatch({ type: 'pause' });
    else if (view?.timeline === undefined && view !== undefined) await this.play(view.book);
    else if (view !== undefined) await this.#resume();
  }

  async playAll([first, ...rest]: readonly PlayableBook[]): Promise<void> {
    if (first === undefined) return;
    if (playerState.get()?.book.id !== first.id) return this.open(first, { isPlaying: true, queue: rest });
    this.setQueue(rest);
    await this.play(first);
  }

  append(books: readonly PlayableBook[]): void {
    const view = playerState.get();
    const [first, ...rest] = books;
    if (view !== undefined) this.setQueue([...view.queue, ...books]);
    else if (first !== undefined) void this.open(first, { isPlaying: true, queue: rest });
  }

  setQueue(queue: readonly PlayableBook[]): void {
    this.dispatch({ type: 'queueChanged', queue });
    this.#rememberLast();
  }

  /** Called when another device of this user reports progress. */
  progressElsewhere(progress: Progress): void {
    const view = playerState.get();
    if (view?.book.id === progress.book_id && view.status === 'paused') this.#adopt(progress);
  }

  seekInOtherTab(bookId: string, positionMs: number): void {
    this.#tabs.tell({ type: 'seek', bookId, positionMs });
    this.dispatch({ type: 'otherTabMoved', positionMs, isPlaying: true });
  }

  /** Stores the speed of a book with a short delay, so that several clicks cause one request. */
  saveSpeed(bookId: string, speed: number): void {
    const books = { [bookId]: { speed } };
    preferences.set({ ...preferences.get(), books: { ...preferences.get().books, ...books } });
    clearTimeout(this.#saving);
    this.#saving = setTimeout(() => {
      // A failure does no harm: the speed has already changed, and this browser remembers it.
      void booksApi.PUT('/preferences', { body: { books } }).catch(() => undefined);
    }, SAVE_DELAY_MS);
  }

  async open(book: PlayableBook, { atMs, isPlaying, queue, sleep }: Opening): Promise<void> {
    this.dispatch({ type: 'pause' });
    const tuning: Omit<Tuning, 'queue'> = playerState.get() ?? recall<Tuning>('tuning') ?? defaultTuning;
    playerState.set({ ...initialView(book, { ...tuning, queue }), sleep });
    if (sleep === undefined) forget('sleep');
    this.#rememberLast();
    this.#openings += 1;
    const own = this.#openings;
    const isStale = (): boolean => own !== this.#openings || playerState.get()?.book.id !== book.id;
    for (let failures = 0; ; failures += 1) {
      try {
        const { book: details, progress, preferences: stored } = await readBook(book.id);
        if (isStale()) return;
        if (stored !== undefined) preferences.set(stored);
        this.#revisions.set(book.id, progress?.revision ?? UNKNOWN_REVISION);
        const positionMs = startPosition(atMs, progress, this.outbox.newestUnsent(book.id));
        this.dispatch({ type: 'tune', speed: stored?.books[book.id]?.speed ?? stored?.speed ?? tuning.speed });
        this.dispatch({ type: 'opened', book: details, timeline: details, positionMs, isPlaying });
        return;
      } catch (error) {
        if (isStale()) return;
        const status = statusOf(error) ?? 0;
        if (status === 404 || status === 403) return this.#missing(isPlaying);
        if (status === 401) return;
        this.dispatch({ type: 'failed', trouble: connectionLost, isFinal: false });
        await delay(retryDelay(failures));
      }
    }
  }

  /** Pauses, and waits a moment for the last report to reach the server. */
  async finish(): Promise<void> {
    this.dispatch({ type: 'pause' });
    await Promise.race([this.outbox.flush(), delay(QUICK_TIMEOUT_MS)]);
    this.close();
  }

  /** Releases all resources. Unsent reports stay in the browser until the player opens again. */
  close(): void {
    this.dispatch({ type: 'pause' });
    this.deck.close();
    this.outbox.leave();
    this.outbox.close();
    this.#tabs.close();
    this.#closing.abort();
    if (currentPlayer.get() === this) currentPlayer.set(undefined);
    playerState.set(undefined);
  }

  #reduce(event: PlayerEvent): void {
    const before = playerState.get();
    if (before === undefined || this.#closing.signal.aborted) return;
    const { view, effects } = reduce(before, event, Date.now());
    playerState.set(view);
    if ((before.sleep === undefined) !== (view.sleep === undefined)) this.#rememberSleep();
    for (const effect of effects) this.#perform(effect, view);
    this.#tellTabs(before, view);
  }

  #updateTime(): void {
    const offsetMs = playerState.get()?.status === 'playing' ? this.deck.offsetMs : undefined;
    if (offsetMs !== undefined) this.#reduce({ type: 'timeUpdate', offsetMs });
  }

  #perform(effect: Effect, view: PlayerView): void {
    const urlOf = (index: number): string => view.timeline?.segments[index]?.url ?? '';
    switch (effect.type) {
      case 'load':
        return this.deck.load(urlOf(effect.index), effect.offsetMs, effect.isPlaying);
      case 'preload':
        return this.deck.preload(urlOf(effect.index));
      case 'play':
        return this.deck.play();
      case 'pause':
        return this.deck.pause();
      case 'unload':
        return this.deck.unload();
      case 'tune':
        return this.deck.tune(effect.speed, effect.loudness);
      case 'report':
        return this.#report(effect, view);
      case 'finished': {
        const [next, ...rest] = view.queue;
        if (next !== undefined) void this.open(next, { isPlaying: true, queue: rest });
      }
    }
  }

  #report({ event, positionMs, speed }: Effect & { readonly type: 'report' }, { timeline, book }: PlayerView): void {
    if (timeline === undefined) return;
    const { index, offsetMs } = filePositionAt(timeline, positionMs);
    const segment = timeline.segments[index];
    if (segment === undefined) return;
    // Strictly increasing, so that reports have a definite order.
    this.#lastReportAt = Math.max(Date.now(), this.#lastReportAt + 1);
    const report: PlaybackEvent = {
      event_id: randomKey(),
      book_id: book.id,
      event_type: event,
      position_ms: Math.round(positionMs),
      segment_id: segment.id,
      position_seconds: offsetMs / 1_000,
      generation: timeline.generation,
      occurred_at: new Date(this.#lastReportAt).toISOString(),
      play_speed: speed,
      device_id: this.#deviceId,
      session_id: this.#sessionId,
    };
    this.outbox.add(report);
  }

  /** Called when the server has stored reports. A higher generation means that the book has new files. */
  #accepted(progress: readonly Progress[]): void {
    for (const { book_id: id, revision, generation } of progress) {
      this.#revisions.set(id, revision);
      const view = playerState.get();
      if (view?.book.id === id && view.timeline !== undefined && view.timeline.generation < generation) {
        void this.#recovery.switchFiles(id);
      }
    }
  }

  /** Checks for progress on another device before resuming. Without a connection, it resumes immediately. */
  async #resume(): Promise<void> {
    const view = playerState.get();
    if (view === undefined || view.status === 'elsewhere') return this.dispatch({ type: 'play' });
    const { id } = view.book;
    const known = await readProgress(id, AbortSignal.timeout(QUICK_TIMEOUT_MS)).catch(() => undefined);
    if (playerState.get()?.book.id !== id) return;
    if (known === undefined || this.#adopt(known)) this.dispatch({ type: 'play' });
  }

  /** Moves to a newer position from another device. Returns false if the listener has to decide first. */
  #adopt(known: Progress): boolean {
    const view = playerState.get();
    if (view === undefined) return false;
    const { id } = view.book;
    const revision = this.#revisions.get(id) ?? UNKNOWN_REVISION;
    if (!isFurtherElsewhere(known, { device: this.#deviceId, positionMs: view.positionMs, revision })) return true;
    this.#revisions.set(id, known.revision);
    if (view.wasPlayed) {
      const offer = { positionMs: known.position_ms, device: deviceName(known.device_id), at: known.updated_at };
      this.dispatch({ type: 'offered', offer });
      return false;
    }
    this.dispatch({ type: 'positionAdopted', positionMs: known.position_ms });
    return true;
  }

  /** Called if the book was deleted or the user has lost access to its library. */
  #missing(isRequested: boolean): void {
    if (!isRequested) return closePlayer();
    return this.dispatch({ type: 'failed', trouble: bookMissing, isFinal: true });
  }

  /** Tells other tabs the position every second, and immediately after a jump or a pause. */
  #tellTabs(before: PlayerView, view: PlayerView): void {
    const { book, positionMs } = view;
    const isPlaying = view.status === 'playing';
    const wasPlaying = before.status === 'playing';
    if (isPlaying && !wasPlaying) this.#tabs.tell({ type: 'playing', bookId: book.id });
    const isJump = isPlaying && Math.abs(positionMs - before.positionMs) > 2 * TAB_UPDATE_MS;
    const isDue = isPlaying && Date.now() - this.#toldTabsAt > TAB_UPDATE_MS;
    const hasStopped = wasPlaying && view.status === 'paused';
    if (!isJump && !isDue && !hasStopped) return;
    this.#toldTabsAt = Date.now();
    this.#tabs.tell({ type: 'position', bookId: book.id, positionMs, isPlaying });
  }

  #heardTab(message: TabMessage): void {
    const view = playerState.get();
    if (view === undefined) return;
    const isSameBook = view.book.id === message.bookId;
    if (message.type === 'playing') {
      this.#heardTabAt = Date.now();
      this.dispatch({ type: 'otherTabStarted', isSameBook });
    } else if (isSameBook && message.type === 'position') {
      this.#heardTabAt = Date.now();
      this.dispatch({ type: 'otherTabMoved', positionMs: message.positionMs, isPlaying: message.isPlaying });
    } else if (isSameBook && view.status === 'playing') {
      this.dispatch({ type: 'seek', toMs: message.positionMs });
    }
  }

  /** Notices when audio stalls, when the tab that plays closes, and when this page closes. */
  #watch(): void {
    const { signal } = this.#closing;
    let last: { readonly offsetMs: number | undefined; readonly at: number } = { offsetMs: -1, at: 0 };
    const timer = setInterval(() => {
      const view = playerState.get();
      const now = Date.now();
      if (view?.status === 'elsewhere' && now - this.#heardTabAt > TAB_GONE_MS)
        this.dispatch({ type: 'otherTabMoved', positionMs: view.positionMs, isPlaying: false });
      const { offsetMs } = this.deck;
      if (view?.status !== 'playing' || offsetMs !== last.offsetMs) last = { offsetMs, at: now };
      else if (now - last.at > STALLED_MS) {
        last = { offsetMs, at: now };
        void this.#recovery.run();
      }
    }, CHECK_MS);
    signal.addEventListener('abort', () => clearInterval(timer));
    const onHide = (): void => {
      this.dispatch({ type: 'pageHidden' });
      if (playerState.get()?.sleep !== undefined) this.#rememberSleep();
      this.outbox.leave();
    };
    window.addEventListener('pagehide', onHide, { signal });
    document.addEventListener('visibilitychange', () => document.hidden && void this.outbox.flush(), { signal });
  }

  #rememberSleep(): void {
    const view = playerState.get();
    if (view?.sleep === undefined) forget('sleep');
    else remember('sleep', { bookId: view.book.id, sleep: view.sleep } satisfies StoredSleep);
  }

  /** Stores the book and the queue, so that the next page load can restore them. */
  #rememberLast(): void {
    const view = playerState.get();
    if (view === undefined) return;
    const last: LastPlayed = { userId: this.userId, book: slim(view.book), queue: view.queue.map(slim) };
    remember('last', last);
  }
}

function slim({ id, title, authors, narrators, cover, duration_ms }: PlayableBook): PlayableBook {
  return { id, title, authors: authors.map(({ name }) => ({ name })), narrators, cover, duration_ms };
}

/** Returns the player of the signed-in user. Each user has a separate player. */
export function playerOf(userId: string | undefined): Player | undefined {
  const known = currentPlayer.get();
  if (userId === undefined || known?.userId === userId) return known;
  known?.close();
  const player = new Player(userId);
  currentPlayer.set(player);
  return player;
}

/**
 * Opens the book that this browser played last, without playing it. Creates the player even if there is no such book,
 * because the player also sends waiting reports.
 */
export async function restoreLast(userId: string | undefined): Promise<void> {
  const last = recall<LastPlayed>('last');
  playerOf(userId);
  if (playerState.get() !== undefined || last === undefined || last.userId !== userId) return;
  const stored = recall<StoredSleep>('sleep');
  const sleep = stored?.bookId === last.book.id ? stored.sleep : undefined;
  await playerOf(userId)?.open(last.book, { isPlaying: false, queue: last.queue, sleep });
}

/** Closes the player and forgets the book. The listening position stays on the server. */
export function closePlayer(): void {
  forget('last');
  currentPlayer.get()?.close();
  playerState.set(undefined);
}
