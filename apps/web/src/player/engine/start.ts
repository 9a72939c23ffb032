import { meQuery } from '../../api/queries.ts';
import { queryClient } from '../../api/query-client.ts';
import type { Me, Progress } from '../../api/types.ts';
import { playerState } from '../state.ts';
import { happen, moveOn, type Parts, wire, wired } from './core.ts';
import { Deck } from './deck.ts';
import { Outbox } from './outbox.ts';
import { goOnWithNewFiles, recover, recovered } from './recover.ts';
import { openTabs, type TabMessage } from './tabs.ts';

/** How new what the server last said about each book was. */
export const revisions = new Map<string, number>();

let elsewhereAt = 0;

/** The player of whoever is signed in; another user gets another one. */
export function started(onFinished: () => void): Parts | undefined {
  const userId = queryClient.getQueryData<Me>(meQuery.queryKey)?.user.id;
  const known = wired();
  if (userId === undefined || known?.userId === userId) return known;
  if (known !== undefined) stop();
  const parts: Parts = {
    userId,
    deck: new Deck({
      onMoved: moveOn,
      onEnded: () => happen({ is: 'ended' }),
      onWaiting: () => happen({ is: 'waiting' }),
      onSounding() {
        recovered();
        happen({ is: 'sounding' });
      },
      onInterrupted: () => happen({ is: 'pause' }),
      onBroken: () => void recover(),
      onBlocked: () => happen({ is: 'broken', trouble: blocked, isOver: true }),
    }),
    outbox: new Outbox(userId, arrived),
    tabs: openTabs(userId, heardFromTab),
    onFinished,
  };
  wire(parts);
  watchOver(parts);
  return parts;
}

const blocked = {
  kind: 'blocked',
  title: 'The browser did not start the sound by itself',
  hint: 'Press play once more.',
} as const;

/** Everything is let go of. What was not sent yet is kept for the next time. */
export function stop(): void {
  const parts = wired();
  happen({ is: 'pause' });
  parts?.deck.close();
  parts?.outbox.leave();
  parts?.outbox.close();
  parts?.tabs.close();
  stopWatching?.abort();
  wire(undefined);
  playerState.set(undefined);
}

function arrived(progress: readonly Progress[]): void {
  for (const { book_id: id, revision, generation } of progress) {
    revisions.set(id, revision);
    const view = playerState.get();
    if (view?.book.id === id && view.timeline !== undefined && view.timeline.generation < generation) {
      void goOnWithNewFiles(id);
    }
  }
}

function heardFromTab(message: TabMessage): void {
  const view = playerState.get();
  if (view === undefined) return;
  const isSameBook = view.book.id === message.bookId;
  if (message.is === 'playing') {
    elsewhereAt = Date.now();
    happen({ is: 'taken', isSameBook });
  } else if (isSameBook && message.is === 'place') {
    elsewhereAt = Date.now();
    happen({ is: 'mirrored', positionMs: message.positionMs, isPlaying: message.isPlaying });
  } else if (isSameBook && view.status === 'playing') {
    happen({ is: 'sought', toMs: message.positionMs });
  }
}

const LOOK_MS = 1_000;
const STUCK_MS = 8_000;
const GONE_MS = 5_000;
let stopWatching: AbortController | undefined;

/** What no event tells: a sound that is stuck, a tab that played and is gone, a page that is being left. */
function watchOver({ deck, outbox }: Parts): void {
  stopWatching = new AbortController();
  const { signal } = stopWatching;
  let last: { readonly offsetMs: number | undefined; readonly at: number } = { offsetMs: -1, at: 0 };
  const timer = setInterval(() => {
    const view = playerState.get();
    const now = Date.now();
    if (view?.status === 'elsewhere' && now - elsewhereAt > GONE_MS)
      happen({ is: 'mirrored', positionMs: view.positionMs, isPlaying: false });
    const { offsetMs } = deck;
    if (view?.status !== 'playing' || offsetMs !== last.offsetMs) last = { offsetMs, at: now };
    else if (now - last.at > STUCK_MS) {
      last = { offsetMs, at: now };
      void recover();
    }
  }, LOOK_MS);
  signal.addEventListener('abort', () => clearInterval(timer));
  window.addEventListener(
    'pagehide',
    () => {
      happen({ is: 'leaving' });
      outbox.leave();
    },
    { signal },
  );
  document.addEventListener('visibilitychange', () => document.hidden && void outbox.flush(), { signal });
}
