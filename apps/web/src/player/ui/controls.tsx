import {
  CloudOff,
  Gauge,
  LoaderCircle,
  type LucideIcon,
  Moon,
  Pause,
  Play,
  RotateCcw,
  RotateCw,
  SkipBack,
  SkipForward,
  Smartphone,
  TriangleAlert,
  Volume1,
  Volume2,
  VolumeX,
} from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react';

import { useNow } from '../../lib/clock.ts';
import { clockTime, relativeTime } from '../../lib/format.ts';
import { useStore } from '../../lib/store.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import {
  answerOffer,
  goToChapter,
  seekTo,
  setSpeed,
  setVolume,
  skip,
  sleepIn,
  toggleMute,
} from '../engine/controls.ts';
import { chapterTitle, chaptersOf, speedText, spokenTime } from '../model/timeline.ts';
import { type Offer, type PlayerView, SPEED_MAX, SPEED_MIN, type Trouble } from '../model/view.ts';
import { togglePlay } from '../player.ts';
import { preferences } from '../state.ts';

interface PlayerProps {
  readonly view: PlayerView;
  readonly isLarge?: boolean;
}

export function Transport({ view, isLarge = false }: PlayerProps): ReactNode {
  const { skip_back_seconds: back, skip_forward_seconds: forward } = useStore(preferences);
  const hasChapters = view.timeline !== undefined && chaptersOf(view.timeline).length > 1;
  const icon = isLarge ? 'size-5' : 'size-4';
  return (
    <div className={`flex items-center justify-center ${isLarge ? 'gap-3' : 'gap-1'}`}>
      {hasChapters && (
        <TransportButton label="Previous chapter" keys="shift ←" onPress={() => goToChapter(-1)}>
          <SkipBack className={icon} aria-hidden />
        </TransportButton>
      )}
      <TransportButton label={`Back ${back} seconds`} keys="←" onPress={() => skip(-1)}>
        <RotateCcw className={icon} aria-hidden />
        <Seconds>{back}</Seconds>
      </TransportButton>
      <PlayButton view={view} isLarge={isLarge} />
      <TransportButton label={`Forward ${forward} seconds`} keys="→" onPress={() => skip(1)}>
        <Seconds>{forward}</Seconds>
        <RotateCw className={icon} aria-hidden />
      </TransportButton>
      {hasChapters && (
        <TransportButton label="Next chapter" keys="shift →" onPress={() => goToChapter(1)}>
          <SkipForward className={icon} aria-hidden />
        </TransportButton>
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

function TransportButton({ label, keys, onPress, children }: RoundProps): ReactNode {
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

/** The label names the action. Buffering changes only the icon. */
export function PlayButton({ view, isLarge = false }: PlayerProps): ReactNode {
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

const PAGE_MS = 5 * 60_000;
const MARKS_MAX = 80;

/** While the user drags, shows the new position; seeks when the user releases. */
export function SeekBar({ view }: PlayerProps): ReactNode {
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
  const chapter = chapterTitle(timeline, positionMs);
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

/** Shows chapter marks, unless there are too many to distinguish. */
function Marks({ view: { timeline, durationMs } }: PlayerProps): ReactNode {
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

interface SelectProps {
  readonly label: string;
  readonly icon: LucideIcon;
  readonly isOn?: boolean;
  readonly value: string;
  readonly options: readonly (readonly [value: string, text: string])[];
  readonly onPick: (value: string) => void;
}

/** A native select, which works well with touch and screen readers. */
function Select({ label, icon: Icon, isOn = false, value, options, onPick }: SelectProps): ReactNode {
  return (
    <span className="relative flex h-9 items-center rounded-lg text-muted focus-within:text-text hover:bg-sunken hover:text-text">
      <Icon className="pointer-events-none absolute left-2 size-4" fill={isOn ? 'currentColor' : 'none'} aria-hidden />
      <select
        aria-label={label}
        title={label}
        value={value}
        onChange={({ target }) => onPick(target.value)}
        className="h-9 appearance-none rounded-lg bg-transparent pr-2 pl-8 text-[13px] font-medium tabular-nums"
      >
        {options.map(([each, text]) => (
          <option key={each} value={each} className="bg-raised text-text">
            {text}
          </option>
        ))}
      </select>
    </span>
  );
}

const STEPS = 10;
const speeds = Array.from(
  { length: Math.round((SPEED_MAX - SPEED_MIN) * STEPS) + 1 },
  (_, at) => SPEED_MIN + at / STEPS,
);

export function SpeedChoice({ view: { speed } }: PlayerProps): ReactNode {
  const all = speeds.some((each) => Math.abs(each - speed) < 0.001)
    ? speeds
    : [...speeds, speed].toSorted((left, right) => left - right);
  return (
    <Select
      label="Speed"
      icon={Gauge}
      value={speed.toFixed(2)}
      options={all.map((each) => [each.toFixed(2), speedText(each)])}
      onPick={(value) => setSpeed(Number(value))}
    />
  );
}

const minutes = [5, 10, 15, 20, 30, 45, 60, 90] as const;

export function SleepChoice({ view: { sleep, positionMs, speed } }: PlayerProps): ReactNode {
  const leftMs = sleep?.kind === 'time' ? sleep.leftMs : sleep === undefined ? 0 : (sleep.untilMs - positionMs) / speed;
  const value = sleep === undefined ? 'off' : sleep.kind === 'chapter' ? 'chapter' : 'left';
  return (
    <Select
      label="Sleep timer"
      icon={Moon}
      isOn={sleep !== undefined}
      value={value}
      options={[
        ['off', sleep === undefined ? 'Off' : 'Turn off'],
        ...(value === 'left' ? [['left', `In ${Math.ceil(leftMs / 60_000)} min`] as const] : []),
        ['chapter', 'End of chapter'],
        ...minutes.map((each) => [String(each), `${each} min`] as const),
      ]}
      onPick={(choice) =>
        choice !== 'left' && sleepIn(choice === 'off' ? undefined : choice === 'chapter' ? 'chapter' : Number(choice))
      }
    />
  );
}

export function sleepText(view: PlayerView): string {
  const { sleep } = view;
  if (sleep === undefined) return '';
  return sleep.kind === 'chapter'
    ? 'Stops at the end of the chapter'
    : `Stops in ${spokenTime(Math.ceil(sleep.leftMs / 60_000) * 60_000)}`;
}

export function VolumeControl({ view: { volume, isMuted } }: PlayerProps): ReactNode {
  const Icon = isMuted || volume === 0 ? VolumeX : volume < 0.5 ? Volume1 : Volume2;
  return (
    <span className="flex items-center">
      <IconButton icon={Icon} label={isMuted ? 'Unmute' : 'Mute'} onClick={toggleMute} />
      <input
        type="range"
        min={0}
        max={100}
        step={5}
        value={isMuted ? 0 : Math.round(volume * 100)}
        aria-label="Volume"
        aria-valuetext={isMuted ? 'muted' : `${Math.round(volume * 100)} percent`}
        onChange={({ target }) => setVolume(Number(target.value) / 100)}
        className="w-20 cursor-pointer accent-(--accent)"
      />
    </span>
  );
}

export function Notices({ view: { offer, trouble } }: PlayerProps): ReactNode {
  return (
    <div role="status">
      {trouble !== undefined && <TroubleLine trouble={trouble} />}
      {offer !== undefined && <OfferLine offer={offer} />}
    </div>
  );
}

function TroubleLine({ trouble: { kind, title, hint } }: { readonly trouble: Trouble }): ReactNode {
  const Icon = kind === 'connection' ? CloudOff : TriangleAlert;
  return (
    <p className="flex items-start gap-2.5 bg-warn-soft px-4 py-2 text-[13px] text-warn sm:px-6">
      <Icon className="mt-0.5 size-4 shrink-0" aria-hidden />
      <span>
        <strong className="font-semibold">{title}.</strong> {hint}
      </span>
    </p>
  );
}

function OfferLine({ offer: { positionMs, device, at } }: { readonly offer: Offer }): ReactNode {
  const now = useNow();
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 bg-info-soft px-4 py-2 text-[13px] text-info sm:px-6">
      <Smartphone className="size-4 shrink-0" aria-hidden />
      <p className="min-w-0 flex-1 basis-56">
        Continue at <span className="sr-only">{spokenTime(positionMs)}</span>
        <strong className="font-semibold tabular-nums" aria-hidden>
          {clockTime(positionMs)}
        </strong>
        ? You listened on {device}, {relativeTime(Date.parse(at), now)}.
      </p>
      <span className="flex gap-2">
        <Button size="small" variant="primary" onClick={() => answerOffer(true)}>
          Jump there
        </Button>
        <Button size="small" onClick={() => answerOffer(false)}>
          Stay here
        </Button>
      </span>
    </div>
  );
}
