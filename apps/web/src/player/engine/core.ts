import type { PlaybackEvent } from '../../api/types.ts';
import { randomKey } from '../../lib/random-key.ts';
import { type Happening, stepOf } from '../model/machine.ts';
import { spotAt } from '../model/timeline.ts';
import type { Order, PlayerView } from '../model/view.ts';
import { playerState } from '../state.ts';
import type { Deck } from './deck.ts';
import { deviceId } from './device.ts';
import type { Outbox } from './outbox.ts';
import type { Tabs } from './tabs.ts';

/** What the player works with, for as long as somebody is signed in. */
export interface Parts {
  readonly userId: string;
  readonly deck: Deck;
  readonly outbox: Outbox;
  readonly tabs: Tabs;
  /** The book has come to its end. */
  readonly onFinished: () => void;
}

const sessionId = randomKey();
let parts: Parts | undefined;

export function wire(next: Parts | undefined): void {
  parts = next;
}

export function wired(): Parts | undefined {
  return parts;
}

/** What tells the server where the sound is, or leaves that place. */
const exact: ReadonlySet<Happening['is']> = new Set(['pause', 'leaving', 'told', 'sought', 'tuned', 'taken']);

/** Something happened: the model says what it comes to, and this does it. */
export function happen(event: Happening): void {
  if (exact.has(event.is)) moveOn();
  step(event);
}

/** Looks how far the sound has come. */
export function moveOn(): void {
  const offsetMs = playerState.get()?.status === 'playing' ? parts?.deck.offsetMs : undefined;
  if (offsetMs !== undefined) step({ is: 'moved', offsetMs });
}

function step(event: Happening): void {
  const before = playerState.get();
  if (before === undefined || parts === undefined) return;
  const { view, orders } = stepOf(before, event, Date.now());
  playerState.set(view);
  for (const order of orders) perform(order, view, parts);
  tellTabs(before, view, parts);
}

function perform(order: Order, view: PlayerView, { deck, outbox, onFinished }: Parts): void {
  switch (order.do) {
    case 'load': {
      const url = view.timeline?.segments[order.index]?.url;
      if (url !== undefined) deck.load(url, order.offsetMs, order.isPlaying);
      return;
    }
    case 'preload': {
      const url = view.timeline?.segments[order.index]?.url;
      if (url !== undefined) deck.preload(url);
      return;
    }
    case 'play':
      return deck.play();
    case 'pause':
      return deck.pause();
    case 'unload':
      return deck.unload();
    case 'tune':
      return deck.tune(order.speed, order.loudness);
    case 'report': {
      const event = eventOf(order, view);
      if (event !== undefined) outbox.add(event);
      return;
    }
    case 'finished':
      return onFinished();
  }
}

function eventOf(order: Order & { readonly do: 'report' }, view: PlayerView): PlaybackEvent | undefined {
  const { timeline, book } = view;
  if (timeline === undefined) return undefined;
  const { index, offsetMs } = spotAt(timeline, order.positionMs);
  const segment = timeline.segments[index];
  if (segment === undefined) return undefined;
  return {
    event_id: randomKey(),
    book_id: book.id,
    event_type: order.event,
    position_ms: Math.round(order.positionMs),
    segment_id: segment.id,
    position_seconds: offsetMs / 1_000,
    generation: timeline.generation,
    occurred_at: timeOfReport(),
    play_speed: order.speed,
    device_id: deviceId(),
    session_id: sessionId,
  };
}

let lastReportAt = 0;

/** Each is later than the one before, so that their order is known wherever they wait. */
function timeOfReport(): string {
  lastReportAt = Math.max(Date.now(), lastReportAt + 1);
  return new Date(lastReportAt).toISOString();
}

const TELL_MS = 1_000;
let toldAt = 0;

/** The place goes to the other tabs once a second, and at once when it jumps or stops. */
function tellTabs(before: PlayerView, view: PlayerView, { tabs }: Parts): void {
  const { book, positionMs } = view;
  const isPlaying = view.status === 'playing';
  const wasPlaying = before.status === 'playing';
  if (isPlaying && !wasPlaying) tabs.tell({ is: 'playing', bookId: book.id });
  const isJump = isPlaying && Math.abs(positionMs - before.positionMs) > 2 * TELL_MS;
  const isDue = isPlaying && Date.now() - toldAt > TELL_MS;
  const hasStopped = wasPlaying && view.status === 'paused';
  if (!isJump && !isDue && !hasStopped) return;
  toldAt = Date.now();
  tabs.tell({ is: 'place', bookId: book.id, positionMs, isPlaying });
}
