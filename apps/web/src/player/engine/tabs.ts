import { randomKey } from '../../lib/random-key.ts';

/** Messages between the tabs of a browser: only one of them plays, and all show the same position. */
export type TabMessage =
  | { readonly type: 'playing'; readonly bookId: string }
  | { readonly type: 'position'; readonly bookId: string; readonly positionMs: number; readonly isPlaying: boolean }
  /** From a tab that only mirrors the position to the one that plays. */
  | { readonly type: 'seek'; readonly bookId: string; readonly positionMs: number };

export interface Tabs {
  tell(message: TabMessage): void;
  close(): void;
}

/** One channel per user, because several users may share a browser. */
export function openTabs(userId: string, onMessage: (message: TabMessage) => void): Tabs {
  const own = randomKey();
  const channel = new BroadcastChannel(`holdfast.player.${userId}`);
  channel.addEventListener('message', ({ data }: MessageEvent<TabMessage & { readonly from: string }>) => {
    if (data.from !== own) onMessage(data);
  });
  return {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none, a window has
    tell: (message) => channel.postMessage({ ...message, from: own }),
    close: () => channel.close(),
  };
}
