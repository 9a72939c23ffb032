import { type ReactNode, useEffect, useRef, useState } from 'react';

import { Failure } from '../../../ui/failure.tsx';
import { useLog } from './use-log.ts';

const upKeys = new Set(['ArrowUp', 'PageUp', 'Home']);
const colours = { info: '', warn: 'text-warn', error: 'text-bad' } as const;

/** Follows what is written until somebody scrolls up. */
export function OperationLog({ id, isLive }: { readonly id: string; readonly isLive: boolean }): ReactNode {
  const { lines, isRead, error, retry } = useLog(id, isLive);
  const [isFollowing, setFollowing] = useState(true);
  const scroller = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isFollowing) scroller.current?.scrollTo(0, scroller.current.scrollHeight);
  }, [lines, isFollowing]);
  if (error !== undefined) return <Failure error={error} onRetry={retry} />;
  return (
    <div
      ref={scroller}
      role="region"
      aria-label="Log"
      // What scrolls must be reachable by keyboard
      tabIndex={0}
      onWheel={({ deltaY }) => deltaY < 0 && setFollowing(false)}
      onTouchMove={() => setFollowing(false)}
      onKeyDown={({ key }) => upKeys.has(key) && setFollowing(false)}
      className="max-h-96 overflow-y-auto border-t border-line bg-sunken py-2 font-mono text-[13px] -outline-offset-2"
    >
      {lines.length === 0 && <p className="px-4 text-muted">{nothingText(isRead, isLive)}</p>}
      {lines.map(({ seq, level, message, timestamp }) => (
        <p key={seq} className={`flex gap-3 px-4 ${colours[level]}`}>
          <time dateTime={timestamp} className="shrink-0 text-muted">
            {timestamp.slice(11, 19)}
          </time>
          <span className="min-w-0 break-words whitespace-pre-wrap">
            {level !== 'info' && <span className="sr-only">{level}: </span>}
            {message}
          </span>
        </p>
      ))}
    </div>
  );
}

/** Only what is out of the ordinary is written down, so that most operations end with an empty log. */
function nothingText(isRead: boolean, isLive: boolean): string {
  if (!isRead) return 'Reading …';
  return isLive ? 'Nothing to report so far.' : 'It ended without anything to report.';
}
