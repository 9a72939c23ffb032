import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';

import type { Change, Commit } from '../../api/types.ts';
import { recordsFirst } from '../../lib/changes.ts';
import { count, shortKey } from '../../lib/format.ts';
import { Tag } from '../../ui/badge.tsx';
import { Changes } from '../../ui/changes.tsx';
import { Time } from '../../ui/time.tsx';

interface CommitRowProps {
  readonly commit: Commit;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

export function CommitRow({ commit, isOpen, onToggle }: CommitRowProps): ReactNode {
  const { database, revision, at, note, total, changes } = commit;
  return (
    <div>
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={onToggle}
        className="flex w-full items-center gap-3 px-5 py-3 text-left -outline-offset-2 hover:bg-sunken"
      >
        <ChevronRight
          className={`size-4 shrink-0 text-muted transition-transform ${isOpen ? 'rotate-90' : ''}`}
          aria-hidden
        />
        <span className="grid min-w-0 flex-1 gap-1">
          <span className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
            <Tag>{database}</Tag>
            <span className="font-medium tabular-nums">#{revision}</span>
            {note !== null && <span className="min-w-0 truncate">{note}</span>}
            <span className="text-[13px] text-muted">{count(total, 'change')}</span>
          </span>
          <span className="truncate font-mono text-xs text-muted">{summary(changes)}</span>
        </span>
        <span className="shrink-0 text-[13px] text-muted">
          <Time at={at} />
        </span>
      </button>
      {isOpen && (
        <div className="px-5 py-5 sm:pl-12">
          <Changes commit={commit} />
        </div>
      )}
    </div>
  );
}

const signs = { insert: '+', update: '~', delete: '−' } as const;
const SUMMARISED = 12;

function summary(changes: readonly Change[]): string {
  const shown = recordsFirst(changes).slice(0, SUMMARISED);
  return shown.map(({ operation, key }) => `${signs[operation]} ${shortKey(key)}`).join('   ');
}
