import { DAY, SECOND, toTimestamp } from '@holdfast/base';

import { type Figures, figuresOf, Ring, type Sample, stepMs } from '../model/figures.ts';
import { doneByStep, queueNow } from '../store/metrics.ts';
import type { CodexContext } from './context.ts';

const SAMPLE_EVERY_MS: number = 5 * SECOND;

/**
 * Figures of the queue over the last day. Throughput is counted from events; waiting times are sampled every few
 * seconds in memory only, so they start over after a restart.
 */
export class FigureKeeper {
  readonly #codex: CodexContext;
  readonly #samples = new Ring<Sample>(DAY / SAMPLE_EVERY_MS);
  #timer: NodeJS.Timeout | undefined;

  constructor(codex: CodexContext) {
    this.#codex = codex;
  }

  start(onProblem: (error: unknown) => void): void {
    const look = (): void => {
      try {
        this.look();
      } catch (error) {
        onProblem(error);
      }
    };
    this.#timer = setInterval(look, SAMPLE_EVERY_MS).unref();
    look();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  look(): void {
    const { store, clock } = this.#codex;
    const { pending, oldest_pending_at, oldest_uncommitted_at } = queueNow(store.reader);
    const at = clock();
    this.#samples.add({
      at,
      pending,
      oldestPendingSeconds: secondsSince(oldest_pending_at, at),
      gitLagSeconds: secondsSince(oldest_uncommitted_at, at),
    });
  }

  figures(minutes: number): Figures {
    const { store, clock } = this.#codex;
    const now = clock();
    const step = stepMs(minutes);
    const since = toTimestamp(Math.floor(now / step) * step - minutes * 60 * SECOND);
    const done = doneByStep(store.reader, since, step);
    return figuresOf({ now, minutes, samples: this.#samples.all(), doneByStep: done });
  }
}

function secondsSince(time: string | null, now: number): number {
  return time === null ? 0 : Math.max(0, (now - Date.parse(time)) / SECOND);
}
