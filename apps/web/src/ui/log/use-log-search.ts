import { useMemo, useState } from 'react';

type Lines = readonly { readonly text: string }[];

export interface LogSearch {
  readonly words: string;
  /** The words in lower case. */
  readonly wanted: string;
  /** Indexes of the matching lines. */
  readonly matches: readonly number[];
  /** Index of the current match in `matches`. */
  readonly at: number;
  readonly search: (text: string) => void;
  readonly step: (by: 1 | -1) => void;
}

/** Finds lines that contain the words typed, and steps through them. */
export function useLogSearch(lines: Lines, onFind: (line: number) => void): LogSearch {
  const [words, setWords] = useState('');
  const [at, setAt] = useState(0);
  const wanted = words.toLowerCase();
  const matches = useMemo(() => matchesOf(lines, wanted), [lines, wanted]);
  return {
    words,
    wanted,
    matches,
    at,
    search(text) {
      setWords(text);
      setAt(0);
      const first = matchesOf(lines, text.toLowerCase())[0];
      if (first !== undefined) onFind(first);
    },
    step(by) {
      const next = (at + by + matches.length) % Math.max(1, matches.length);
      const line = matches[next];
      if (line === undefined) return;
      setAt(next);
      onFind(line);
    },
  };
}

function matchesOf(lines: Lines, wanted: string): readonly number[] {
  if (wanted === '') return [];
  return lines.flatMap(({ text }, line) => (text.toLowerCase().includes(wanted) ? [line] : []));
}
