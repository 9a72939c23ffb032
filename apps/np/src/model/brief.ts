/** Short texts about a plan of any size. Their length is bounded, because agents have limited context. */
import {
  claimLabel,
  type Goal,
  isFinished,
  statusLabel,
  type Plan,
  type PlanStatus,
  progressOf,
  readyTasks,
  type StatusCounts,
  STATUSES,
  SYMBOL_BY_STATUS,
  type Task,
} from './plan.ts';

type BriefTask = Pick<Task, 'id' | 'title' | 'status'>;

/** `changed` is false if the task already had these values. */
type ChangedTask = BriefTask & Pick<Task, 'actor' | 'claimed_until'> & { readonly changed: boolean };

/** Short answer to a change, with the changed tasks, the counts and the next tasks. */
export interface ChangeSummary {
  /** Description of the undone change. */
  readonly undone?: string | undefined;
  readonly goal?: Goal | undefined;
  readonly tasks: readonly ChangedTask[];
  /** Undefined if the plan could not be read after the change. */
  readonly counts?: StatusCounts | undefined;
  readonly next: readonly BriefTask[];
  readonly warning?: string | undefined;
}

const CHANGED_MAX = 6;
const CHANGED_TITLE_MAX = 48;
const OUTLINED_TITLE_MAX = 80;

export function changeLines({ undone, goal, tasks, counts, next, warning }: ChangeSummary): readonly string[] {
  const changed = new Set(tasks.map(({ id }) => id));
  const upcoming = next.filter(({ id }) => !changed.has(id));
  const isDone = counts?.pending === 0 && counts.in_progress === 0 && progressOf(counts).total > 0;
  return [
    ...(undone === undefined ? [] : [`Undone: ${cut(undone, OUTLINED_TITLE_MAX)}`]),
    ...(goal === undefined ? [] : [`Goal: ${cut(goal.title, CHANGED_TITLE_MAX)}`]),
    ...tasks.slice(0, CHANGED_MAX).map(changedLine),
    ...(tasks.length > CHANGED_MAX ? [`… and ${tasks.length - CHANGED_MAX} more`] : []),
    ...(counts === undefined ? ['Saved.'] : [countsLine(counts)]),
    ...upcoming.map((task) => `Next: ${taskLine(task, CHANGED_TITLE_MAX)}`),
    ...(isDone ? ["No open tasks are left. 'np a' archives the plan when your operator agrees."] : []),
    ...(warning === undefined ? [] : [warning]),
  ];
}

const SKIPPED_MAX = 3;

/** Names damaged values that an answer lacks. */
export function skippedLines(keys: ReadonlySet<string>): readonly string[] {
  const lines = [...keys]
    .slice(0, SKIPPED_MAX)
    .map((key) => `Skipped: the value under ${key} is damaged. 'np verify --repair' restores it.`);
  return keys.size > SKIPPED_MAX ? [...lines, `… and ${keys.size - SKIPPED_MAX} more damaged values`] : lines;
}

function changedLine({ changed, ...task }: ChangedTask): string {
  const claim = claimLabel(task);
  const claimed = claim === '' ? '' : ` (${cut(claim, CHANGED_TITLE_MAX)})`;
  return `${taskLine(task, CHANGED_TITLE_MAX)}${claimed}${changed ? '' : ' (unchanged)'}`;
}

function countsLine(counts: StatusCounts): string {
  const { done, total } = progressOf(counts);
  const others = STATUSES.filter((status) => status !== 'completed' && counts[status] > 0);
  const none = others.length === 0 ? 'No tasks' : 'No open tasks';
  return [
    total === 0 ? none : `${done} of ${total} done`,
    ...others.map((status) => `${counts[status]} ${statusLabel(status)}`),
  ].join(', ');
}

const OUTLINED_MAX = 20;
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

/** Returns one short line for a shell prompt: the progress, then the first task in progress or the goal. */
export function statusLine({ goal, counts, in_progress: [current] }: PlanStatus): string {
  const { done, total } = progressOf(counts);
  const words = current === undefined ? (goal?.title ?? '') : `${SYMBOL_BY_STATUS.in_progress} ${current.title}`;
  // Control characters in a title must not reach the terminal that shows the prompt.
  return `${done}/${total} ${cut(words.replaceAll(/\p{Cc}/gu, ' '), CHANGED_TITLE_MAX)}`.trimEnd();
}

/** Returns the goal, the counts and the tasks in progress as lines. */
export function statusLines({ goal, counts, in_progress: started }: PlanStatus): readonly string[] {
  return changeLines({ goal: goal ?? undefined, tasks: [], counts, next: started });
}

const NEXT_MAX = 3;

/** Returns tasks in progress, then tasks that can be started. Each group is in the order of the plan. */
export function nextTasks(tasks: readonly Task[], at: string): readonly Task[] {
  const started = tasks.filter(({ status }) => status === 'in_progress');
  return [...started, ...readyTasks(tasks, at).filter(({ status }) => status === 'pending')].slice(0, NEXT_MAX);
}

function taskLine({ id, title, status }: BriefTask, titleMax: number): string {
  return `${SYMBOL_BY_STATUS[status]} ${id} ${cut(title, titleMax)}`;
}

/** Returns one line of at most this many characters, cut between code points. */
function cut(text: string, charactersMax: number): string {
  const line = text.replaceAll(/\s+/gu, ' ').trim();
  const characters = Array.from(line);
  return characters.length <= charactersMax ? line : `${characters.slice(0, charactersMax - 1).join('')}…`;
}
