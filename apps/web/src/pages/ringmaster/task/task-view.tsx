import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { ringTaskQuery } from '../../../api/ringmaster-queries.ts';
import type { Attempt, Iteration, ShownTask } from '../../../api/types.ts';
import { byteSize, dollars, duration } from '../../../lib/format.ts';
import { Badge, Tag, Time, type Tone } from '../../../ui/badge.tsx';
import { CopyButton } from '../../../ui/button.tsx';
import { LinkedFrom } from '../../../ui/cross-link.tsx';
import { LongText } from '../../../ui/long-text.tsx';
import { BackLink, Card, Loaded, Page } from '../../../ui/page.tsx';
import { type Moment, Timeline } from '../../../ui/timeline.tsx';
import { Reasons, WhyCard } from '../ranking.tsx';
import { statusBadge } from '../status-badge.ts';
import { AnnounceWorkspace, AnswerForm, ToTask } from '../widgets.tsx';
import { TaskActions } from './task-actions.tsx';
import { Work } from './work.tsx';

/** Polling interval while the page follows the log, because the workspace's stream is paused during that time. */
const WHILE_LIVE_MS = 2_000;

interface TaskViewProps {
  readonly workspace: string;
  readonly id: string;
}

export function TaskView({ workspace, id }: TaskViewProps): ReactNode {
  const task = useQuery({
    ...ringTaskQuery(workspace, id),
    refetchInterval: ({ state }) => (state.data !== undefined && liveAttempt(state.data) ? WHILE_LIVE_MS : false),
  });
  return (
    <div className="mx-auto grid w-full max-w-6xl grid-cols-[minmax(0,1fr)] gap-3">
      <BackLink to="/ringmaster/$workspace/$view" params={{ workspace, view: 'board' }}>
        Board
      </BackLink>
      <Page
        title={task.data?.task.title ?? 'Task'}
        actions={task.data !== undefined && <TaskActions workspace={workspace} shown={task.data} />}
      >
        <Loaded query={task}>{(shown) => <Shown workspace={workspace} shown={shown} />}</Loaded>
        <AnnounceWorkspace />
      </Page>
    </div>
  );
}

function liveAttempt({ attempts }: ShownTask): boolean {
  return attempts.some(({ ended_at: ended }) => ended === null);
}

interface ShownProps {
  readonly workspace: string;
  readonly shown: ShownTask;
}

function Shown({ workspace, shown }: ShownProps): ReactNode {
  const { task, inquiries, held_because: held } = shown;
  const open = inquiries.filter(({ answered_at: at }) => at === null);
  return (
    <>
      <Facts shown={shown} />
      {open.length > 0 && (
        <Card title="Needs your answer" isFlush>
          <div className="divide-y divide-line border-t border-line">
            {open.map((inquiry) => (
              <AnswerForm key={inquiry.task_id} workspace={workspace} inquiry={inquiry} />
            ))}
          </div>
        </Card>
      )}
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-[minmax(0,5fr)_minmax(0,3fr)]">
        <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-6">
          <Card title="Description">
            {task.description === null || task.description === '' ? (
              <p className="text-muted">No description</p>
            ) : (
              <LongText text={task.description} />
            )}
          </Card>
          <Work workspace={workspace} shown={shown} />
          <Attempts shown={shown} />
        </div>
        <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-6">
          {held.length > 0 && (
            <Card title="Waiting for">
              <Reasons workspace={workspace} shown={shown} texts={held} />
            </Card>
          )}
          <WhyCard workspace={workspace} shown={shown} />
          <Links workspace={workspace} shown={shown} />
          <LinkedFrom path={`/ringmaster/${workspace}/tasks/${task.id}`} />
          <Answered shown={shown} />
        </div>
      </div>
    </>
  );
}

function Facts({ shown: { task, held_because: held } }: { readonly shown: ShownTask }): ReactNode {
  const { word, tone } = statusBadge(task.status, held.length > 0);
  const reason = task.status === 'failed' ? task.last_failure : task.blocked_reason;
  return (
    <div className="grid gap-3 rounded-xl border border-line bg-surface p-5">
      <div className="flex flex-wrap items-center gap-x-5 gap-y-2 text-[13px] text-muted">
        <Badge tone={tone}>{word}</Badge>
        <span className="font-medium text-text">{task.priority}</span>
        <Tag>{task.type}</Tag>
        {task.deleted_at !== null && <Badge tone="removed">Deleted</Badge>}
        {task.labels.map((label) => (
          <Tag key={label}>{label}</Tag>
        ))}
        {task.worker_id !== null && <span className="font-mono text-xs">{task.worker_id}</span>}
        <span>
          Changed <Time at={task.updated_at} />
        </span>
        <span className="flex items-center">
          <span className="font-mono text-xs">{task.id}</span>
          <CopyButton text={task.id} label="Copy task id" />
        </span>
      </div>
      {reason !== null && reason !== '' && (
        <p className="border-l-2 border-warn pl-3 break-words whitespace-pre-wrap">{reason}</p>
      )}
    </div>
  );
}

function Answered({ shown }: { readonly shown: ShownTask }): ReactNode {
  const answered = shown.inquiries.filter(({ answered_at: at }) => at !== null);
  if (answered.length === 0) return null;
  return (
    <Card title="Answered questions">
      <dl className="grid gap-3">
        {answered.map(({ task_id: id, title, answer, answered_by: by }) => (
          <div key={id} className="grid gap-0.5">
            <dt className="text-[13px] break-words text-muted">{title}</dt>
            <dd className="font-medium break-words">
              {answer} <span className="text-[13px] font-normal text-muted">by {by}</span>
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

interface Linked {
  readonly id: string;
  readonly title: string;
  readonly status: string;
  readonly type?: string;
  readonly is_held?: boolean;
}

function Links({ workspace, shown }: ShownProps): ReactNode {
  const { dependencies, dependents, children, progress } = shown;
  if (dependencies.length + dependents.length + children.length === 0) return null;
  return (
    <Card title="Related tasks">
      <div className="grid gap-5">
        <Group workspace={workspace} title="Depends on" links={dependencies} />
        <Group workspace={workspace} title="Blocks" links={dependents} />
        <Group workspace={workspace} title={`Subtasks, ${progress.done} of ${progress.total} done`} links={children} />
      </div>
    </Card>
  );
}

interface GroupProps {
  readonly workspace: string;
  readonly title: string;
  readonly links: readonly Linked[];
}

function Group({ workspace, title, links }: GroupProps): ReactNode {
  if (links.length === 0) return null;
  return (
    <div className="grid gap-2">
      <h3 className="text-[13px] font-medium text-muted">{title}</h3>
      <ul className="grid max-h-72 gap-2 overflow-y-auto">
        {links.map(({ id, title: text, status, type, is_held: isHeld = false }) => (
          <li key={`${id} ${type}`} className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <Badge tone={statusBadge(status, isHeld).tone}>{statusBadge(status, isHeld).word}</Badge>
            <ToTask workspace={workspace} id={id}>
              {text}
            </ToTask>
            {type !== undefined && type !== 'blocks' && <span className="text-xs text-muted">{type}</span>}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Attempts({ shown: { attempts, iterations } }: { readonly shown: ShownTask }): ReactNode {
  if (attempts.length === 0) return null;
  const moments = attempts.toReversed().map((attempt): Moment => ({
    id: String(attempt.id),
    at: attempt.started_at,
    title: <Title attempt={attempt} />,
    detail: <Detail attempt={attempt} turns={iterations.filter(({ attempt_id: of }) => of === attempt.id)} />,
  }));
  return (
    <Card title="Attempts">
      <Timeline moments={moments} />
    </Card>
  );
}

const outcomes: Readonly<Record<string, { readonly tone: Tone; readonly word: string }>> = {
  succeeded: { tone: 'good', word: 'Succeeded' },
  no_change: { tone: 'warn', word: 'No change' },
  review: { tone: 'changed', word: 'In review' },
  failed: { tone: 'bad', word: 'Failed' },
  blocked: { tone: 'warn', word: 'Blocked' },
  expired: { tone: 'warn', word: 'Expired' },
  released: { tone: 'cancelled', word: 'Released' },
};

function Title({
  attempt: { number, worker_id: worker, outcome, ended_at: ended },
}: {
  readonly attempt: Attempt;
}): ReactNode {
  const badge = ended === null ? { tone: 'busy' as const, word: 'Running' } : outcomes[outcome ?? ''];
  return (
    <span className="inline-flex flex-wrap items-center gap-2">
      Attempt {number}
      <Badge tone={badge?.tone ?? 'neutral'}>{badge?.word ?? outcome}</Badge>
      <span className="font-mono text-xs font-normal text-muted">{worker}</span>
    </span>
  );
}

function Detail({ attempt, turns }: { readonly attempt: Attempt; readonly turns: readonly Iteration[] }): ReactNode {
  const { reason, progress, failure_class: kind } = attempt;
  return (
    <div className="grid gap-1.5 text-[13px] text-muted">
      {reason !== null && (
        <p className="break-words whitespace-pre-wrap">{kind === null ? reason : `${kind}: ${reason}`}</p>
      )}
      {progress !== null && <p className="break-words">{progress}</p>}
      {turns.map((turn) => (
        <p key={turn.number} className="flex flex-wrap gap-x-3">
          <span>Turn {turn.number}</span>
          <span>{turn.result ?? 'running'}</span>
          {turn.ended_at !== null && (
            <span>{duration((Date.parse(turn.ended_at) - Date.parse(turn.started_at)) / 1_000)}</span>
          )}
          {turn.exit_code !== null && <span>exit {turn.exit_code}</span>}
          <span>{byteSize(turn.output_bytes)}</span>
          {turn.cost_usd !== null && <span>{dollars(turn.cost_usd)}</span>}
          {turn.failure !== null && <span className="w-full break-words whitespace-pre-wrap">{turn.failure}</span>}
        </p>
      ))}
    </div>
  );
}
