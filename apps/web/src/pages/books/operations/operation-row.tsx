import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import type { Operation } from '../../../api/types.ts';
import { count } from '../../../lib/format.ts';
import { Badge } from '../../../ui/badge.tsx';
import { ProgressBar } from '../../../ui/progress-bar.tsx';
import { Time } from '../../../ui/time.tsx';
import { isOpen, percentOf, statusBadge, typeWord } from './status-badge.ts';
import { OperationButtons } from './operation-buttons.tsx';

export function OperationRow({ operation }: { readonly operation: Operation }): ReactNode {
  const { id, type, status, summary, error, created_by: by, started_at: begun, completed_at: ended } = operation;
  const { word, tone } = statusBadge(status);
  const at = ended ?? begun;
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-3">
      <div className="grid min-w-0 flex-1 basis-64 gap-1">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <Link to="/books/$view/$id" params={{ view: 'operations', id }} className="font-medium hover:underline">
            {typeWord(type)}
          </Link>
          <Badge tone={tone}>{operation.cancelling ? 'Stopping' : word}</Badge>
          {operation.undone_by !== null && <Badge tone="neutral">Undone</Badge>}
          <span className="text-[13px] text-muted">
            {by}
            {at !== null && (
              <>
                {' · '}
                <Time at={at} />
              </>
            )}
          </span>
        </div>
        {isOpen(operation) ? (
          <Advance operation={operation} />
        ) : (
          (error ?? summary) !== null && (
            <p dir="auto" className={`text-[13px] break-words ${error === null ? 'text-muted' : 'text-bad'}`}>
              {error ?? summary}
            </p>
          )
        )}
      </div>
      <OperationButtons operation={operation} />
    </div>
  );
}

function Advance({ operation }: { readonly operation: Operation }): ReactNode {
  const { current, total, phase } = operation.progress;
  const said = total === 0 ? (current === 0 ? '' : count(current)) : `${count(current)} of ${count(total)}`;
  return (
    <div className="grid gap-1">
      <ProgressBar label={`${typeWord(operation.type)} progress`} percent={percentOf(operation)} />
      <p className="text-[13px] text-muted tabular-nums">
        {[phase, said].filter((part) => part !== '').join(' · ') || 'Starting'}
      </p>
    </div>
  );
}
