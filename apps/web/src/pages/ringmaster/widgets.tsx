import { Link } from '@tanstack/react-router';
import type { LucideIcon } from 'lucide-react';
import { type ReactNode, useCallback, useState } from 'react';

import { ringmasterApi } from '../../api/clients.ts';
import type { Inquiry, QueueEntry, Workspace } from '../../api/types.ts';
import { useAction } from '../../api/use-action.ts';
import { useFilters } from '../../lib/filters.ts';
import { useMay } from '../../lib/permissions.ts';
import { useStore } from '../../lib/store.ts';
import { AnnounceChanges } from '../../ui/announce.tsx';
import { Badge, Tag, Time } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmButton } from '../../ui/dialog.tsx';
import { Choice, controlClass, Form, SearchBox } from '../../ui/field.tsx';
import { LongText } from '../../ui/long-text.tsx';
import { workspaceChanges } from './workspace-stream.ts';

interface TaskLinkProps {
  readonly workspace: string;
  readonly id: string;
  readonly children: ReactNode;
}

export function ToTask({ workspace, id, children }: TaskLinkProps): ReactNode {
  return (
    <Link
      to="/ringmaster/$workspace/tasks/$id"
      params={{ workspace, id }}
      dir="auto"
      className="min-w-0 font-medium break-words underline decoration-line-strong underline-offset-2 hover:decoration-current"
    >
      {children}
    </Link>
  );
}

interface RunningRowProps {
  readonly workspace: string;
  readonly entry: QueueEntry;
  readonly children?: ReactNode;
}

export function RunningRow({ workspace, entry, children }: RunningRowProps): ReactNode {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1 px-5 py-2">
      <Badge tone="busy">Running</Badge>
      <div className="min-w-0 flex-1 basis-48">
        <ToTask workspace={workspace} id={entry.task_id}>
          {entry.title}
        </ToTask>
      </div>
      <p className="flex flex-wrap items-center gap-x-3 text-[13px] text-muted">
        <span className="font-mono text-xs">{entry.worker_id}</span>
        {entry.assigned_at !== null && (
          <span>
            started <Time at={entry.assigned_at} />
          </span>
        )}
      </p>
      {children}
    </div>
  );
}

interface StopButtonProps {
  readonly workspace: string;
  readonly id: string;
  readonly title: string;
  readonly isCancelling?: boolean;
  readonly icon?: LucideIcon;
}

export function StopButton({ workspace, id, title, isCancelling = false, icon }: StopButtonProps): ReactNode {
  const mayChange = useMay('app:ringmaster:write');
  const cancel = useAction({
    failed: 'Could not cancel the task',
    done: () => 'Stopping the worker',
    touches: ['ringmaster', 'ringmaster-why'],
    run: () =>
      ringmasterApi.POST('/workspaces/{workspace}/tasks/{task}/cancel', { params: { workspace, task: id }, body: {} }),
  });
  if (!mayChange) return null;
  return (
    <ConfirmButton
      variant="danger"
      size="small"
      icon={icon}
      aria-label={`Cancel ${title}`}
      title={`Cancel work on ${title}?`}
      action="Stop worker"
      mutation={cancel}
      explanation={
        <p>
          Stops the worker and all processes it started. The changes so far stay on the attempt&rsquo;s branch, and the
          task becomes ready again.
        </p>
      }
    >
      {isCancelling ? 'Cancelling …' : 'Cancel'}
    </ConfirmButton>
  );
}

interface AnswerProps {
  readonly workspace: string;
  readonly inquiry: Inquiry;
}

/** Answers a decision or question with one of its options, or with free text if it has none. */
export function AnswerForm({ workspace, inquiry }: AnswerProps): ReactNode {
  const { task_id: id, title, type, context, options, recommendation, urgency } = inquiry;
  const [text, setText] = useState('');
  const mayAnswer = useMay('app:ringmaster:write');
  const answer = useAction({
    failed: 'Could not send the answer',
    done: () => (type === 'decision' ? 'Answered. Blocked work can continue.' : 'Answered'),
    touches: ['ringmaster'],
    run: (given: string) =>
      ringmasterApi.POST('/workspaces/{workspace}/inquiries/{inquiry}/answer', {
        params: { workspace, inquiry: id },
        body: { answer: given },
      }),
  });
  return (
    <article aria-label={title} className="grid gap-3 px-5 py-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
        <Badge tone="warn">{type === 'decision' ? 'Decision' : 'Question'}</Badge>
        {urgency === 'high' && <Badge tone="bad">Urgent</Badge>}
        <span className="text-[13px] text-muted">
          about{' '}
          <ToTask workspace={workspace} id={inquiry.about_id}>
            {inquiry.about_title}
          </ToTask>
        </span>
      </div>
      <p dir="auto" className="font-medium break-words">
        {title}
      </p>
      {context !== null && context !== '' && <LongText text={context} />}
      {mayAnswer && (
        <>
          {options.length > 0 ? (
            <div role="group" aria-label="Options" className="flex flex-wrap gap-2">
              {options.map((option) => (
                <Button key={option} size="small" isBusy={answer.isPending} onClick={() => answer.mutate(option)}>
                  {option}
                  {option === recommendation && <Tag>recommended</Tag>}
                </Button>
              ))}
            </div>
          ) : (
            <Form
              className="flex flex-wrap gap-2"
              onSubmit={() => {
                if (text.trim() !== '') answer.mutate(text.trim());
              }}
            >
              <input
                dir="auto"
                aria-label={`Answer to: ${title}`}
                placeholder="Your answer"
                className={`${controlClass} flex-1 basis-48`}
                value={text}
                onChange={({ target }) => setText(target.value)}
              />
              <Button type="submit" variant="primary" isBusy={answer.isPending} disabled={text.trim() === ''}>
                Send answer
              </Button>
            </Form>
          )}
        </>
      )}
    </article>
  );
}

interface WorkspaceFiltersProps {
  readonly workspace: Workspace;
  readonly label?: string;
  readonly children?: ReactNode;
}

export function WorkspaceFilters({ workspace, label, children }: WorkspaceFiltersProps): ReactNode {
  const [{ project = '', text = '' }, change] = useFilters();
  const search = useCallback((next: string) => change({ text: next }), [change]);
  const projects = workspace.projects.map(({ id, name }) => ({ value: id, label: name }));
  return (
    <div className="flex flex-col gap-3 sm:flex-row sm:items-center">
      {label !== undefined && <SearchBox label={label} value={text} onChange={search} />}
      {projects.length > 1 && (
        <div className="sm:w-56">
          <Choice
            label="Project"
            isLabelHidden
            value={project}
            options={[{ value: '', label: 'All projects' }, ...projects]}
            onChange={(next) => change({ project: next }, true)}
          />
        </div>
      )}
      {children}
    </div>
  );
}

export function AnnounceWorkspace(): ReactNode {
  return (
    <AnnounceChanges
      changes={useStore(workspaceChanges)}
      describe={({ entity_id: id, event_type: type }) => `${id}: ${type.replaceAll('_', ' ')}`}
    />
  );
}
