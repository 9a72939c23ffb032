import type { BoardTask, TaskStatus } from '../../../api/types.ts';

export const columnNames = ['blocked', 'waiting', 'ready', 'running', 'review', 'done'] as const;
export type ColumnName = (typeof columnNames)[number];

interface Column {
  readonly title: string;
  /** Status of a card after it is dropped into this column; undefined if people cannot move cards here. */
  readonly status?: TaskStatus;
  readonly empty: string;
}

export const columns: Readonly<Record<ColumnName, Column>> = {
  blocked: { title: 'Blocked', status: 'blocked', empty: 'No blocked tasks' },
  waiting: { title: 'Waiting', empty: 'No waiting tasks' },
  ready: { title: 'Ready', status: 'ready', empty: 'No ready tasks' },
  running: { title: 'Running', empty: 'Nothing running' },
  review: { title: 'Review', status: 'review', empty: 'Nothing to review' },
  done: { title: 'Done', status: 'done', empty: 'Nothing done yet' },
};

/** Returns the column of a card. Drafts and failed tasks are in `blocked`, because only a person can continue them. */
export function columnOf({ status, is_ready: isReady }: Pick<BoardTask, 'status' | 'is_ready'>): ColumnName {
  if (status === 'done' || status === 'review') return status;
  if (status === 'assigned' || status === 'in_progress') return 'running';
  if (status !== 'ready') return 'blocked';
  return isReady ? 'ready' : 'waiting';
}

export type Lanes = Readonly<Record<ColumnName, readonly BoardTask[]>>;

/** Groups tasks by column. Decisions and questions are not on the board; they are answered above it. */
export function lanesOf(tasks: readonly BoardTask[]): Lanes {
  const lanes: Record<ColumnName, BoardTask[]> = {
    blocked: [],
    waiting: [],
    ready: [],
    running: [],
    review: [],
    done: [],
  };
  for (const task of tasks) {
    if (task.type !== 'decision' && task.type !== 'question') lanes[columnOf(task)].push(task);
  }
  // Failed tasks come first, because a person must act on them.
  lanes.blocked.sort((left, right) => Number(right.status === 'failed') - Number(left.status === 'failed'));
  return lanes;
}

export function mayMove(task: BoardTask, to: ColumnName): boolean {
  const { status } = columns[to];
  return status !== undefined && columnOf(task) !== to && task.may_become.includes(status);
}

export function nextColumn(task: BoardTask, step: 1 | -1): ColumnName | undefined {
  const from = columnNames.indexOf(columnOf(task));
  const ahead = step === 1 ? columnNames.slice(from + 1) : columnNames.slice(0, from).toReversed();
  return ahead.find((name) => mayMove(task, name));
}
