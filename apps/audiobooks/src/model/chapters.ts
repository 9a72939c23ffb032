/** A named part of a timeline, in whole milliseconds. */
export interface Chapter {
  readonly title: string;
  readonly startMs: number;
  readonly endMs: number;
}

/** Start and title of a chapter. Most formats store only these two. */
export interface ChapterMark {
  readonly title: string;
  readonly startMs: number;
}

/**
 * Returns chapters in order; each ends where the next one starts. Drops marks beyond the end of a truncated file. If
 * two marks have the same time, keeps the first one that has a title.
 */
export function chaptersFromMarks(marks: readonly ChapterMark[], durationMs: number): readonly Chapter[] {
  const inside = marks
    .filter(({ startMs }) => Number.isFinite(startMs) && startMs >= 0 && startMs < durationMs)
    .map(({ title, startMs }) => ({ title: title.trim(), startMs: Math.round(startMs) }))
    .sort((left, right) => left.startMs - right.startMs);
  const distinct: ChapterMark[] = [];
  for (const mark of inside) {
    const last = distinct.at(-1);
    if (last === undefined || last.startMs !== mark.startMs) distinct.push(mark);
    else if (last.title === '') distinct[distinct.length - 1] = mark;
  }
  return distinct.map(({ title, startMs }, index) => ({
    title: title === '' ? `Chapter ${index + 1}` : title,
    startMs,
    endMs: distinct[index + 1]?.startMs ?? durationMs,
  }));
}

/** Joins the chapters of several parts into one timeline. A part without chapters becomes one chapter. */
export function chaptersOfParts(
  parts: readonly { readonly title: string; readonly durationMs: number; readonly chapters: readonly Chapter[] }[],
): readonly Chapter[] {
  const chapters: Chapter[] = [];
  let offset = 0;
  for (const { title, durationMs, chapters: own } of parts) {
    const end = offset + durationMs;
    if (own.length === 0) chapters.push({ title, startMs: offset, endMs: end });
    for (const chapter of own) {
      chapters.push({
        title: chapter.title,
        startMs: Math.min(offset + chapter.startMs, end),
        endMs: Math.min(offset + chapter.endMs, end),
      });
    }
    offset = end;
  }
  return chapters;
}

const two = (part = 0): string => String(part).padStart(2, '0');

function clockTime(ms: number): string {
  const whole = Math.round(ms);
  const [hour, minute, second] = [whole / 3_600_000, (whole / 60_000) % 60, (whole / 1_000) % 60].map(Math.floor);
  return `${two(hour)}:${two(minute)}:${two(second)}.${String(whole % 1_000).padStart(3, '0')}`;
}

/** Returns chapters as Vorbis comments. */
export function chapterComments(chapters: readonly Chapter[]): readonly (readonly [name: string, value: string])[] {
  return chapters.flatMap(({ title, startMs }, index) => {
    const name = `CHAPTER${String(index).padStart(3, '0')}`;
    return [
      [name, clockTime(startMs)],
      [`${name}NAME`, title],
    ] as const;
  });
}

/** Returns the chapters between two positions, with times relative to the first position. */
export function chaptersBetween(chapters: readonly Chapter[], fromMs: number, toMs: number): readonly Chapter[] {
  return chapters
    .filter(({ startMs, endMs }) => endMs > fromMs && startMs < toMs)
    .map(({ title, startMs, endMs }) => ({
      title,
      startMs: Math.max(0, startMs - fromMs),
      endMs: Math.min(endMs, toMs) - fromMs,
    }));
}
