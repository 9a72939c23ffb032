import { toTimestamp } from '@holdfast/base';
import { byCreation, instantOf, stateOf, type Task } from '../model/task.ts';
import type { UtaskHost } from './undo.ts';

type HasUtask = Pick<UtaskHost, 'utask'>;

export interface ListRequest {
  /** Lists only tasks whose text contains all of these words. */
  readonly words: readonly string[];
  readonly any: readonly string[];
  readonly all: readonly string[];
  readonly state: 'open' | 'done' | 'all';
  readonly order: 'oldest' | 'newest' | 'text';
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
  const words = request.words.map((word) => word.toLowerCase());
  const found = await utask.query({ any: nonEmpty(request.any), all: nonEmpty(request.all) });
  const now = toTimestamp(utask.options.clock());
  const matching = found.filter(
    (task) => (state === 'all' || stateOf(task, now) === state) && hasAll(task.text.toLowerCase(), words),
  );
  const ordered = order === 'oldest' ? matching : [...matching].sort(comparers[order]);
  const rest = cursor === undefined ? ordered : tasksAfter(ordered, cursor, order);
  const data = rest.slice(0, limit);
  const last = data.at(-1);
  return { data, next_cursor: rest.length > data.length && last !== undefined ? positionOf(last, order) : null };
}

const comparers = {
  newest: (left: Task, right: Task) => byCreation(right, left),
  text: (left: Task, right: Task) => left.text.localeCompare(right.text) || byCreation(left, right),
} as const;

function hasAll(text: string, words: readonly string[]): boolean {
  return words.every((word) => text.includes(word));
}

function nonEmpty(tags: readonly string[]): readonly string[] {
  return tags.flatMap((each) => each.split(',')).filter((tag) => tag.trim() !== '');
}

function positionOf(task: Task, order: ListRequest['order']): string {
  return order === 'text' ? task.id : `${instantOf(task)} ${task.id}`;
}

function tasksAfter(ordered: readonly Task[], cursor: string, order: ListRequest['order']): readonly Task[] {
  if (order === 'text') return ordered.slice(ordered.findIndex(({ id }) => id === cursor) + 1);
  return ordered.filter((task) => {
    const position = positionOf(task, order);
    return order === 'newest' ? position < cursor : position > cursor;
  });
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
  const now = toTimestamp(utask.options.clock());
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
