import { isNamed, termsOf } from './terms.ts';

export interface Document {
  readonly path: string;
  readonly text: string;
  /** Age in days; undefined if it has none. */
  readonly ageDays?: number | undefined;
}

export interface Query {
  readonly terms: ReadonlyMap<string, number>;
  readonly names: ReadonlySet<string>;
}

const SIMILARITY = 0.4;
const HITS = 0.3;
const RECENCY = 0.2;
const NAMED = 0.3;
const HITS_FULL = 5;
const WEEK_DAYS = 7;

/**
 * Relevance of a document for a task, from 0 to 1: similarity of words, share of the task's words, freshness, and
 * whether the task names it. Frequent words count for little.
 */
export function relevances(documents: readonly Document[], query: Query): number[] {
  const counted = documents.map(({ path, text }) => termsOf(`${path}\n${text}`));
  const occurrences = new Map<string, number>();
  for (const terms of counted) {
    for (const term of terms.keys()) occurrences.set(term, (occurrences.get(term) ?? 0) + 1);
  }
  const rarity = (term: string): number => Math.log(1 + documents.length / (occurrences.get(term) ?? 1));
  return documents.map(({ path, ageDays }, index) => {
    const terms = counted[index] ?? new Map<string, number>();
    const hits = [...query.terms.keys()].filter((term) => terms.has(term)).length;
    const recency = ageDays === undefined ? 0 : Math.exp(-ageDays / WEEK_DAYS);
    const score =
      SIMILARITY * cosine(query.terms, terms, rarity) +
      HITS * Math.min(hits / HITS_FULL, 1) +
      (hits > 0 ? RECENCY * recency : 0) +
      (isNamed(path, query.names) ? NAMED : 0);
    return Math.min(1, score);
  });
}

function cosine(
  left: ReadonlyMap<string, number>,
  right: ReadonlyMap<string, number>,
  rarity: (term: string) => number,
): number {
  const weight = (term: string, count: number): number => (1 + Math.log(count)) * rarity(term);
  let product = 0;
  for (const [term, count] of left) {
    const other = right.get(term);
    if (other !== undefined) product += weight(term, count) * weight(term, other);
  }
  if (product === 0) return 0;
  const length = (terms: ReadonlyMap<string, number>): number =>
    Math.sqrt([...terms].reduce((sum, [term, count]) => sum + weight(term, count) ** 2, 0));
  return product / (length(left) * length(right));
}
