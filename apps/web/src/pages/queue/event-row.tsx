import type { ReactNode } from 'react';

import type { CodexEvent } from '../../api/types.ts';
import { useMay } from '../../lib/permissions.ts';
import { Badge } from '../../ui/badge.tsx';
import { Time } from '../../ui/time.tsx';
import { authorOf, describeOperation, statusLooks } from './describe-operation.ts';
import { EventActions } from './event-actions.tsx';

interface EventRowProps {
  readonly event: CodexEvent;
  readonly notebook: string;
  readonly onOpen: () => void;
}

export function EventRow({ event, notebook, onOpen }: EventRowProps): ReactNode {
  const mayWrite = useMay('app:codex:write');
  const { id, status, author, created_at: at, error_message: error, commit_sha: commit } = event;
  const { tone, word } = statusLooks[status];
  return (
    <article aria-label={`Operation ${id}`} className="flex flex-wrap items-start gap-x-4 gap-y-2 px-5 py-3">
      <div className="grid min-w-0 flex-1 basis-56 gap-0.5">
        <button
          type="button"
          onClick={onOpen}
          className="justify-self-start text-left font-medium break-words hover:underline"
        >
          {describeOperation(event)}
        </button>
        {status === 'failed' && error !== null && <p className="text-[13px] break-words text-bad">{error}</p>}
        <p className="flex flex-wrap gap-x-3 text-[13px] text-muted">
          <span>#{id}</span>
          <span>{notebook}</span>
          <span>{authorOf(author)}</span>
          <Time at={at} />
          {commit !== null && <span className="font-mono text-xs leading-5">{commit.slice(0, 8)}</span>}
        </p>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <Badge tone={tone}>{word}</Badge>
        {mayWrite && <EventActions event={event} />}
      </div>
    </article>
  );
}
