import { randomKey } from '../../lib/random-key.ts';

/** What tabs of one browser tell each other: only one of them plays, and all show the same place. */
export type TabMessage =
  | { readonly is: 'playing'; readonly bookId: string }
  | { readonly is: 'place'; readonly bookId: string; readonly positionMs: number; readonly isPlaying: boolean }
  /** Said by a tab that only shows the place, to the one that plays. */
  | { readonly is: 'go'; readonly bookId: string; readonly positionMs: number };

export interface Tabs {
  tell(message: TabMessage): void;
  close(): void;
}

/** The channel is one per user: what somebody else listens to in this browser is nobody's business. */
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
