import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ArrowLeftRight, Milestone } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';

import { attentionQuery, boardQuery, reviewQuery, statusQuery } from '../../../api/ringmaster-queries.ts';
import type { BoardTask, Workspace } from '../../../api/types.ts';
import { useFilters } from '../../../lib/filters.ts';
import { count, decimal } from '../../../lib/format.ts';
import { useMay } from '../../../lib/permissions.ts';
import { useStore } from '../../../lib/store.ts';
import { Announce } from '../../../ui/announce.tsx';
import { Badge, Tag } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Choice } from '../../../ui/field.tsx';
import { Loaded } from '../../../ui/page.tsx';
import { highlightClass } from '../../../ui/timeline.tsx';
import { VirtualList } from '../../../ui/virtual-list.tsx';
import { statusBadge } from '../status-badge.ts';
import { AnswerForm, WorkspaceFilters } from '../widgets.tsx';
import { recentRingTasks } from '../workspace-stream.ts';
import { type ColumnName, columnNames, columnOf, columns, lanesOf, mayMove } from './columns.ts';
import { type BoardFocus, useBoardFocus, useMove } from './use-board.ts';

export function Board({ workspace }: { readonly workspace: Workspace }): ReactNode {
  const [{ project = '', text = '', label = '' }, change] = useFilters();
  const tasks = useQuery(boardQuery(workspace.id, { project, search: text }));
  const labels = useMemo(() => {
    const used = (tasks.data ?? []).flatMap((task) => task.labels);
    return [...new Set(label === '' ? used : [label, ...used])].toSorted();
  }, [tasks.data, label]);
  return (
    <>
      <OpenQuestions workspace={workspace.id} />
      <ReviewStrip workspace={workspace.id} />
      <WorkspaceFilters workspace={workspace} label="Search tasks by title or id">
        {(labels.length > 0 || label !== '') && (
          <div className="sm:w-56">
            <Choice
              label="Label"
              isLabelHidden
              value={label}
              options={[{ value: '', label: 'All labels' }, ...labels.map((name) => ({ value: name, label: name }))]}
              onChange={(next) => change({ label: next }, true)}
            />
          </div>
        )}
      </WorkspaceFilters>
      <Loaded query={tasks}>
        {(found) => (
          <Lanes
            workspace={workspace.id}
            tasks={label === '' ? found : found.filter((task) => task.labels.includes(label))}
            isFiltered={project !== '' || text !== '' || label !== ''}
          />
        )}
      </Loaded>
    </>
  );
}

/** Shows open questions in one collapsed row, so that they do not push the board off the screen. */
function OpenQuestions({ workspace }: { readonly workspace: string }): ReactNode {
  const { data } = useQuery(attentionQuery(workspace));
  const [first] = data?.inquiries ?? [];
  if (data === undefined || first === undefined) return null;
  return (
    <details aria-label="Needs your answer" className="rounded-xl border border-line bg-surface">
      <summary className="flex items-center gap-3 px-4 py-2 -outline-offset-2">
        <Badge tone="warn">{count(data.inquiries.length, 'needs your answer', 'need your answer')}</Badge>
        <span dir="auto" className="min-w-0 flex-1 truncate text-left">
          {first.title}
        </span>
        <span aria-hidden className="text-[13px] font-medium text-accent-strong">
          Answer
        </span>
      </summary>
      <div className="max-h-96 divide-y divide-line overflow-y-auto border-t border-line">
        {data.inquiries.map((inquiry) => (
          <AnswerForm key={inquiry.task_id} workspace={workspace} inquiry={inquiry} />
        ))}
      </div>
    </details>
  );
}

/** A link to the review queue, shown while work waits there. */
function ReviewStrip({ workspace }: { readonly workspace: string }): ReactNode {
  const { data = [] } = useQuery(reviewQuery(workspace));
  const [first] = data;
  if (first === undefined) return null;
  return (
    <Link
      to="/ringmaster/$workspace/$view"
      params={{ workspace, view: 'review' }}
      className="flex items-center gap-3 rounded-xl border border-line bg-surface px-4 py-2 hover:bg-sunken"
    >
      <Badge tone="changed">{count(data.length, 'needs your review', 'need your review')}</Badge>
      <span dir="auto" className="min-w-0 flex-1 truncate">
        {first.title}
      </span>
      <span aria-hidden className="text-[13px] font-medium text-accent-strong">
        Review
      </span>
    </Link>
  );
}

interface LanesProps {
  readonly workspace: string;
  readonly tasks: readonly BoardTask[];
  readonly isFiltered: boolean;
}

function Lanes({ workspace, tasks, isFiltered }: LanesProps): ReactNode {
  const { data: status } = useQuery(statusQuery(workspace));
  const archived = status?.tasks['done'] ?? 0;
  const lanes = useMemo(() => lanesOf(tasks), [tasks]);
  const [dragged, setDragged] = useState<BoardTask>();
  const [moving, setMoving] = useState<BoardTask>();
  const mayChange = useMay('app:ringmaster:write');
  const { move, told } = useMove(workspace);
  const focus = useBoardFocus({ workspace, lanes, onMove: mayChange ? move : undefined, onAsk: setMoving });
  return (
    <>
      <p className="-mb-3 text-[13px] text-muted max-md:hidden">
        Use the arrow keys to select a card and Enter to open it.
        {mayChange && ' To move a card, drag it, or press Shift+←, Shift+→ or M.'}
      </p>
      <div className="-mx-1 grid grid-flow-col gap-3 overflow-x-auto px-1 pb-2 auto-cols-[minmax(11.5rem,1fr)] md:auto-cols-[minmax(9rem,1fr)]">
        {columnNames.map((name) => (
          <Lane
            key={name}
            name={name}
            workspace={workspace}
            tasks={lanes[name]}
            empty={
              isFiltered
                ? 'No matching tasks'
                : name === 'done' && archived > 0
                  ? archivedText(archived)
                  : columns[name].empty
            }
            dragged={dragged}
            mayChange={mayChange}
            focus={focus}
            onDrag={setDragged}
            onDrop={() => {
              if (dragged !== undefined) move(dragged, name);
              setDragged(undefined);
            }}
            onAsk={setMoving}
          />
        ))}
      </div>
      <MoveDialog
        // For a card that was just moved, the server may report the possible columns only after the dialog has opened.
        task={moving === undefined ? undefined : (tasks.find(({ id }) => id === moving.id) ?? moving)}
        onMove={(task, to) => {
          focus.choose(task.id);
          move(task, to);
        }}
        onClose={() => setMoving(undefined)}
      />
      <Announce text={told} />
    </>
  );
}

/** The board omits archived tasks and answered questions, so the done column can be empty although tasks are done. */
function archivedText(done: number): string {
  return `No recent tasks; ${count(done)} done earlier`;
}

interface MoveDialogProps {
  readonly task: BoardTask | undefined;
  readonly onMove: (task: BoardTask, to: ColumnName) => void;
  readonly onClose: () => void;
}

/** Moves a task without dragging, for touch screens and keyboards. */
function MoveDialog({ task, onMove, onClose }: MoveDialogProps): ReactNode {
  const targets = task === undefined ? [] : columnNames.filter((name) => mayMove(task, name));
  return (
    <Dialog title="Move task" description={task?.title} isOpen={task !== undefined} onClose={onClose}>
      {task !== undefined && (
        <div className="flex flex-wrap gap-2">
          {targets.map((name) => (
            <Button
              key={name}
              onClick={() => {
                onClose();
                onMove(task, name);
              }}
            >
              {columns[name].title}
            </Button>
          ))}
          {targets.length === 0 && (
            <p className="text-muted">Only workers move tasks out of {columns[columnOf(task)].title}.</p>
          )}
        </div>
      )}
    </Dialog>
  );
}

interface LaneProps {
  readonly name: ColumnName;
  readonly workspace: string;
  readonly tasks: readonly BoardTask[];
  readonly empty: string;
  readonly dragged: BoardTask | undefined;
  readonly mayChange: boolean;
  readonly focus: BoardFocus;
  readonly onDrag: (task: BoardTask | undefined) => void;
  readonly onDrop: () => void;
  readonly onAsk: (task: BoardTask) => void;
}

const CARD_HEIGHT = 92;

function Lane(props: LaneProps): ReactNode {
  const { name, workspace, tasks, empty, dragged, mayChange, focus, onDrag, onDrop, onAsk } = props;
  const { title } = columns[name];
  const isTarget = dragged !== undefined && mayMove(dragged, name);
  const inTab = tasks.some(({ id }) => id === focus.active) ? focus.active : tasks[0]?.id;
  return (
    <section
      aria-label={`${title}, ${count(tasks.length, 'task')}`}
      data-lane={name}
      onDragOver={(event) => isTarget && event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        onDrop();
      }}
      className={`min-w-0 overflow-hidden rounded-xl border bg-sunken ${
        isTarget ? 'border-accent outline-2 outline-accent' : 'border-line'
      } ${dragged !== undefined && !isTarget ? 'opacity-60' : ''}`}
    >
      <h2 className="flex items-baseline justify-between px-3 py-2 font-semibold">
        {title}
        <span className="text-[13px] font-normal text-muted tabular-nums">{count(tasks.length)}</span>
      </h2>
      {tasks.length === 0 ? (
        <p className="px-3 pb-6 text-[13px] text-muted">{empty}</p>
      ) : (
        <VirtualList
          label={`Cards: ${title}`}
          rows={tasks}
          rowHeight={CARD_HEIGHT}
          keyOf={({ id }) => id}
          controls={(controls) => focus.hold(name, controls)}
          render={(task) => (
            <TaskCard
              task={task}
              workspace={workspace}
              isInTabOrder={task.id === inTab}
              mayChange={mayChange && task.may_become.length > 0}
              focus={focus}
              onDrag={onDrag}
              onAsk={onAsk}
            />
          )}
        />
      )}
    </section>
  );
}

interface TaskCardProps extends Pick<LaneProps, 'workspace' | 'mayChange' | 'focus' | 'onDrag' | 'onAsk'> {
  readonly task: BoardTask;
  readonly isInTabOrder: boolean;
}

function TaskCard(props: TaskCardProps): ReactNode {
  const { task, workspace, isInTabOrder, mayChange, focus, onDrag, onAsk } = props;
  const isFresh = useStore(recentRingTasks).has(task.id);
  const reason = task.status === 'failed' ? task.last_failure : task.blocked_reason;
  return (
    <article
      aria-label={task.title}
      data-row
      data-card={task.id}
      data-fresh={isFresh || undefined}
      tabIndex={isInTabOrder ? 0 : -1}
      draggable={mayChange}
      onKeyDown={(event) => focus.onKeyDown(event, task)}
      onFocus={() => focus.choose(task.id)}
      onBlur={focus.leave}
      onDragStart={(event) => {
        event.dataTransfer.effectAllowed = 'move';
        event.dataTransfer.setData('text/plain', task.id);
        onDrag(task);
      }}
      onDragEnd={() => onDrag(undefined)}
      className={`grid gap-1.5 bg-surface px-3 py-2.5 -outline-offset-2 ${mayChange ? 'cursor-grab' : ''} ${highlightClass(isFresh)}`}
    >
      <div className="flex items-start gap-1">
        <Link
          to="/ringmaster/$workspace/tasks/$id"
          params={{ workspace, id: task.id }}
          tabIndex={-1}
          draggable={false}
          dir="auto"
          className="line-clamp-2 min-w-0 flex-1 text-[13px] font-medium break-words hover:underline"
        >
          {task.title}
        </Link>
        {mayChange && (
          <button
            type="button"
            tabIndex={-1}
            aria-label={`Move ${task.title}`}
            title="Move"
            onClick={() => onAsk(task)}
            className="-my-1 -mr-1.5 grid size-7 shrink-0 place-items-center rounded-md text-muted hover:bg-sunken hover:text-text"
          >
            <ArrowLeftRight className="size-3.5" aria-hidden />
          </button>
        )}
      </div>
      {reason !== null && reason !== '' && (
        <p className="line-clamp-2 text-xs break-words whitespace-pre-line text-muted">{reason}</p>
      )}
      <CardFacts task={task} />
    </article>
  );
}

/** The cost of a task, or its tokens if its agents report no cost; empty if they report neither. */
function costText({ cost_usd: usd, tokens }: Pick<BoardTask, 'cost_usd' | 'tokens'>): string {
  if (usd !== null) return `${decimal(usd, 2)} USD`;
  return tokens === null ? '' : `${tokens.toLocaleString()} tokens`;
}

function CardFacts({ task }: { readonly task: BoardTask }): ReactNode {
  const { word, tone } = statusBadge(task.status, !task.is_ready);
  return (
    <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-xs text-muted">
      <Badge tone={tone}>{word}</Badge>
      <span className="font-medium">{task.priority}</span>
      {task.status === 'done' && task.merge_state === 'pending' && <span>Merge pending</span>}
      {task.status === 'done' && task.merge_state === 'unmerged' && <span>Not merged</span>}
      {task.on_critical_path && (
        <span className="inline-flex items-center gap-1 text-accent-strong" title="On the critical path">
          <Milestone className="size-3.5" aria-hidden />
          <span className="sr-only">On the critical path</span>
        </span>
      )}
      {task.worker_id !== null && <span className="font-mono">{task.worker_id}</span>}
      {costText(task) !== '' && <span title="Cost that the agents reported">{costText(task)}</span>}
      <span className="font-mono">{task.id}</span>
      {task.labels.map((label) => (
        <Tag key={label}>{label}</Tag>
      ))}
    </p>
  );
}
