import { useMemo, useState } from 'react';

import type { LogLine } from './log-lines.ts';

export interface LogSearch {
  readonly words: string;
  /** In small letters. */
  readonly wanted: string;
  readonly matches: readonly number[];
  readonly at: number;
  readonly search: (text: string) => void;
  readonly step: (by: 1 | -1) => void;
}

/** Where words are in a log, and which of the places one looks at. */
export function useLogSearch(lines: readonly LogLine[], onFind: (line: number) => void): LogSearch {
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

function matchesOf(lines: readonly LogLine[], wanted: string): readonly number[] {
  if (wanted === '') return [];
  return lines.flatMap(({ text }, line) => (text.toLowerCase().includes(wanted) ? [line] : []));
}
