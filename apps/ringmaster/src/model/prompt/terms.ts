/** Stop words. */
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

/** Significant words with their counts; compound names are also split. */
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

/** Names in a text: words with an extension or a slash, and text in backticks. */
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

/** Returns whether a name refers to this file: its path, the end of it, or its base name. */
export function isNamed(path: string, names: ReadonlySet<string>): boolean {
  const parts = path.toLowerCase().split('/');
  return parts.some((_, index) => names.has(parts.slice(index).join('/')));
}
