/** A named part of a timeline, in whole milliseconds. */
export interface Chapter {
  readonly title: string;
  readonly startMs: number;
  readonly endMs: number;
}

/** Where a chapter begins and what it is called: all that most formats say. */
export interface ChapterMark {
  readonly title: string;
  readonly startMs: number;
}

/**
 * Chapters in order, each ending where the next begins, inside the file. Marks beyond the end, which cut files have,
 * are left out; of two at the same moment the first named one stays.
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

/** One timeline out of several: the chapters of each part, or the part itself as one chapter. */
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
