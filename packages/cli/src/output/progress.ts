/**
 * A progress bar on standard error.
 *
 * It redraws when progress is reported, at most ten times a second, and only for work that takes long enough to notice:
 * a command that takes 200 ms shows nothing. It uses no timer, which would keep the process alive.
 */
import { SECOND } from '@holdfast/base';
import type { OutputStream } from '../host/host.ts';
import { escapeControls } from '../text/text.ts';
import { truncate } from '../text/width.ts';

export interface Progress {
  readonly advance: (count?: number) => void;
  /** Removes the bar; `using` and the end of the command do it too. */
  readonly finish: () => void;
  readonly [Symbol.dispose]: () => void;
}

const SHOWN_AFTER_MS = 300;
const REDRAW_INTERVAL_MS = 100;
const BAR_COLUMNS = 24;
const ERASE_LINE = '\r\u001b[K';

export interface ProgressState {
  readonly label: string;
  readonly total: number | undefined;
  readonly done: number;
  readonly elapsedMs: number;
}

/** All bars of a command share one terminal line. Other output must clear that line first. */
export interface ProgressLine {
  readonly start: (label: string, total?: number) => Progress;
  /** Call before writing anything else to the terminal. */
  readonly clear: () => void;
}

export function createProgressLine(stream: OutputStream, now: () => number = () => performance.now()): ProgressLine {
  let isDrawn = false;
  const clear = (): void => {
    if (isDrawn) stream.write(ERASE_LINE);
    isDrawn = false;
  };
  const draw = (state: ProgressState): void => {
    stream.write(`${ERASE_LINE}${truncate(progressText(state), stream.columns - 1)}`);
    isDrawn = true;
  };
  const start = (label: string, total?: number): Progress => {
    const startedAt = now();
    let done = 0;
    let redrawAt = startedAt + SHOWN_AFTER_MS;
    return {
      advance(count = 1) {
        done += count;
        const time = now();
        if (!stream.isTerminal || time < redrawAt) return;
        redrawAt = time + REDRAW_INTERVAL_MS;
        draw({ label, total, done, elapsedMs: time - startedAt });
      },
      finish: clear,
      [Symbol.dispose]: clear,
    };
  };
  return { start, clear };
}

export function progressText({ label, total, done, elapsedMs }: ProgressState): string {
  const name = escapeControls(label);
  if (total === undefined || total <= 0) return `${name} ${done}`;
  const share = Math.min(1, done / total);
  const filled = Math.round(share * BAR_COLUMNS);
  const bar = '█'.repeat(filled) + '░'.repeat(BAR_COLUMNS - filled);
  const left = share > 0 ? ` ${duration((elapsedMs * (1 - share)) / share)} left` : '';
  return `${name} ${bar} ${Math.floor(share * 100)}% ${done}/${total}${left}`;
}

function duration(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / SECOND);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes} min ${seconds % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
