import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react';

import { seekTo, skip } from '../engine/controls.ts';
import { chapterAt, chaptersOf } from '../model/timeline.ts';
import type { PlayerView } from '../model/view.ts';
import { clockTime } from '../../lib/format.ts';
import { spokenTime } from '../model/time-text.ts';

const PAGE_MS = 5 * 60_000;
const MARKS_MAX = 80;

/** Dragging previews the position and seeks on release. */
export function SeekBar({ view }: { readonly view: PlayerView }): ReactNode {
  const [dragged, setDragged] = useState<number>();
  const isDown = useRef(false);
  const { durationMs, timeline } = view;
  const positionMs = dragged ?? view.positionMs;
  const finish = (): void => {
    isDown.current = false;
    if (dragged !== undefined) seekTo(dragged);
    setDragged(undefined);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const go = keys[event.key];
    if (go === undefined || event.shiftKey) return;
    event.preventDefault();
    event.stopPropagation();
    go(view);
  };
  const chapter = timeline === undefined ? undefined : chaptersOf(timeline)[chapterAt(timeline, positionMs)]?.title;
  return (
    <div className="flex min-w-0 items-center gap-2.5 text-xs text-muted tabular-nums">
      <span className="min-w-12 text-right">{clockTime(positionMs)}</span>
      <span className="relative flex min-w-0 flex-1 items-center">
        <Marks view={view} />
        <input
          type="range"
          min={0}
          max={Math.max(1, durationMs)}
          step={1_000}
          value={positionMs}
          disabled={timeline === undefined}
          aria-label="Position"
          aria-valuetext={`${spokenTime(positionMs)} of ${spokenTime(durationMs)}${chapter === undefined ? '' : `, ${chapter}`}`}
          onPointerDown={() => (isDown.current = true)}
          onPointerUp={finish}
          onPointerCancel={finish}
          onChange={({ target }) => {
            if (isDown.current) setDragged(Number(target.value));
            else seekTo(Number(target.value));
          }}
          onKeyDown={onKeyDown}
          className="relative h-6 w-full min-w-0 cursor-pointer accent-(--accent)"
        />
      </span>
      <span className="min-w-12" title={`${clockTime(durationMs)} total`}>
        −{clockTime(durationMs - positionMs)}
      </span>
    </div>
  );
}

const keys: Readonly<Record<string, (view: PlayerView) => void>> = {
  ArrowLeft: () => skip(-1),
  ArrowDown: () => skip(-1),
  ArrowRight: () => skip(1),
  ArrowUp: () => skip(1),
  PageDown: ({ positionMs }) => seekTo(positionMs - PAGE_MS),
  PageUp: ({ positionMs }) => seekTo(positionMs + PAGE_MS),
  Home: () => seekTo(0),
};

/** Chapter marks, unless there are too many to distinguish. */
function Marks({ view: { timeline, durationMs } }: { readonly view: PlayerView }): ReactNode {
  const chapters = timeline === undefined ? [] : chaptersOf(timeline).slice(1);
  if (chapters.length > MARKS_MAX || durationMs === 0) return null;
  return (
    <span aria-hidden className="absolute inset-x-2 inset-y-0">
      {chapters.map(({ start_ms: start }) => (
        <span
          key={start}
          className="absolute top-1 h-1 w-px bg-line-strong"
          style={{ left: `${(start / durationMs) * 100}%` }}
        />
      ))}
    </span>
  );
}
