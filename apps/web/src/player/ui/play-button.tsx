import { LoaderCircle, Pause, Play } from 'lucide-react';
import type { ReactNode } from 'react';

import type { PlayerView } from '../model/view.ts';
import { togglePlay } from '../player.ts';

/** The label names the action; buffering is only shown. */
export function PlayButton({
  view,
  isLarge = false,
}: {
  readonly view: PlayerView;
  readonly isLarge?: boolean;
}): ReactNode {
  const isPlaying = view.status === 'playing';
  const isBusy = view.isWaiting || (view.status === 'loading' && view.trouble === undefined);
  const Icon = isBusy ? LoaderCircle : isPlaying ? Pause : Play;
  const label = isPlaying ? 'Pause' : view.status === 'elsewhere' ? 'Play here' : 'Play';
  return (
    <button
      type="button"
      aria-label={label}
      title={`${label} (space)`}
      aria-busy={isBusy}
      onClick={togglePlay}
      className={`grid shrink-0 place-items-center rounded-full bg-accent text-on-accent transition-colors hover:bg-accent-strong ${isLarge ? 'size-16' : 'size-11'}`}
    >
      <Icon
        className={`${isLarge ? 'size-7' : 'size-5'} ${isBusy ? 'animate-spin' : isPlaying ? '' : 'translate-x-px'}`}
        fill={isBusy ? 'none' : 'currentColor'}
        aria-hidden
      />
    </button>
  );
}
