import type { ReactNode } from 'react';

import type { NoteFile } from '../../../api/types.ts';
import { byteSize } from '../../../lib/format.ts';
import { Badge } from '../../../ui/badge.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { Time } from '../../../ui/time.tsx';
import { DetailsPart } from './details-part.tsx';

const HASH_SHOWN = 12;

export function FileFacts({ note }: { readonly note: NoteFile }): ReactNode {
  const { size, content_type: type, created_at: created, updated_at: updated, hash } = note;
  return (
    <DetailsPart title="File">
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1.5">
        <Fact title="Size">{byteSize(size)}</Fact>
        <Fact title="Type">{type}</Fact>
        <Fact title="Changed">
          <Time at={updated} />
        </Fact>
        <Fact title="Created">
          <Time at={created} />
        </Fact>
        <Fact title="SHA-256">
          <span className="flex items-center">
            <span className="font-mono text-xs">{hash.slice(0, HASH_SHOWN)}…</span>
            <CopyButton text={hash} label="Copy SHA-256" />
          </span>
        </Fact>
        <Fact title="History">
          <GitState note={note} />
        </Fact>
      </dl>
    </DetailsPart>
  );
}

function GitState({ note }: { readonly note: NoteFile }): ReactNode {
  const { git_tracked: isTracked, git_reason: reason, last_commit_hash: commit } = note;
  if (!isTracked) {
    return (
      <span className="grid justify-items-start gap-1">
        <Badge tone="warn">Ignored by git</Badge>
        {reason !== null && <span className="break-words text-muted">{reason}</span>}
      </span>
    );
  }
  return commit === null ? (
    <Badge tone="busy">Not committed yet</Badge>
  ) : (
    <span className="font-mono text-xs">{commit.slice(0, 8)}</span>
  );
}

function Fact({ title, children }: { readonly title: string; readonly children: ReactNode }): ReactNode {
  return (
    <>
      <dt className="text-muted">{title}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </>
  );
}
