import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { CircleCheck, Network, Plus } from 'lucide-react';
import { type ReactNode, Suspense, useEffect, useState } from 'react';

import { attentionQuery, statusQuery, usePollInterval, workspacesQuery } from '../../api/ringmaster-queries.ts';
import type { BoardTask, Inquiry, Workspace } from '../../api/types.ts';
import { count } from '../../lib/format.ts';
import { lazyPart } from '../../lib/lazy-part.ts';
import { useMay } from '../../lib/permissions.ts';
import { followStream } from '../../live/streams.ts';
import { Badge, Tag } from '../../ui/badge.tsx';
import { Button, buttonClass, Command } from '../../ui/button.tsx';
import { Card, EmptyState, Loaded, Page, Skeleton } from '../../ui/page.tsx';
import { statusBadges, workspaceName } from './status-badge.ts';
import { AnswerForm, RunningRow, ToTask } from './widgets.tsx';
import { workspaceStream } from './workspace-stream.ts';
import { WorkspaceView } from './workspace-view.tsx';

const AddProject = lazyPart(async () => (await import('./add-project.tsx')).AddProject);
const TaskView = lazyPart(async () => (await import('./task/task-view.tsx')).TaskView);

interface Params {
  readonly workspace?: string;
  readonly view?: string;
  readonly id?: string;
}

export function Component(): ReactNode {
  const { workspace, view, id }: Params = useParams({ strict: false });
  useEffect(
    () => (workspace === undefined ? undefined : followStream(workspaceStream(workspace), 'page')),
    [workspace],
  );
  if (workspace === undefined) return <Overview />;
  return id === undefined ? (
    <WorkspaceView key={workspace} workspace={workspace} view={view ?? 'board'} />
  ) : (
    <Suspense fallback={<Skeleton />}>
      <TaskView key={`${workspace} ${id}`} workspace={workspace} id={id} />
    </Suspense>
  );
}

function Overview(): ReactNode {
  const workspaces = useQuery({ ...workspacesQuery, ...usePollInterval() });
  const mayAdd = useMay('app:ringmaster:admin');
  const [isAdding, setAdding] = useState(false);
  return (
    <Page
      title="Ringmaster"
      description="Workers complete tasks in these projects. Tasks that need you come first."
      actions={
        mayAdd && (
          <Button variant="primary" icon={Plus} onClick={() => setAdding(true)}>
            Add project
          </Button>
        )
      }
    >
      {isAdding && (
        <Suspense>
          <AddProject onClose={() => setAdding(false)} />
        </Suspense>
      )}
      <Loaded query={workspaces}>
        {(all) =>
          all.length === 0 ? (
            <NoWorkspaces />
          ) : (
            all.map((workspace) => <WorkspaceCard key={workspace.id} workspace={workspace} />)
          )
        }
      </Loaded>
    </Page>
  );
}

const firstSteps = [
  'ringmaster init --name "My project"',
  'ringmaster task add "First step" -d "What done means"',
  'ringmaster run',
] as const;

function NoWorkspaces(): ReactNode {
  return (
    <Card isFlush>
      <EmptyState icon={Network} title="No projects yet">
        <p>
          Add one above, or run these commands in a project directory. Before the last one, define a worker in{' '}
          <code className="font-mono text-[13px]">ringmaster.toml</code>: Claude, OpenAI Codex, aider or any other
          command.
        </p>
        <div className="grid w-[min(26rem,70vw)] gap-2 text-left text-text">
          {firstSteps.map((text) => (
            <Command key={text} text={text} />
          ))}
        </div>
      </EmptyState>
    </Card>
  );
}

const RUNNING_SHOWN = 8;

function WorkspaceCard({ workspace }: { readonly workspace: Workspace }): ReactNode {
  return (
    <Card
      title={workspaceName(workspace.root)}
      description={<span className="font-mono text-xs break-all">{workspace.root}</span>}
      isFlush
      actions={workspace.problem === null && <ViewLinks workspace={workspace.id} />}
    >
      {workspace.problem === null ? <Work workspace={workspace} /> : <Problem text={workspace.problem} />}
    </Card>
  );
}

function ViewLinks({ workspace }: { readonly workspace: string }): ReactNode {
  return (
    <div className="flex flex-wrap gap-2">
      {(['board', 'graph', 'workers'] as const).map((view) => (
        <Link
          key={view}
          to="/ringmaster/$workspace/$view"
          params={{ workspace, view }}
          className={buttonClass(view === 'board' ? 'primary' : 'plain', 'small')}
        >
          {view[0]?.toUpperCase() + view.slice(1)}
        </Link>
      ))}
    </div>
  );
}

function Problem({ text }: { readonly text: string }): ReactNode {
  return (
    <div className="grid gap-2 border-t border-line px-5 py-4">
      <Badge tone="bad">Unavailable</Badge>
      <p className="break-words">{text}</p>
    </div>
  );
}

function Work({ workspace }: { readonly workspace: Workspace }): ReactNode {
  const pace = usePollInterval();
  const status = useQuery({ ...statusQuery(workspace.id), ...pace });
  const attention = useQuery({ ...attentionQuery(workspace.id), ...pace });
  return (
    <Loaded query={attention}>
      {({ inquiries, failed, review, running }) => (
        <>
          <div className="flex flex-wrap items-center gap-x-5 gap-y-2 px-5 pb-4 text-[13px] text-muted">
            {status.data !== undefined && (
              <>
                {status.data.paused_at !== null && <Badge tone="paused">Paused</Badge>}
                <span>{count(status.data.ready)} ready</span>
                <span>{count(status.data.running)} running</span>
                <span>{count(status.data.tasks['done'] ?? 0)} done</span>
              </>
            )}
            <span className="flex flex-wrap gap-1.5">
              {workspace.projects.map(({ id, name }) => (
                <Tag key={id}>{name}</Tag>
              ))}
            </span>
          </div>
          {inquiries.length + failed.length + review.length > 0 ? (
            <NeedsYou workspace={workspace.id} inquiries={inquiries} failed={failed} review={review} />
          ) : (
            <p className="flex items-center gap-2 border-t border-line px-5 py-3 text-muted">
              <CircleCheck className="size-4 text-good" aria-hidden />
              Nothing needs your attention.
            </p>
          )}
          <ul
            aria-label="Running now"
            className={`divide-y divide-line border-line ${running.length > 0 ? 'border-t' : ''}`}
          >
            {running.slice(0, RUNNING_SHOWN).map((entry) => (
              <li key={entry.task_id}>
                <RunningRow workspace={workspace.id} entry={entry} />
              </li>
            ))}
          </ul>
        </>
      )}
    </Loaded>
  );
}

interface NeedsYouProps {
  readonly workspace: string;
  readonly inquiries: readonly Inquiry[];
  readonly failed: readonly BoardTask[];
  readonly review: readonly BoardTask[];
}

function NeedsYou({ workspace, inquiries, failed, review }: NeedsYouProps): ReactNode {
  return (
    <ul className="divide-y divide-line border-t border-line">
      {inquiries.map((inquiry) => (
        <li key={inquiry.task_id}>
          <AnswerForm workspace={workspace} inquiry={inquiry} />
        </li>
      ))}
      {[...failed, ...review].map((task) => (
        <li key={task.id} className="grid gap-1 px-5 py-3">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <Badge tone={statusBadges[task.status].tone}>{statusBadges[task.status].word}</Badge>
            <ToTask workspace={workspace} id={task.id}>
              {task.title}
            </ToTask>
          </div>
          {task.last_failure !== null && (
            <p className="line-clamp-2 text-[13px] break-words whitespace-pre-line text-muted">{task.last_failure}</p>
          )}
        </li>
      ))}
    </ul>
  );
}
