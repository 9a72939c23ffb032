import {
  Ban,
  Circle,
  CircleAlert,
  CircleCheck,
  CircleMinus,
  CirclePause,
  CirclePlus,
  CircleX,
  LoaderCircle,
  type LucideIcon,
  Pencil,
} from 'lucide-react';
import type { ReactNode } from 'react';

import { useNow } from '../lib/clock.ts';
import { exactTime, relativeTime } from '../lib/format.ts';

/** A status has an icon, a word and a colour, so that no user depends on colour alone. */
const tones = {
  good: { icon: CircleCheck, colours: 'bg-good-soft text-good' },
  warn: { icon: CircleAlert, colours: 'bg-warn-soft text-warn' },
  bad: { icon: CircleX, colours: 'bg-bad-soft text-bad' },
  paused: { icon: CirclePause, colours: 'bg-sunken text-muted' },
  busy: { icon: LoaderCircle, colours: 'bg-info-soft text-info' },
  neutral: { icon: CircleMinus, colours: 'bg-sunken text-muted' },
  open: { icon: Circle, colours: 'bg-sunken text-muted' },
  cancelled: { icon: Ban, colours: 'bg-sunken text-muted' },
  added: { icon: CirclePlus, colours: 'bg-good-soft text-good' },
  changed: { icon: Pencil, colours: 'bg-info-soft text-info' },
  removed: { icon: CircleMinus, colours: 'bg-bad-soft text-bad' },
} as const satisfies Record<string, { readonly icon: LucideIcon; readonly colours: string }>;

export type Tone = keyof typeof tones;

export function Badge({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }): ReactNode {
  const { icon: Icon, colours } = tones[tone];
  return (
    <span className={`inline-flex items-center gap-1 rounded-full px-2 py-0.5 text-xs font-medium ${colours}`}>
      <Icon className="size-3.5" aria-hidden />
      {children}
    </span>
  );
}

/** A label that is not a status: a role, a scope, a kind. */
export function Tag({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <span className="inline-flex items-center rounded-md border border-line bg-sunken px-1.5 py-0.5 text-xs text-muted">
      {children}
    </span>
  );
}

export function Time({ at }: { readonly at: string }): ReactNode {
  const now = useNow();
  const then = Date.parse(at);
  return (
    <time dateTime={at} title={exactTime(then)} className="whitespace-nowrap">
      {relativeTime(then, now)}
    </time>
  );
}

interface ProgressBarProps {
  readonly label: string;
  /** From 0 to 100; undefined if unknown. */
  readonly percent: number | undefined;
}

export function ProgressBar({ label, percent }: ProgressBarProps): ReactNode {
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent === undefined ? undefined : Math.round(percent)}
      className="h-1.5 w-full overflow-hidden rounded-full bg-line"
    >
      <div
        className={`h-full rounded-full bg-accent ${percent === undefined ? 'w-1/3 animate-pulse' : ''}`}
        style={percent === undefined ? {} : { width: `${Math.min(100, Math.max(0, percent))}%` }}
      />
    </div>
  );
}
