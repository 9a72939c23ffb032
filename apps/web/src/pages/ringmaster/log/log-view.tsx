import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useRef, useState } from 'react';

import { count } from '../../../lib/format.ts';
import { LineText } from './line-text.tsx';
import type { Log } from './log-lines.ts';
import { LogTools } from './log-tools.tsx';
import { useLogSearch } from './use-log-search.ts';

interface LogViewProps {
  readonly label: string;
  readonly log: Log;
  readonly isLive: boolean;
}

const LINE_HEIGHT = 20;
const upKeys = new Set(['ArrowUp', 'PageUp', 'Home']);

/** Follows what is printed until somebody scrolls up, and finds words in it. */
export function LogView({ label, log, isLive }: LogViewProps): ReactNode {
  const { lines, dropped } = log;
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
      <LogTools
        label={label}
        isLive={isLive}
        isFollowing={isFollowing}
        onFollow={() => setFollowing(!isFollowing)}
        search={search}
      />
      <div
        ref={scroller}
        role="region"
        aria-label={label}
        // What scrolls must be reachable by keyboard
        tabIndex={0}
        onWheel={({ deltaY }) => deltaY < 0 && setFollowing(false)}
        onTouchMove={() => setFollowing(false)}
        onKeyDown={({ key }) => upKeys.has(key) && setFollowing(false)}
        className="relative h-96 overflow-y-auto bg-sunken py-2 font-mono text-[13px] -outline-offset-2"
      >
        {dropped > 0 && <p className="px-4 text-muted">{count(dropped, 'earlier line')} are in the file, not here.</p>}
        {lines.length === 0 && <p className="px-4 text-muted">Nothing was printed yet.</p>}
        <div className="relative" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, key, start }) => (
            <div
              key={key}
              data-index={index}
              ref={virtual.measureElement}
              className={`absolute top-0 left-0 w-full px-4 break-all whitespace-pre-wrap ${shown === index ? 'bg-accent-soft' : ''}`}
              style={{ transform: `translateY(${start}px)`, minHeight: LINE_HEIGHT }}
            >
              <LineText text={lines[index]?.text ?? ''} wanted={search.wanted} />
            </div>
          ))}
        </div>
      </div>
    </div>
  );
}
