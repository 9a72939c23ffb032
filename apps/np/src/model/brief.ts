/** Short texts about a plan of any size. Their length is bounded, because agents have limited context. */
import {
  type Goal,
  isFinished,
  statusLabel,
  type Plan,
  progressOf,
  type Status,
  type StatusCounts,
  STATUSES,
  SYMBOL_BY_STATUS,
  type Task,
} from './plan.ts';

type BriefTask = Pick<Task, 'id' | 'title' | 'status'>;

/** `changed` is false if the task already had these values. */
type ChangedTask = BriefTask & Pick<Task, 'actor'> & { readonly changed: boolean };

/** Short answer to a change: changed tasks, counts and the next tasks. */
export interface ChangeSummary {
  readonly goal?: Goal | undefined;
  readonly tasks: readonly ChangedTask[];
  /** Undefined if the plan could not be read after the change. */
  readonly counts?: StatusCounts | undefined;
  readonly next: readonly BriefTask[];
  readonly warning?: string | undefined;
}

const CHANGED_MAX = 6;
const CHANGED_TITLE_MAX = 48;

export function changeLines({ goal, tasks, counts, next, warning }: ChangeSummary): readonly string[] {
  const changed = new Set(tasks.map(({ id }) => id));
  const upcoming = next.filter(({ id }) => !changed.has(id));
  const isDone = counts !== undefined && next.length === 0 && progressOf(counts).total > 0;
  return [
    ...(goal === undefined ? [] : [`Goal: ${cut(goal.title, CHANGED_TITLE_MAX)}`]),
    ...tasks.slice(0, CHANGED_MAX).map(changedLine),
    ...(tasks.length > CHANGED_MAX ? [`… and ${tasks.length - CHANGED_MAX} more`] : []),
    ...(counts === undefined ? ['Saved.'] : [countsLine(counts)]),
    ...upcoming.map((task) => `Next: ${taskLine(task, CHANGED_TITLE_MAX)}`),
    ...(isDone ? ["No open tasks are left. 'np a' archives the plan when your operator agrees."] : []),
    ...(warning === undefined ? [] : [warning]),
  ];
}

function changedLine({ actor, changed, ...task }: ChangedTask): string {
  const claimed = actor === undefined ? '' : ` (claimed by ${cut(actor, CHANGED_TITLE_MAX)})`;
  return `${taskLine(task, CHANGED_TITLE_MAX)}${claimed}${changed ? '' : ' (unchanged)'}`;
}

function countsLine(counts: StatusCounts): string {
  const { done, total } = progressOf(counts);
  const others = STATUSES.filter((status) => status !== 'completed' && counts[status] > 0);
  return [`${done} of ${total} done`, ...others.map((status) => `${counts[status]} ${statusLabel(status)}`)].join(', ');
}

const OUTLINED_MAX = 20;
const OUTLINED_TITLE_MAX = 80;
const GOAL_MAX = 300;

/** Returns the goal and the open tasks, for an agent that starts with an empty context. */
export function planOutline({ goal, tasks, counts, session }: Plan): string {
  const open = tasks.filter(({ status }) => !isFinished(status));
  const hidden = open.length - OUTLINED_MAX;
  return [
    goal === null ? 'No goal set yet.' : `Goal: ${cut(goal.title, OUTLINED_TITLE_MAX)}`,
    ...(goal === null || goal.description === '' ? [] : [cut(goal.description, GOAL_MAX)]),
    ...open.slice(0, OUTLINED_MAX).map((task) => taskLine(task, OUTLINED_TITLE_MAX)),
    ...(hidden > 0 ? [`… and ${hidden} more open tasks`] : []),
    `${countsLine(counts)}, session ${session.sid}`,
  ].join('\n');
}

const NEXT_MAX = 3;

/** Tasks in progress, then pending ones, each in the order of the plan. */
export function nextTasks(tasks: readonly Task[]): readonly Task[] {
  const ofStatus = (wanted: Status): Task[] => tasks.filter(({ status }) => status === wanted);
  return [...ofStatus('in_progress'), ...ofStatus('pending')].slice(0, NEXT_MAX);
}

function taskLine({ id, title, status }: BriefTask, titleMax: number): string {
  return `${SYMBOL_BY_STATUS[status]} ${id} ${cut(title, titleMax)}`;
}

/** One line of at most this many characters, cut between code points. */
function cut(text: string, charactersMax: number): string {
  const line = text.replaceAll(/\s+/gu, ' ').trim();
  const characters = Array.from(line);
  return characters.length <= charactersMax ? line : `${characters.slice(0, charactersMax - 1).join('')}…`;
}
