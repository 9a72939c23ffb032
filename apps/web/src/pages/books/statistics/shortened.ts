const letters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** For what has no ellipsis of its own. */
export function shortened(text: string, atMost: number): string {
  const all = [...letters.segment(text)].map(({ segment }) => segment);
  return all.length <= atMost
    ? text
    : `${all
        .slice(0, atMost - 1)
        .join('')
        .trimEnd()}…`;
}
