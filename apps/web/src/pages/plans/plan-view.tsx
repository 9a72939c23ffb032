import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { FileJson, FileText, ListPlus, SearchX } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';

import { npApi } from '../../api/clients.ts';
import { planEventsQuery, planQuery } from '../../api/np-queries.ts';
import type { Plan, PlanEvent, PlanTask } from '../../api/types.ts';
import { useFilters } from '../../lib/filters.ts';
import { useStore } from '../../lib/store.ts';
import { Badge, Tag, Time, type Tone } from '../../ui/badge.tsx';
import { buttonClass, Command, CopyButton } from '../../ui/button.tsx';
import { LinkedFrom } from '../../ui/cross-link.tsx';
import { DiffView } from '../../ui/diff-view.tsx';
import { Segments } from '../../ui/field.tsx';
import { LongText } from '../../ui/long-text.tsx';
import { BackLink, Card, EmptyState, Loaded, MoreButton, NotLoaded, Page } from '../../ui/page.tsx';
import { highlightClass, type Moment, Timeline } from '../../ui/timeline.tsx';
import { VirtualList } from '../../ui/virtual-list.tsx';
import { PlanButtons } from './plan-dialogs.tsx';
import { Progress, SessionBadge, type Status, statuses, statusStyles } from './plan-status.tsx';
import { recentPlans } from './plan-stream.ts';
import { TaskMenu } from './task-menu.tsx';

export function PlanView({ sid }: { readonly sid: string }): ReactNode {
  const plan = useQuery(planQuery(sid));
  const title = plan.data === undefined ? 'Plan' : (plan.data.goal?.title ?? 'No goal yet');
  return (
    <div className="mx-auto grid w-full max-w-6xl grid-cols-[minmax(0,1fr)] gap-3">
      <BackLink to="/plans">All plans</BackLink>
      <Page
        title={title}
        description={
          <span dir="auto" className="block text-left whitespace-pre-wrap">
            {plan.data?.goal?.description}
          </span>
        }
        actions={
          plan.data !== undefined && (
            <div className="flex flex-wrap gap-2">
              <PlanButtons plan={plan.data} />
              <Export sid={sid} />
            </div>
          )
        }
      >
        <Loaded query={plan}>
          {(found) => (
            <>
              <Facts plan={found} />
              <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
                <PlanTasks plan={found} />
                <div className="grid min-w-0 gap-6">
                  <LinkedFrom path={`/plans/${sid}`} />
                  <PlanEvents sid={sid} />
                </div>
              </div>
            </>
          )}
        </Loaded>
      </Page>
    </div>
  );
}

function Export({ sid }: { readonly sid: string }): ReactNode {
  const address = (format: 'md' | 'json'): string =>
    npApi.url('/sessions/{sid}/export', { params: { sid }, query: { format } });
  return (
    <>
      <a href={address('md')} download className={buttonClass('plain', 'small')}>
        <FileText className="size-3.5" aria-hidden />
        Export as Markdown
      </a>
      <a href={address('json')} download className={buttonClass('plain', 'small')}>
        <FileJson className="size-3.5" aria-hidden />
        Export as JSON
      </a>
    </>
  );
}

function Facts({ plan: { session, counts } }: { readonly plan: Plan }): ReactNode {
  const ended = session.archived_at;
  return (
    <div className="grid gap-4 rounded-xl border border-line bg-surface p-5">
      <Progress counts={counts} />
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2 text-[13px] text-muted">
        <SessionBadge state={session.state} />
        <span className="flex min-w-0 items-center">
          <span className="min-w-0 font-mono text-xs break-all">{session.dir_path}</span>
          <CopyButton text={session.dir_path} label="Copy directory path" />
        </span>
        <span>
          Started <Time at={session.created_at} />
        </span>
        <span>
          {ended === null ? 'Changed ' : 'Archived '}
          <Time at={ended ?? session.last_updated_at} />
        </span>
        <span className="flex items-center">
          <span className="font-mono text-xs break-all">{session.sid}</span>
          <CopyButton text={session.sid} label="Copy session id" />
        </span>
      </div>
    </div>
  );
}

const ROW_HEIGHT = 84;

function PlanTasks({ plan }: { readonly plan: Plan }): ReactNode {
  const { tasks, counts } = plan;
  const [{ status = '' }, change] = useFilters();
  const chosen = statuses.find((each) => each === status);
  const shown = useMemo(
    () => (chosen === undefined ? tasks : tasks.filter((task) => task.status === chosen)),
    [tasks, chosen],
  );
  const options: readonly { readonly value: Status | ''; readonly label: string; readonly count: number }[] = [
    { value: '', label: 'All', count: tasks.length },
    ...statuses
      .filter((each) => counts[each] > 0 || each === chosen)
      .map((each) => ({ value: each, label: statusStyles[each].word, count: counts[each] })),
  ];
  return (
    <Card title="Tasks" isFlush>
      {tasks.length === 0 ? (
        <EmptyState icon={ListPlus} title="No tasks yet">
          <p>Add the first task here, or in the project directory:</p>
          <Command text={'np task add -t "First step" -d "How to do it"'} />
        </EmptyState>
      ) : (
        <>
          <div className="border-b border-line px-3 pb-2">
            <Segments
              label="Tasks by status"
              value={chosen ?? ''}
              options={options}
              onChange={(next) => change({ status: next })}
            />
          </div>
          {shown.length === 0 ? (
            <EmptyState icon={SearchX} title={`No ${statusStyles[chosen ?? 'pending'].word.toLowerCase()} tasks`} />
          ) : (
            <VirtualList
              label="Task list"
              rows={shown}
              rowHeight={ROW_HEIGHT}
              keyOf={({ id }) => id}
              render={(task) => <PlanTaskRow plan={plan} task={task} />}
            />
          )}
        </>
      )}
    </Card>
  );
}

function PlanTaskRow({ plan, task }: { readonly plan: Plan; readonly task: PlanTask }): ReactNode {
  const { id, title, description, status, actor, claimed_until: until, after = [], updated_at: at } = task;
  const isFresh = useStore(recentPlans).has(`${plan.session.sid}/${id}`);
  const notes = plan.notes.filter((note) => note.task_id === id);
  const isOver = status === 'completed' || status === 'cancelled';
  return (
    <article
      aria-label={title}
      data-fresh={isFresh || undefined}
      className={`grid gap-1.5 px-5 py-3.5 ${highlightClass(isFresh)}`}
    >
      <div className="flex flex-wrap items-start gap-x-3 gap-y-1">
        <h3
          dir="auto"
          className={`min-w-0 flex-1 basis-40 text-left font-medium break-words ${isOver ? 'text-muted' : ''}`}
        >
          {title}
        </h3>
        <Badge tone={statusStyles[status].tone}>{statusStyles[status].word}</Badge>
        <div className="-my-2">
          <TaskMenu plan={plan} task={task} />
        </div>
      </div>
      {description !== '' && <LongText text={description} />}
      {notes.map(({ seq, text }) => (
        <LongText key={seq} text={`Note: ${text}`} />
      ))}
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-muted">
        <span className="font-mono">{id}</span>
        {after.length > 0 && <Tag>after {after.join(', ')}</Tag>}
        {actor !== undefined && status === 'in_progress' && <Tag>claimed by {actor}</Tag>}
        {until !== undefined && (
          <span>
            until <Time at={until} />
          </span>
        )}
        <Time at={at} />
      </p>
    </article>
  );
}

function PlanEvents({ sid }: { readonly sid: string }): ReactNode {
  const query = useInfiniteQuery(planEventsQuery(sid));
  const { data } = query;
  const fresh = useStore(recentPlans);
  const moments = useMemo(
    () =>
      (data?.pages ?? []).flatMap((page) =>
        page.data.map((event) => momentOf(event, fresh.has(`${sid}/#${event.seq}`))),
      ),
    [data, fresh, sid],
  );
  return (
    <Card title="Timeline" description="Every change and the command that made it.">
      {data === undefined ? (
        <NotLoaded query={query} />
      ) : (
        <>
          <Timeline moments={moments} />
          <MoreButton query={query} size="small" className="mt-5 grid justify-items-center">
            Show older
          </MoreButton>
        </>
      )}
    </Card>
  );
}

const words = { open: 'Reopened', busy: 'Started', good: 'Completed', bad: 'Failed', cancelled: 'Cancelled' } as const;

function momentOf(event: PlanEvent, isFresh: boolean): Moment {
  return {
    id: String(event.seq),
    at: event.at,
    title: <Title event={event} />,
    detail: <Detail event={event} />,
    isFresh,
  };
}

function Title({ event }: { readonly event: PlanEvent }): ReactNode {
  const tone = toneOf(event);
  if (event.type !== 'task_status_changed') return <span className="break-words">{describeEvent(event)}</span>;
  return (
    <span className="break-words">
      <Badge tone={tone}>{tone in words ? words[tone as keyof typeof words] : ''}</Badge>{' '}
      <bdi>{event.payload.title}</bdi>
    </span>
  );
}

function Detail({ event }: { readonly event: PlanEvent }): ReactNode {
  const { seq, actor, cmd, reason } = event;
  const rewording = rewordingOf(event);
  return (
    <div className="grid min-w-0 gap-2">
      {reason !== null && (
        <p dir="auto" className="border-s-2 border-accent ps-3 break-words whitespace-pre-wrap">
          <span className="sr-only">Reason: </span>
          {reason}
        </p>
      )}
      <p className="flex min-w-0 gap-2 font-mono text-xs text-muted">
        <span className="shrink-0">#{seq}</span>
        {actor !== undefined && <bdi className="shrink-0">{actor}</bdi>}
        <span className="line-clamp-2 min-w-0 break-words" title={cmd}>
          {cmd}
        </span>
      </p>
      {rewording !== undefined && (
        <details>
          <summary className="text-[13px] text-muted">Show changes</summary>
          <div className="mt-2">
            <DiffView label={`Change ${seq}`} before={rewording.before} after={rewording.after} />
          </div>
        </details>
      )}
    </div>
  );
}

export function describeEvent({ type, payload }: PlanEvent): string {
  switch (type) {
    case 'session_started':
      return 'Session started';
    case 'session_archived':
      return 'Session archived';
    case 'session_unarchived':
      return 'Session active again';
    case 'task_noted':
      return `Note on ${payload.title}: ${payload.note}`;
    case 'change_undone':
      return `Undone: ${payload.change}`;
    case 'goal_set':
      return `Goal set: ${payload.goal.title}`;
    case 'goal_updated':
      return `Goal changed: ${payload.goal_after.title}`;
    case 'task_added':
      return `Task added: ${payload.task.title}`;
    case 'task_updated':
      return `Task edited: ${payload.after.title}`;
    case 'task_status_changed':
      return `${statusStyles[payload.status_after].word}: ${payload.title}`;
    case 'task_deleted':
      return `Task deleted: ${payload.task.title}`;
    case 'task_moved':
      return `Task moved from position ${payload.position_before} to ${payload.position_after}: ${payload.title}`;
    case 'task_claimed':
    default:
      return payload.actor === null ? `Task released: ${payload.title}` : `${payload.actor} claimed: ${payload.title}`;
  }
}

function toneOf({ type, payload }: PlanEvent): Tone {
  if (type === 'task_status_changed') return statusStyles[payload.status_after].tone;
  if (type === 'task_added' || type === 'goal_set' || type === 'session_started') return 'added';
  if (type === 'task_deleted') return 'removed';
  return type === 'session_archived' ? 'paused' : 'changed';
}

interface Texts {
  readonly title: string;
  readonly description: string;
}

function rewordingOf({ type, payload }: PlanEvent): { readonly before: string; readonly after: string } | undefined {
  if (type === 'goal_updated') return { before: textOf(payload.goal_before), after: textOf(payload.goal_after) };
  if (type === 'task_updated') return { before: textOf(payload.before), after: textOf(payload.after) };
  return undefined;
}

function textOf({ title, description }: Texts): string {
  return description === '' ? title : `${title}\n${description}`;
}
