import { chapterEnd, type Timeline } from './timeline.ts';

/** When playback stops. Only listening time counts, so pausing stops the timer. */
export type Sleep =
  { readonly kind: 'time'; readonly leftMs: number } | { readonly kind: 'chapter'; readonly untilMs: number };

const FADE_MS = 15_000;
/** A chapter plays almost to its last words. */
const CHAPTER_FADE_MS = 2_000;

export function sleepAfter(minutes: number): Sleep {
  return { kind: 'time', leftMs: minutes * 60_000 };
}

export function sleepAtChapterEnd(timeline: Timeline, positionMs: number): Sleep {
  return { kind: 'chapter', untilMs: chapterEnd(timeline, positionMs) };
}

export function slept(sleep: Sleep | undefined, elapsedMs: number): Sleep | undefined {
  return sleep?.kind === 'time' ? { kind: 'time', leftMs: Math.max(0, sleep.leftMs - elapsedMs) } : sleep;
}

export function isAsleep(sleep: Sleep | undefined, positionMs: number): boolean {
  if (sleep === undefined) return false;
  return sleep.kind === 'time' ? sleep.leftMs <= 0 : positionMs >= sleep.untilMs;
}

/** Fades from 1 to 0, because sudden silence wakes people. */
export function fading(sleep: Sleep | undefined, positionMs: number, speed: number): number {
  if (sleep === undefined) return 1;
  if (sleep.kind === 'time') return Math.min(1, sleep.leftMs / FADE_MS);
  return Math.min(1, Math.max(0, (sleep.untilMs - positionMs) / speed / CHAPTER_FADE_MS));
}
