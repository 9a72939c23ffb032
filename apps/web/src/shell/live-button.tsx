import { Pause, Play, RefreshCw } from 'lucide-react';
import type { ReactNode } from 'react';

import { useStore } from '../lib/store.ts';
import type { LiveState } from '../live/connection.ts';
import { liveState, toggleLive } from '../live/streams.ts';

const words: Readonly<Record<LiveState, { readonly word: string; readonly dot: string }>> = {
  off: { word: 'Off', dot: 'bg-muted' },
  connecting: { word: 'Connecting', dot: 'bg-info' },
  live: { word: 'Live', dot: 'bg-good' },
  paused: { word: 'Paused', dot: 'bg-muted' },
  lost: { word: 'Reconnecting', dot: 'bg-warn' },
  refused: { word: 'Waiting', dot: 'bg-warn' },
};

/** Whether what is on the screen follows the databases, and a way to make it stand still. */
export function LiveButton(): ReactNode {
  const state = useStore(liveState);
  if (state === 'off') return null;
  const { word, dot } = words[state];
  const Icon = state === 'paused' ? Play : state === 'live' ? Pause : RefreshCw;
  return (
    <button
      type="button"
      onClick={toggleLive}
      aria-label={state === 'paused' ? 'Paused. Resume live changes' : `${word}. Pause live changes`}
      title={state === 'paused' ? 'Resume live changes (p)' : 'Pause live changes (p)'}
      className="flex h-9 shrink-0 items-center gap-2 rounded-lg px-2.5 text-[13px] font-medium text-muted hover:bg-sunken hover:text-text"
    >
      <span aria-hidden className={`size-2 rounded-full ${dot}`} />
      <span className="hidden sm:inline">{word}</span>
      <Icon className="size-3.5" aria-hidden />
    </button>
  );
}
