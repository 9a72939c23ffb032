import { detailsOf, dueDay, dueInstant, parseDue } from '../model/details.ts';
import { byCreation, instantOf, stateOf, type Task } from '../model/task.ts';
import type { UtaskHost } from './undo.ts';

type HasUtask = Pick<UtaskHost, 'utask'>;

export interface ListRequest {
  /** Lists only tasks whose text contains all of these words. */
  readonly words: readonly string[];
  readonly any: readonly string[];
  readonly all: readonly string[];
  readonly state: 'open' | 'done' | 'all';
  /** Only tasks due on this day or earlier. */
  readonly due_by?: string | undefined;
  /** Only tasks with this priority or a higher one; 1 is the highest. */
  readonly priority?: number | undefined;
  readonly order: 'oldest' | 'newest' | 'text' | 'due' | 'priority';
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export interface TaskPage {
  readonly data: readonly Task[];
  readonly next_cursor: string | null;
}

/** The cursor is the position of the last task shown, so pages neither skip nor repeat tasks when others are added. */
export async function listTasks({ utask }: HasUtask, request: ListRequest): Promise<TaskPage> {
  const { state, order, limit = Number.POSITIVE_INFINITY, cursor } = request;
  const hasWords = wordFilter(request.words);
  const found = await utask.query({ any: nonEmpty(request.any), all: nonEmpty(request.all) });
  const now = utask.options.clock();
  const hasDetails = detailFilter(request, now);
  const matching = found.filter(
    (task) => (state === 'all' || stateOf(task, now) === state) && hasWords(task) && hasDetails(task),
  );
  const ordered = order === 'oldest' ? matching : [...matching].sort(comparers[order]);
  const rest = cursor === undefined ? ordered : tasksAfter(ordered, cursor, order);
  const data = rest.slice(0, limit);
  const last = data.at(-1);
  return { data, next_cursor: rest.length > data.length && last !== undefined ? positionOf(last, order) : null };
}

function detailFilter({ due_by: dueBy, priority: lowest }: ListRequest, now: number): (task: Task) => boolean {
  if (dueBy === undefined && lowest === undefined) return () => true;
  const parsed = dueBy === undefined ? undefined : parseDue(dueBy, now);
  const lastDay = parsed === undefined ? undefined : dueDay(parsed);
  return (task) => {
    const { due, priority } = detailsOf(task);
    const isDue = lastDay === undefined || (due !== undefined && dueDay(due) <= lastDay);
    return isDue && (lowest === undefined || (priority !== undefined && priority <= lowest));
  };
}

/** Sorts by a number. Tasks without a number come last; tasks with the same number are in order of creation. */
function byNumber(valueOf: (task: Task) => number | undefined): (left: Task, right: Task) => number {
  const last = Number.MAX_SAFE_INTEGER;
  return (left, right) => (valueOf(left) ?? last) - (valueOf(right) ?? last) || byCreation(left, right);
}

const comparers = {
  newest: (left: Task, right: Task) => byCreation(right, left),
  text: (left: Task, right: Task) => left.text.localeCompare(right.text) || byCreation(left, right),
  due: byNumber((task) => {
    const { due } = detailsOf(task);
    return due === undefined ? undefined : dueInstant(due);
  }),
  priority: byNumber((task) => detailsOf(task).priority),
} as const;

function wordFilter(typed: readonly string[]): (task: Task) => boolean {
  if (typed.length === 0) return () => true;
  const words = typed.map((word) => word.toLowerCase());
  return ({ text }) => {
    const lower = text.toLowerCase();
    return words.every((word) => lower.includes(word));
  };
}

function nonEmpty(tags: readonly string[]): readonly string[] {
  return tags.flatMap((each) => each.split(',')).filter((tag) => tag.trim() !== '');
}

function positionOf(task: Task, order: ListRequest['order']): string {
  return isByTime(order) ? `${instantOf(task)} ${task.id}` : task.id;
}

function tasksAfter(ordered: readonly Task[], cursor: string, order: ListRequest['order']): readonly Task[] {
  if (!isByTime(order)) return ordered.slice(ordered.findIndex(({ id }) => id === cursor) + 1);
  return ordered.filter((task) => {
    const position = positionOf(task, order);
    return order === 'newest' ? position < cursor : position > cursor;
  });
}

function isByTime(order: ListRequest['order']): boolean {
  return order === 'oldest' || order === 'newest';
}

interface TagCount {
  readonly tag: string;
  readonly open: number;
  readonly done: number;
}

export interface TaskCount {
  readonly tags: readonly TagCount[];
  readonly open: number;
  readonly done: number;
}

/** Counts the tasks themselves, because the tag lists may contain stale ids. */
export async function countTasks({ utask }: HasUtask): Promise<TaskCount> {
  const counts = new Map<string, { open: number; done: number }>();
  const total = { open: 0, done: 0 };
  const now = utask.options.clock();
  for (const task of await utask.all()) {
    const state = stateOf(task, now);
    if (state !== 'open' && state !== 'done') continue;
    total[state] += 1;
    for (const tag of task.tags) {
      const count = counts.get(tag) ?? { open: 0, done: 0 };
      count[state] += 1;
      counts.set(tag, count);
    }
  }
  const tags = [...counts].map(([tag, count]) => ({ tag, ...count }));
  return { tags: tags.sort((left, right) => (left.tag < right.tag ? -1 : 1)), ...total };
}
