/** A text that people can search. */
export interface IndexedText<Value> {
  readonly title: string;
  /** Additional text to search, for example a description. */
  readonly text?: string;
  /** Timestamp of the last change. Among equally good matches, the newest comes first. */
  readonly at: string;
  /** Whether the work is finished. Open work comes first. */
  readonly isDone?: boolean;
  readonly value: Value;
}

export interface ScoredText<Value> extends IndexedText<Value> {
  readonly score: number;
}

const SCORES = { whole: 100, start: 80, words: 60, parts: 40, text: 20 } as const;
const DONE = 10;
const TEXT_LENGTH_MAX = 1_000;

/**
 * Searches texts in memory by words. A search scans every text, which takes about ten milliseconds for 100,000 titles.
 * It also finds parts of words, in any language.
 */
export class TextIndex<Value> {
  readonly #entries = new Map<string, IndexedText<Value> & { readonly lower: string; readonly all: string }>();

  get size(): number {
    return this.#entries.size;
  }

  set(id: string, entry: IndexedText<Value>): void {
    const lower = entry.title.toLowerCase();
    const rest = (entry.text ?? '').slice(0, TEXT_LENGTH_MAX).toLowerCase();
    this.#entries.set(id, { ...entry, lower, all: rest === '' ? lower : `${lower}\n${rest}` });
  }

  get(id: string): Value | undefined {
    return this.#entries.get(id)?.value;
  }

  delete(id: string): void {
    this.#entries.delete(id);
  }

  clear(): void {
    this.#entries.clear();
  }

  *values(): IterableIterator<Value> {
    for (const { value } of this.#entries.values()) yield value;
  }

  /** Returns the best entries that contain every word. */
  find(words: readonly string[], limit: number): readonly ScoredText<Value>[] {
    const wanted = words.map((word) => word.toLowerCase());
    const found: ScoredText<Value>[] = [];
    const isFirst = (left: ScoredText<Value>, right: ScoredText<Value>): number =>
      right.score - left.score || (left.at < right.at ? 1 : -1);
    for (const entry of this.#entries.values()) {
      if (!wanted.every((word) => entry.all.includes(word))) continue;
      const score = titleScore(entry.lower, wanted) - (entry.isDone === true ? DONE : 0);
      const last = found.length < limit * 2 ? undefined : found[limit - 1];
      if (last !== undefined && (score < last.score || (score === last.score && entry.at <= last.at))) continue;
      found.push({ ...entry, score });
      // Sorts rarely, and only a few entries, so that a search for a common word stays fast.
      if (found.length === limit * 4) found.sort(isFirst).splice(limit * 2);
    }
    return found.sort(isFirst).slice(0, limit);
  }
}

/** Scores how well a title matches the words; both must be in lower case. Returns 20 if only other text matches. */
export function titleScore(title: string, words: readonly string[]): number {
  const query = words.join(' ');
  if (title === query) return SCORES.whole;
  if (title.startsWith(query)) return SCORES.start;
  let score: number = SCORES.words;
  for (const word of words) {
    const at = title.indexOf(word);
    if (at < 0) return SCORES.text;
    if (at > 0 && !startsWord(title, word, at)) score = SCORES.parts;
  }
  return score;
}

const LETTER = /[\p{L}\p{N}]/u;

function startsWord(title: string, word: string, first: number): boolean {
  for (let at = first; at >= 0; at = title.indexOf(word, at + 1)) {
    if (at === 0 || !LETTER.test(title[at - 1] ?? '')) return true;
  }
  return false;
}
