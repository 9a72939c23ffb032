import { CircleAlert, CircleCheck, CloudOff, GitCommitHorizontal, LoaderCircle, Pencil } from 'lucide-react';
import type { ReactNode } from 'react';

import { exactTime } from '../../../lib/format.ts';
import { reasonOf } from '../../../lib/error-reason.ts';
import { type Store, useStore } from '../../../lib/store.ts';
import { Button } from '../../../ui/button.tsx';
import type { SaveStatus } from './save/save-status.ts';

interface SaveStateProps {
  readonly status: Store<SaveStatus>;
  /** Why git ignores the file, if it does. */
  readonly gitReason: string | null;
  readonly onRetry: () => void;
}

const SHA_SHOWN = 7;

/** Whether the text is in the page, on the server or in the history. */
export function SaveState({ status: store, gitReason, onRetry }: SaveStateProps): ReactNode {
  const status = useStore(store);
  const isTrouble = status.kind === 'offline' || status.kind === 'failed';
  return (
    <div
      data-save={status.kind}
      title={titleOf(status, gitReason)}
      className={`flex min-w-0 items-center gap-1.5 text-[13px] ${isTrouble ? 'text-warn' : 'text-muted'}`}
    >
      {iconOf(status)}
      <span role={isTrouble ? 'status' : undefined} className="min-w-0 truncate">
        {textOf(status)}
      </span>
      {isTrouble && (
        <Button size="small" onClick={onRetry}>
          Save now
        </Button>
      )}
    </div>
  );
}

function iconOf({ kind }: SaveStatus): ReactNode {
  const icon = 'size-4 shrink-0';
  if (kind === 'editing') return <Pencil className={icon} aria-hidden />;
  if (kind === 'saving') return <LoaderCircle className={`${icon} animate-spin`} aria-hidden />;
  if (kind === 'saved') return <CircleCheck className={icon} aria-hidden />;
  if (kind === 'offline') return <CloudOff className={icon} aria-hidden />;
  if (kind === 'committed' || kind === 'unchanged') return <GitCommitHorizontal className={icon} aria-hidden />;
  return <CircleAlert className={icon} aria-hidden />;
}

function textOf(status: SaveStatus): string {
  switch (status.kind) {
    case 'unchanged':
      return status.sha === null ? 'Saved' : 'Committed';
    case 'editing':
      return 'Editing …';
    case 'saving':
      return 'Saving …';
    case 'saved':
      return 'Saved';
    case 'committed':
      return 'Committed';
    case 'offline':
      return status.isKept ? 'Offline; saved in this browser' : 'Offline; not saved';
    case 'failed':
      return `Not saved: ${reasonOf(status.error).title}`;
    case 'conflict':
      return 'Changed in two places';
    case 'gone':
    default:
      return 'Deleted';
  }
}

function titleOf(status: SaveStatus, gitReason: string | null): string {
  const notInGit = gitReason === null ? 'Not committed yet.' : `Not in the history: ${gitReason}`;
  switch (status.kind) {
    case 'unchanged':
      return status.sha === null ? notInGit : `Committed as ${short(status.sha)}`;
    case 'saved':
      return `Saved at ${exactTime(status.at)}. ${notInGit}`;
    case 'committed':
      return `Saved at ${exactTime(status.at)}, committed as ${short(status.sha)}`;
    case 'failed':
      return reasonOf(status.error).hint;
    case 'offline':
      return 'Will be saved when the server responds.';
    case 'editing':
    case 'saving':
    case 'conflict':
    case 'gone':
    default:
      return textOf(status);
  }
}

function short(sha: string): string {
  return sha.slice(0, SHA_SHOWN);
}
