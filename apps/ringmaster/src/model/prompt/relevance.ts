export interface Document {
  readonly path: string;
  readonly text: string;
  /** Age in days; undefined if the document has no age. */
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
 * Returns the relevance of each document for a task, from 0 to 1: similarity of words, number of the task's words in
 * the document, age, and whether the task names the document. Frequent words count for little.
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

/** Stop words, which are too common to be significant. */
const common: ReadonlySet<string> = new Set(
  (
    'about add after all also and any are because been before being both but can change code could does done each file fix ' +
    'for from get had has have her here him his how into its just let like make may more most must need new not now off ' +
    'old one only other our out over own per please put run same see set shall she should show some such task test than ' +
    'that the their them then there these they this those through too two under until use used uses using very want was ' +
    'way were what when where which while who why will with without work would write you your'
  ).split(' '),
);
const TERM_CHARACTERS_MIN = 3;

/** Returns the significant words of a text with their counts. Compound names are also split into their parts. */
export function termsOf(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [word] of text.matchAll(/[\p{L}\p{N}_]+/gu)) {
    const parts = word.split('_').flatMap((part) => part.split(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})/u));
    for (const term of new Set([word, ...parts].map((part) => part.toLowerCase()))) {
      if (term.length < TERM_CHARACTERS_MIN || common.has(term) || /^\d+$/.test(term)) continue;
      counts.set(term, (counts.get(term) ?? 0) + 1);
    }
  }
  return counts;
}

/** Returns the file names in a text: words with an extension or a slash, and text in backticks. */
export function namesIn(text: string): ReadonlySet<string> {
  const files = [...text.matchAll(/[\w@~.-]+(?:\/[\w@~.-]+)+|[\w-]+\.[A-Za-z]\w{0,5}\b/g)].map(([name]) => name);
  const quoted = [...text.matchAll(/`([^`\n]{2,80})`/g)].map(([, name = '']) => name);
  return new Set(
    [...files, ...quoted].map((name) =>
      name
        .replace(/^\.\//, '')
        .replace(/[.:]+$/, '')
        .toLowerCase(),
    ),
  );
}

/** Returns whether a name refers to this file, by its full path, the end of the path, or the base name. */
export function isNamed(path: string, names: ReadonlySet<string>): boolean {
  const parts = path.toLowerCase().split('/');
  return parts.some((_, index) => names.has(parts.slice(index).join('/')));
}
