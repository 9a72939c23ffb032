import { RotateCcw, RotateCw, SkipBack, SkipForward } from 'lucide-react';
import type { ReactNode } from 'react';

import { useStore } from '../../lib/store.ts';
import { goToChapter, skip } from '../engine/controls.ts';
import { chaptersOf } from '../model/timeline.ts';
import type { PlayerView } from '../model/view.ts';
import { preferences } from '../preferences.ts';
import { PlayButton } from './play-button.tsx';

export function Transport({
  view,
  isLarge = false,
}: {
  readonly view: PlayerView;
  readonly isLarge?: boolean;
}): ReactNode {
  const { skip_back_seconds: back, skip_forward_seconds: forward } = useStore(preferences);
  const hasChapters = view.timeline !== undefined && chaptersOf(view.timeline).length > 1;
  const icon = isLarge ? 'size-5' : 'size-4';
  return (
    <div className={`flex items-center justify-center ${isLarge ? 'gap-3' : 'gap-1'}`}>
      {hasChapters && (
        <Round label="Previous chapter" keys="shift ←" onPress={() => goToChapter(-1)}>
          <SkipBack className={icon} aria-hidden />
        </Round>
      )}
      <Round label={`Back ${back} seconds`} keys="←" onPress={() => skip(-1)}>
        <RotateCcw className={icon} aria-hidden />
        <Seconds>{back}</Seconds>
      </Round>
      <PlayButton view={view} isLarge={isLarge} />
      <Round label={`Forward ${forward} seconds`} keys="→" onPress={() => skip(1)}>
        <Seconds>{forward}</Seconds>
        <RotateCw className={icon} aria-hidden />
      </Round>
      {hasChapters && (
        <Round label="Next chapter" keys="shift →" onPress={() => goToChapter(1)}>
          <SkipForward className={icon} aria-hidden />
        </Round>
      )}
    </div>
  );
}

interface RoundProps {
  readonly label: string;
  readonly keys: string;
  readonly onPress: () => void;
  readonly children: ReactNode;
}

function Round({ label, keys, onPress, children }: RoundProps): ReactNode {
  return (
    <button
      type="button"
      aria-label={label}
      title={`${label} (${keys})`}
      onClick={onPress}
      className="flex h-10 min-w-10 items-center justify-center gap-0.5 rounded-full px-1.5 text-muted transition-colors hover:bg-sunken hover:text-text"
    >
      {children}
    </button>
  );
}

function Seconds({ children }: { readonly children: ReactNode }): ReactNode {
  return <span className="text-xs font-medium tabular-nums">{children}</span>;
}
