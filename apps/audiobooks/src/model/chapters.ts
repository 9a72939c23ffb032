/** A named part of a timeline, in whole milliseconds. */
export interface Chapter {
  readonly title: string;
  readonly startMs: number;
  readonly endMs: number;
}

/** Start and title of a chapter; most formats store no more than these. */
export interface ChapterMark {
  readonly title: string;
  readonly startMs: number;
}

/**
 * Returns chapters in order; each ends where the next one starts. Drops marks beyond the end of a truncated file. Of
 * two marks at the same time, keeps the first that has a title.
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
