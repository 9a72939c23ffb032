import { useQuery } from '@tanstack/react-query';
import { Check, GitMerge, MessageSquareReply, SearchCheck } from 'lucide-react';
import { type ReactNode, useState } from 'react';

import { reviewQuery, taskDiffQuery } from '../../../api/ringmaster-queries.ts';
import type { BoardTask, Workspace } from '../../../api/types.ts';
import { statusOf } from '../../../lib/error-reason.ts';
import { useFilters } from '../../../lib/filters.ts';
import { count } from '../../../lib/format.ts';
import { useMedia } from '../../../lib/media.ts';
import { useMay } from '../../../lib/permissions.ts';
import { useStore } from '../../../lib/store.ts';
import { Button } from '../../../ui/button.tsx';
import { Segments, TextArea } from '../../../ui/field.tsx';
import { Card, EmptyState, Loaded } from '../../../ui/page.tsx';
import { ToTask } from '../widgets.tsx';
import { commentsOf, commentTexts, unsentComments } from './line-comments.ts';
import { ReviewedDiff } from './reviewed-diff.tsx';
import { useReview } from './use-review.ts';

/** Work that waits for a person: the queue, and the chosen task's changes. */
export function ReviewView({ workspace }: { readonly workspace: Workspace }): ReactNode {
  const tasks = useQuery(reviewQuery(workspace.id));
  return (
    <Loaded query={tasks}>
      {(found) =>
        found.length === 0 ? (
          <Card isFlush>
            <EmptyState icon={SearchCheck} title="Nothing to review">
              <p>
                Finished work appears here for your approval if the project&rsquo;s setting &ldquo;Review&rdquo; is
                &ldquo;By a person&rdquo;.
              </p>
            </EmptyState>
          </Card>
        ) : (
          <Queue workspace={workspace.id} tasks={found} />
        )
      }
    </Loaded>
  );
}

interface QueueProps {
  readonly workspace: string;
  readonly tasks: readonly BoardTask[];
}

function Queue({ workspace, tasks }: QueueProps): ReactNode {
  const [{ task: wanted }, change] = useFilters();
  const [checked, setChecked] = useState<ReadonlySet<string>>(new Set());
  const mayChange = useMay('app:ringmaster:write');
  const current = tasks.find(({ id }) => id === wanted) ?? tasks[0];
  const chosen = tasks.filter(({ id }) => checked.has(id)).map(({ id }) => id);
  const check = (ids: readonly string[], isChecked: boolean): void => {
    const next = new Set(checked);
    for (const id of ids) {
      if (isChecked) next.add(id);
      else next.delete(id);
    }
    setChecked(next);
  };
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-[17rem_minmax(0,1fr)]">
      <section aria-label="Review queue" className="overflow-hidden rounded-xl border border-line bg-surface">
        {mayChange && (
          <label className="flex items-center gap-3 border-b border-line px-4 py-2 text-[13px] text-muted">
            <input
              type="checkbox"
              className="accent-accent"
              checked={chosen.length === tasks.length}
              onChange={({ target }) =>
                check(
                  tasks.map(({ id }) => id),
                  target.checked,
                )
              }
            />
            Select all {count(tasks.length)}
          </label>
        )}
        {chosen.length > 0 && <BulkActions workspace={workspace} tasks={chosen} onDone={() => setChecked(new Set())} />}
        <ul className="max-h-44 divide-y divide-line overflow-y-auto lg:max-h-[70vh]">
          {tasks.map(({ id, title }) => (
            <li key={id} className={`flex items-start gap-3 px-4 py-2 ${id === current?.id ? 'bg-accent-soft' : ''}`}>
              {mayChange && (
                <input
                  type="checkbox"
                  aria-label={`Select ${title}`}
                  className="mt-1 accent-accent"
                  checked={checked.has(id)}
                  onChange={({ target }) => check([id], target.checked)}
                />
              )}
              <button
                type="button"
                aria-current={id === current?.id ? 'true' : undefined}
                onClick={() => change({ task: id })}
                className="grid min-w-0 flex-1 text-left"
              >
                <span dir="auto" className="line-clamp-2 font-medium break-words">
                  {title}
                </span>
                <span className="font-mono text-xs text-muted">{id}</span>
              </button>
            </li>
          ))}
        </ul>
      </section>
      {current !== undefined && <TaskReview key={current.id} workspace={workspace} task={current} />}
    </div>
  );
}

interface BulkActionsProps {
  readonly workspace: string;
  readonly tasks: readonly string[];
  readonly onDone: () => void;
}

function BulkActions({ workspace, tasks, onDone }: BulkActionsProps): ReactNode {
  const { approve, merge } = useReview(workspace);
  const isBusy = approve.isPending || merge.isPending;
  return (
    <div role="group" aria-label="Selected tasks" className="flex flex-wrap gap-2 border-b border-line px-4 py-2">
      <Button size="small" variant="primary" isBusy={isBusy} onClick={() => merge.mutate(tasks, { onSettled: onDone })}>
        Merge {count(tasks.length)}
      </Button>
      <Button size="small" isBusy={isBusy} onClick={() => approve.mutate(tasks, { onSuccess: onDone })}>
        Approve {count(tasks.length)}
      </Button>
    </div>
  );
}

const layouts = [
  { value: 'split', label: 'Side by side' },
  { value: 'unified', label: 'Unified' },
] as const;

interface TaskReviewProps {
  readonly workspace: string;
  readonly task: BoardTask;
}

function TaskReview({ workspace, task: { id, title } }: TaskReviewProps): ReactNode {
  const diff = useQuery(taskDiffQuery(workspace, id));
  const isWide = useMedia('(min-width: 64rem)');
  const [layout, setLayout] = useState<(typeof layouts)[number]['value']>();
  const comments = commentsOf(useStore(unsentComments), id);
  const mayChange = useMay('app:ringmaster:write');
  const shown = layout ?? (isWide ? 'split' : 'unified');
  return (
    <section aria-label={`Review of ${title}`} className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-4">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <ToTask workspace={workspace} id={id}>
          {title}
        </ToTask>
        <Segments label="Layout of the changes" value={shown} options={layouts} onChange={setLayout} />
      </div>
      {statusOf(diff.error) === 404 ? (
        <p className="text-muted">No changes to show: no worker has changed files for this task.</p>
      ) : (
        <Loaded query={diff}>
          {({ patch, files, is_cut: isCut }) => (
            <>
              {files.length === 0 && <p className="text-muted">No files changed</p>}
              <ReviewedDiff
                task={id}
                patch={patch}
                isSplit={shown === 'split'}
                comments={comments}
                mayComment={mayChange}
              />
              {isCut && <p className="text-warn">The diff is truncated. Use git to see the rest.</p>}
            </>
          )}
        </Loaded>
      )}
      {mayChange && <Verdict workspace={workspace} id={id} hasWork={diff.data !== undefined} />}
    </section>
  );
}

interface VerdictProps {
  readonly workspace: string;
  readonly id: string;
  readonly hasWork: boolean;
}

function Verdict({ workspace, id, hasWork }: VerdictProps): ReactNode {
  const [text, setText] = useState('');
  const comments = commentsOf(useStore(unsentComments), id);
  const { approve, merge, request } = useReview(workspace);
  const isBusy = approve.isPending || merge.isPending || request.isPending;
  const written = commentTexts(comments).length;
  return (
    <div className="grid gap-3 rounded-xl lg:sticky lg:bottom-0 border border-line bg-raised p-4 shadow-lg">
      <TextArea label="Comment on the whole change" rows={2} value={text} onChange={setText} />
      <div className="flex flex-wrap gap-2">
        {hasWork && (
          <Button variant="primary" icon={GitMerge} isBusy={isBusy} onClick={() => merge.mutate([id])}>
            Approve and merge
          </Button>
        )}
        <Button icon={Check} isBusy={isBusy} onClick={() => approve.mutate([id])}>
          Approve
        </Button>
        <Button
          icon={MessageSquareReply}
          isBusy={isBusy}
          disabled={text.trim() === '' && written === 0}
          onClick={() => request.mutate({ task: id, text, comments })}
        >
          Request changes{written > 0 && ` (${count(written, 'comment')})`}
        </Button>
      </div>
    </div>
  );
}
