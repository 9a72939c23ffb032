import { ArrowDown, ArrowUp } from 'lucide-react';
import type { ReactNode } from 'react';

import { count } from '../../../lib/format.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button, IconButton } from '../../../ui/button.tsx';
import { controlClass } from '../../../ui/field.tsx';
import type { LogSearch } from './use-log-search.ts';

interface LogToolsProps {
  readonly label: string;
  readonly isLive: boolean;
  readonly isFollowing: boolean;
  readonly onFollow: () => void;
  readonly search: LogSearch;
}

export function LogTools({ label, isLive, isFollowing, onFollow, search }: LogToolsProps): ReactNode {
  const { words, matches, at } = search;
  return (
    <div className="flex flex-wrap items-center gap-2 border-b border-line px-4 py-2">
      {isLive ? <Badge tone="busy">Live</Badge> : <Badge tone="neutral">Ended</Badge>}
      <input
        type="search"
        aria-label={`Search ${label}`}
        placeholder="Search the log"
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
          <IconButton label="Previous match" onClick={() => search.step(-1)}>
            <ArrowUp className="size-4" aria-hidden />
          </IconButton>
          <IconButton label="Next match" onClick={() => search.step(1)}>
            <ArrowDown className="size-4" aria-hidden />
          </IconButton>
        </>
      )}
      <Button size="small" aria-pressed={isFollowing} onClick={onFollow}>
        {isFollowing ? 'Following' : 'Follow'}
      </Button>
    </div>
  );
}
