/** A book as one timeline across its files. Positions are milliseconds from the start of the book. */

interface Segment {
  readonly id: string;
  readonly start_ms: number;
  readonly duration_ms: number;
  readonly format: string;
  readonly content_type: string;
  readonly url: string;
}

interface Chapter {
  readonly title: string;
  readonly start_ms: number;
  readonly end_ms: number;
}

export interface Timeline {
  /** Increases when the book's files are merged, replaced or reordered. */
  readonly generation: number;
  readonly duration_ms: number;
  readonly segments: readonly Segment[];
  readonly chapters: readonly Chapter[];
}

/** A position in a file. */
interface FilePosition {
  readonly index: number;
  readonly offsetMs: number;
}

export function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(Number.isFinite(value) ? value : least, least), Math.max(least, most));
}

export function filePositionAt({ segments, duration_ms: total }: Timeline, positionMs: number): FilePosition {
  const wanted = clamp(Math.round(positionMs), 0, total);
  const after = segments.findIndex(({ start_ms: start }) => start > wanted);
  const index = Math.max(0, (after < 0 ? segments.length : after) - 1);
  const segment = segments[index];
  return { index, offsetMs: segment === undefined ? 0 : clamp(wanted - segment.start_ms, 0, segment.duration_ms) };
}

export function positionOf({ segments, duration_ms: total }: Timeline, { index, offsetMs }: FilePosition): number {
  const segment = segments[index];
  if (segment === undefined) return 0;
  // A file may be slightly longer than its measured duration. The next file starts where the timeline says.
  return clamp(Math.round(segment.start_ms + clamp(offsetMs, 0, segment.duration_ms)), 0, total);
}

/** Returns the chapters. If the book has several files but no chapters, returns the files as chapters. */
export function chaptersOf({ chapters, segments }: Timeline): readonly Chapter[] {
  if (chapters.length > 0 || segments.length < 2) return chapters;
  return segments.map(({ start_ms: start, duration_ms: duration }, at) => ({
    title: `Part ${at + 1}`,
    start_ms: start,
    end_ms: start + duration,
  }));
}

/** Returns the index of the last chapter that has started; -1 before the first one. */
export function chapterAt(timeline: Timeline, positionMs: number): number {
  return chaptersOf(timeline).findLastIndex(({ start_ms: start }) => start <= positionMs);
}

export function chapterTitle(timeline: Timeline | undefined, positionMs: number): string | undefined {
  return timeline && chaptersOf(timeline)[chapterAt(timeline, positionMs)]?.title;
}

const JUST_STARTED_MS = 3_000;

/** Returns the start of the current chapter, or of the previous one if the current chapter has just started. */
export function previousChapter(timeline: Timeline, positionMs: number): number {
  const chapters = chaptersOf(timeline);
  const at = chapterAt(timeline, positionMs);
  const start = chapters[at]?.start_ms ?? 0;
  return positionMs - start > JUST_STARTED_MS ? start : (chapters[at - 1]?.start_ms ?? 0);
}

export function nextChapter(timeline: Timeline, positionMs: number): number | undefined {
  return chaptersOf(timeline)[chapterAt(timeline, positionMs) + 1]?.start_ms;
}

/** Returns the end of the current chapter. The last chapter ends with the book. */
export function chapterEnd(timeline: Timeline, positionMs: number): number {
  return nextChapter(timeline, positionMs) ?? timeline.duration_ms;
}

const units = [
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** For screen readers: `1 hour 23 minutes`, `12 seconds`. */
export function spokenTime(ms: number): string {
  let rest = Math.max(0, Math.floor(ms / 1_000));
  const words: string[] = [];
  for (const [name, length] of units) {
    const number = Math.floor(rest / length);
    rest %= length;
    if (number > 0) words.push(`${number} ${name}${number === 1 ? '' : 's'}`);
  }
  return words.length === 0 ? '0 seconds' : words.join(' ');
}

/** `1.25×` */
export function speedText(speed: number): string {
  return `${Number(speed.toFixed(2))}×`;
}
