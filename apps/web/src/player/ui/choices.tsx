import { Gauge, Moon, Volume1, Volume2, VolumeX } from 'lucide-react';
import type { ReactNode } from 'react';

import { IconButton } from '../../ui/button.tsx';
import { setSpeed, setVolume, sleepIn, toggleMute } from '../engine/controls.ts';
import { type PlayerView, SPEED_MAX, SPEED_MIN } from '../model/view.ts';
import { spokenTime, speedText } from '../model/time-text.ts';

interface PickProps {
  readonly label: string;
  readonly icon: ReactNode;
  readonly value: string;
  readonly options: readonly (readonly [value: string, text: string])[];
  readonly onPick: (value: string) => void;
}

/** A native select, which works well with touch and screen readers. */
function Pick({ label, icon, value, options, onPick }: PickProps): ReactNode {
  return (
    <span className="relative flex h-9 items-center rounded-lg text-muted focus-within:text-text hover:bg-sunken hover:text-text">
      <span className="pointer-events-none absolute left-2">{icon}</span>
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

export function SpeedChoice({ view: { speed } }: { readonly view: PlayerView }): ReactNode {
  const all = speeds.some((each) => Math.abs(each - speed) < 0.001)
    ? speeds
    : [...speeds, speed].toSorted((left, right) => left - right);
  return (
    <Pick
      label="Speed"
      icon={<Gauge className="size-4" aria-hidden />}
      value={speed.toFixed(2)}
      options={all.map((each) => [each.toFixed(2), speedText(each)])}
      onPick={(value) => setSpeed(Number(value))}
    />
  );
}

const minutes = [5, 10, 15, 20, 30, 45, 60, 90] as const;

export function SleepChoice({ view: { sleep, positionMs, speed } }: { readonly view: PlayerView }): ReactNode {
  const leftMs = sleep?.kind === 'time' ? sleep.leftMs : sleep === undefined ? 0 : (sleep.untilMs - positionMs) / speed;
  const value = sleep === undefined ? 'off' : sleep.kind === 'chapter' ? 'chapter' : 'left';
  return (
    <Pick
      label="Sleep timer"
      icon={<Moon className="size-4" aria-hidden fill={sleep === undefined ? 'none' : 'currentColor'} />}
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

/** Announces the remaining time of the sleep timer. */
export function sleepWords(view: PlayerView): string {
  const { sleep } = view;
  if (sleep === undefined) return '';
  return sleep.kind === 'chapter'
    ? 'Stops at the end of the chapter'
    : `Stops in ${spokenTime(Math.ceil(sleep.leftMs / 60_000) * 60_000)}`;
}

export function VolumeControl({ view: { volume, isMuted } }: { readonly view: PlayerView }): ReactNode {
  const Icon = isMuted || volume === 0 ? VolumeX : volume < 0.5 ? Volume1 : Volume2;
  return (
    <span className="flex items-center">
      <IconButton label={isMuted ? 'Unmute' : 'Mute'} onClick={toggleMute}>
        <Icon className="size-4" aria-hidden />
      </IconButton>
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
