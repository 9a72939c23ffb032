import { isHoldfastError, TextIndex } from '@holdfast/base';
import type { ActivityItem, AttentionItem, Demo, FoundItem, OpenedOverview, Overview } from '@holdfast/operation';

import { configuration } from '../adapters/configuration.ts';
import { detailsOf, dueDay } from '../model/details.ts';
import { stateOf, type Task } from '../model/task.ts';
import { type OpenUtask, openUtask } from './open-utask.ts';
import type { Utask } from './utask.ts';

export async function openOverview(env: Readonly<Record<string, string | undefined>>): Promise<OpenedOverview> {
  const utask = await openUtask(configuration({}, env));
  return { ...overview(() => Promise.resolve(utask)), close: () => utask.close({ processIsEnding: true }) };
}

/** Returns utask's part of the pages and commands that cover all applications. */
export function overview(open: OpenUtask): Overview {
  let texts: Promise<TextIndex<Task>> | undefined;
  const forget = (): void => {
    texts = undefined;
  };
  const current = (): Promise<TextIndex<Task>> => {
    texts ??= open().then((utask) => watchedTexts(utask, forget));
    return texts.catch((error: unknown) => {
      forget();
      throw error;
    });
  };
  return {
    async find({ words, limit }) {
      return (await current()).find(words, limit).map(({ value, score }) => foundTask(value, score));
    },
    async inbox() {
      const tasks = (await current()).values();
      return dueTasks(tasks, (await open()).options.clock());
    },
    async activity(limit) {
      const tasks = [...(await current()).values()].toSorted((left, right) => (left.created < right.created ? 1 : -1));
      return tasks.slice(0, limit).map(addedTask);
    },
    demo: demo(open),
    // Tasks have no page of their own.
    describe: () => Promise.resolve(undefined),
  };
}

/** Shows only when a task was added: a list does not store who made a change, or when a task was edited. */
function addedTask(task: Task): ActivityItem {
  const { title, path } = foundTask(task, 0);
  return { app: 'utask', at: task.created, who: null, is_automatic: false, text: 'added', title, path };
}

const DEMO_TASKS = ['Try Ctrl+K to find anything', 'Drag a card on the Ringmaster board', 'Remove the demo on Home'];

function demo(open: OpenUtask): Demo {
  return {
    async create() {
      const utask = await open();
      const ids: string[] = [];
      for (const text of DEMO_TASKS) ids.push((await utask.add(text, ['demo'])).id);
      return ids.join(' ');
    },
    async remove(created) {
      const utask = await open();
      for (const id of created.split(' ')) {
        await utask.delete(id).catch((error: unknown) => {
          if (!isHoldfastError(error, 'TASK_NOT_FOUND')) throw error;
        });
      }
    },
  };
}

const LISTED_MAX = 200;

/** Returns open tasks that are due today or overdue, the most urgent first. */
function dueTasks(tasks: Iterable<Task>, now: number): readonly AttentionItem[] {
  const today = dueDay(new Date(now).toISOString());
  const found: AttentionItem[] = [];
  for (const task of tasks) {
    const { due } = detailsOf(task);
    if (due === undefined || stateOf(task, now) !== 'open') continue;
    const day = dueDay(due);
    if (day > today) continue;
    const request = { method: 'PATCH', path: `/api/utask/tasks/${task.id}` } as const;
    const { title, path } = foundTask(task, 0);
    const undo = { ...request, body: { done: false } };
    found.push({
      app: 'utask',
      kind: day < today ? 'overdue' : 'due',
      id: task.id,
      title,
      detail: day < today ? `Due ${day}` : 'Due today',
      since: day,
      path,
      actions: [{ ...request, label: 'Done', body: { done: true }, undo }],
    });
  }
  return found.sort((left, right) => ((left.since ?? '') < (right.since ?? '') ? -1 : 1)).slice(0, LISTED_MAX);
}

/** Returns the texts of all tasks, and keeps them current. Calls `onEnd` when the store is closed or lost. */
async function watchedTexts(utask: Utask, onEnd: () => void): Promise<TextIndex<Task>> {
  const index = new TextIndex<Task>();
  // Starts the watch before it reads the tasks, so that no change is missed.
  const events = await utask.watch(new AbortController().signal);
  for (const task of await utask.all()) setTask(index, task);
  const listen = async (): Promise<void> => {
    for await (const { id, task } of events) {
      if (task === undefined) index.delete(id);
      else setTask(index, task);
    }
  };
  void listen().then(onEnd, onEnd);
  return index;
}

function setTask(index: TextIndex<Task>, task: Task): void {
  const [title = '', ...rest] = task.text.split('\n');
  const text = [...task.tags, ...rest].join(' ');
  index.set(task.id, { title, text, at: task.created, isDone: task.done, value: task });
}

function foundTask({ id, text, done, tags, created }: Task, score: number): FoundItem {
  const [title = ''] = text.split('\n');
  const search = new URLSearchParams({ state: 'all', text: title });
  return {
    app: 'utask',
    kind: 'task',
    id,
    title,
    detail: tags.length === 0 ? null : tags.map((tag) => `#${tag}`).join(' '),
    state: done ? 'done' : 'open',
    path: `/tasks?${search.toString()}`,
    at: created,
    score,
  };
}
