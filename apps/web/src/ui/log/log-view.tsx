import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';

import { count } from '../../lib/format.ts';
import { Badge } from '../badge.tsx';
import { Button, IconButton } from '../button.tsx';
import { controlClass } from '../field.tsx';
import { ScrollRegion } from '../page.tsx';

export interface LogLine {
  readonly text: string;
  /** Time in UTC as ISO text. */
  readonly at?: string;
  readonly level?: 'info' | 'warn' | 'error';
}

interface LogViewProps {
  readonly label: string;
  readonly lines: readonly LogLine[];
  readonly isLive: boolean;
  /** Number of lines dropped from the start of the log. */
  readonly dropped?: number;
  readonly empty: string;
}

const LINE_HEIGHT = 20;
const upKeys = new Set(['ArrowUp', 'PageUp', 'Home']);
const colours = { info: '', warn: 'text-warn', error: 'text-bad' } as const;

/** A searchable log. It scrolls to new lines until the reader scrolls up. */
export function LogView({ label, lines, isLive, dropped = 0, empty }: LogViewProps): ReactNode {
  const scroller = useRef<HTMLDivElement>(null);
  const [isFollowing, setFollowing] = useState(true);
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => LINE_HEIGHT,
    overscan: 20,
  });
  const search = useLogSearch(lines, (line) => {
    setFollowing(false);
    virtual.scrollToIndex(line, { align: 'center' });
  });
  useEffect(() => {
    if (isFollowing && lines.length > 0) virtual.scrollToIndex(lines.length - 1, { align: 'end' });
  }, [lines, isFollowing, virtual]);
  const shown = search.matches[search.at];
  return (
    <div className="min-w-0">
      <Tools
        label={label}
        isLive={isLive}
        isFollowing={isFollowing}
        onFollow={() => setFollowing(!isFollowing)}
        search={search}
      />
      <ScrollRegion
        ref={scroller}
        label={label}
        onWheel={({ deltaY }) => deltaY < 0 && setFollowing(false)}
        onTouchMove={() => setFollowing(false)}
        onKeyDown={({ key }) => upKeys.has(key) && setFollowing(false)}
        className={`relative overflow-y-auto bg-sunken py-2 font-mono text-[13px] -outline-offset-2 ${lines.length === 0 ? '' : 'h-96'}`}
      >
        {dropped > 0 && (
          <p className="px-4 text-muted">{count(dropped, 'earlier line')} not shown; see the log file.</p>
        )}
        {lines.length === 0 && <p className="px-4 text-muted">{empty}</p>}
        <div className="relative" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, key, start }) => (
            <div
              key={key}
              data-index={index}
              ref={virtual.measureElement}
              className={`absolute top-0 left-0 w-full px-4 ${shown === index ? 'bg-accent-soft' : ''}`}
              style={{ transform: `translateY(${start}px)`, minHeight: LINE_HEIGHT }}
            >
              <Line line={lines[index]} wanted={search.wanted} />
            </div>
          ))}
        </div>
      </ScrollRegion>
    </div>
  );
}

interface LineProps {
  readonly line: LogLine | undefined;
  readonly wanted: string;
}

function Line({ line: { text, at, level = 'info' } = { text: '' }, wanted }: LineProps): ReactNode {
  return (
    <p className={`flex gap-3 ${colours[level]}`}>
      {at !== undefined && (
        <time dateTime={at} className="shrink-0 text-muted">
          {at.slice(11, 19)}
        </time>
      )}
      <span className="min-w-0 flex-1 break-all whitespace-pre-wrap">
        {level !== 'info' && <span className="sr-only">{level}: </span>}
        {wanted === '' ? text : highlighted(text, wanted)}
      </span>
    </p>
  );
}

function highlighted(text: string, wanted: string): readonly ReactNode[] {
  const parts: ReactNode[] = [];
  const lower = text.toLowerCase();
  let from = 0;
  // Highlights nothing if converting to lower case changes the length of the text, because the positions would not
  // match.
  for (let at = lower.indexOf(wanted); at >= 0 && lower.length === text.length; at = lower.indexOf(wanted, from)) {
    parts.push(
      text.slice(from, at),
      <mark key={at} className="rounded-sm bg-warn-soft text-warn">
        {text.slice(at, at + wanted.length)}
      </mark>,
    );
    from = at + wanted.length;
  }
  return [...parts, text.slice(from)];
}

interface ToolsProps {
  readonly label: string;
  readonly isLive: boolean;
  readonly isFollowing: boolean;
  readonly onFollow: () => void;
  readonly search: ReturnType<typeof useLogSearch>;
}

function Tools({ label, isLive, isFollowing, onFollow, search }: ToolsProps): ReactNode {
  const { words, matches, at } = search;
  return (
    <div className="flex flex-wrap items-center gap-2 border-b border-line px-4 py-2">
      {isLive ? <Badge tone="busy">Live</Badge> : <Badge tone="neutral">Ended</Badge>}
      <input
        type="search"
        aria-label={`Search ${label}`}
        placeholder="Search log"
        className={`${controlClass} h-8 flex-1 basis-40`}
        value={words}
        onChange={({ target }) => search.search(target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') search.step(event.shiftKey ? -1 : 1);
        }}
      />
      {words !== '' && (
        <>
          <span role="status" className="text-[13px] text-muted tabular-nums">
            {matches.length === 0 ? 'Not found' : `${at + 1} of ${count(matches.length)}`}
          </span>
          <IconButton icon={ArrowUp} label="Previous match" onClick={() => search.step(-1)} />
          <IconButton icon={ArrowDown} label="Next match" onClick={() => search.step(1)} />
        </>
      )}
      <Button size="small" aria-pressed={isFollowing} onClick={onFollow}>
        {isFollowing ? 'Following' : 'Follow'}
      </Button>
    </div>
  );
}

function useLogSearch(lines: readonly LogLine[], onFind: (line: number) => void) {
  const [words, setWords] = useState('');
  const [at, setAt] = useState(0);
  const wanted = words.toLowerCase();
  const matches = useMemo(() => matchesOf(lines, wanted), [lines, wanted]);
  return {
    words,
    wanted,
    /** Indexes of the matching lines. */
    matches,
    /** Index of the current match in `matches`. */
    at,
    search: (text: string) => {
      setWords(text);
      setAt(0);
      const first = matchesOf(lines, text.toLowerCase())[0];
      if (first !== undefined) onFind(first);
    },
    step: (by: 1 | -1) => {
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
