import { TextIndex } from '@holdfast/base';
import type {
  ActivityItem,
  AttentionItem,
  Demo,
  Caller,
  FoundItem,
  OpenedOverview,
  Overview,
} from '@holdfast/operation';

import type { InboxItem } from '../operations/inbox.ts';
import { type FoundTask, tasksToFind } from '../store/find.ts';
import { listEvents } from '../store/events.ts';
import { inbox } from './inbox.ts';
import type { Ringmaster } from './ringmaster.ts';
import { addTask } from './tasks.ts';
import { Workspaces } from './workspaces.ts';

export function openOverview(home: string): OpenedOverview {
  const workspaces = new Workspaces(home);
  return { ...overview(workspaces), close: () => workspaces.close() };
}

/**
 * Adds ringmaster to the pages and commands that cover all applications. A workspace that cannot be opened is left out.
 */
export function overview(workspaces: Workspaces): Overview {
  const texts = new Map<string, TaskTexts>();
  return {
    async find({ words, limit }, caller) {
      const found = await eachWorkspace(workspaces, caller, (rm, workspace) => {
        const known = texts.get(workspace) ?? new TaskTexts(workspace);
        texts.set(workspace, known);
        return known.find(rm, words, limit);
      });
      return found.toSorted((left, right) => right.score - left.score).slice(0, limit);
    },
    demo: demo(workspaces),
    async activity(limit, caller) {
      return eachWorkspace(workspaces, caller, (rm, workspace) => activity(rm, workspace, limit));
    },
    async describe(path, { name }) {
      const [, workspace = '', task = ''] = TASK_PATH.exec(path)?.map(decodeURIComponent) ?? [];
      if (task === '' || !workspaces.list().some(({ id }) => id === workspace)) return undefined;
      const rm = await workspaces.open(workspace, { type: 'person', id: name });
      const found = tasksToFind(rm.store.reader, task)[0];
      return found === undefined ? undefined : foundTask(workspace, found, 0);
    },
    inbox: (caller) =>
      eachWorkspace(workspaces, caller, (rm, workspace) => inbox(rm).map((item) => attentionOf(workspace, item))),
  };
}

function demo(workspaces: Workspaces): Demo {
  return {
    async create(folder, { name }) {
      const rm = await workspaces.create(folder, 'Demo project', { type: 'person', id: name });
      const first = await addTask(rm, { title: 'Draw the floor plan of the tree house', priority: 'P1' });
      await addTask(rm, { title: 'Order wood', depends_on: [first.id] });
      await addTask(rm, { title: 'Choose a tree', description: 'It needs two strong branches.' });
      return rm.workspace.root;
    },
    remove: (root) => workspaces.forget(root),
  };
}

const TASK_PATH = /^\/ringmaster\/([^/?#]+)\/tasks\/([^/?#]+)/u;

/** Verbs for events about tasks, workers and projects. All other events are details of a worker's run. */
const verbs = new Map([
  ['task_created', 'added'],
  ['task_updated', 'changed'],
  ['task_merged', 'merged'],
  ['task_attached', 'attached to'],
  ['task_detached', 'returned'],
  ['changes_requested', 'requested changes to'],
  ['cancel_requested', 'cancelled'],
  ['dependency_added', 'linked'],
  ['dependency_removed', 'unlinked'],
  ['message_created', 'commented on'],
  ['pull_request_opened', 'opened a pull request for'],
  ['project_created', 'added the project'],
  ['project_updated', 'changed the settings of'],
  ['run_started', 'started'],
  ['run_stop_requested', 'stopped'],
  ['run_paused', 'paused'],
  ['run_resumed', 'resumed'],
  ['undo_performed', 'undid'],
]);

function activity({ store: { reader } }: Ringmaster, workspace: string, limit: number): readonly ActivityItem[] {
  const root = `/ringmaster/${encodeURIComponent(workspace)}`;
  return listEvents(reader, { limit }).map((event): ActivityItem => {
    const { event_type: type, entity_type: entity, entity_id: id, actor_type: actor } = event;
    const task = entity === 'task' ? tasksToFind(reader, id)[0] : undefined;
    const data = JSON.parse(event.data ?? '{}') as { readonly note?: string };
    return {
      app: 'ringmaster',
      at: event.created_at,
      who: event.actor_id,
      is_automatic: actor !== 'person' || !verbs.has(type),
      text: verbs.get(type) ?? `${type.replaceAll('_', ' ')}:`,
      title: task?.title ?? (type.startsWith('run_') ? 'the workers' : (data.note ?? id)),
      path: task === undefined ? `${root}/board` : `${root}/tasks/${encodeURIComponent(id)}`,
    };
  });
}

function attentionOf(workspace: string, item: InboxItem): AttentionItem {
  const root = `/ringmaster/${encodeURIComponent(workspace)}`;
  const isTask = !['budget', 'worker_parked', 'notification'].includes(item.kind);
  const task = item.text.split(' ', 1)[0] ?? item.id;
  const path = isTask ? `${root}/tasks/${encodeURIComponent(task)}` : `${root}/${viewOf(item.kind)}`;
  const { kind, detail, since } = item;
  const title = isTask ? item.text.slice(task.length).trimStart() : item.text;
  // The id includes the workspace, because tasks in two workspaces can have the same id.
  const id = `${workspace}/${item.id}`;
  return { app: 'ringmaster', kind, id, title, detail, since, path, actions: actionsOf(workspace, item) };
}

function viewOf(kind: InboxItem['kind']): string {
  return kind === 'worker_parked' ? 'workers' : 'metrics';
}

/** Returns the requests that settle an item. A person can undo each of them with the workspace's undo. */
function actionsOf(workspace: string, { kind, id, options }: InboxItem): AttentionItem['actions'] {
  const api = `/api/ringmaster/workspaces/${encodeURIComponent(workspace)}`;
  const undo = { method: 'POST', path: `${api}/undo`, body: {} } as const;
  const post = (label: string, path: string, body: object, canUndo = true) =>
    ({ label, method: 'POST', path: api + path, body, undo: canUndo ? undo : null }) as const;
  const one = encodeURIComponent(id);
  switch (kind) {
    case 'decision':
    case 'question':
      return options.map((answer) => post(answer, `/inquiries/${one}/answer`, { answer }));
    case 'blocked':
    case 'failed':
      return [post('Try again', '/task-status', { tasks: [id], status: 'ready' })];
    case 'review':
    case 'unmerged':
      // A merge changes the repository, which the workspace's undo cannot revert.
      return [post('Merge', `/tasks/${one}/merge`, {}, false)];
    case 'worker_parked':
      return [
        { label: 'Resume', method: 'PUT', path: `${api}/workers/${one}/paused`, body: { paused: false }, undo: null },
      ];
    case 'budget':
    case 'notification':
    default:
      return [];
  }
}

async function eachWorkspace<Item>(
  workspaces: Workspaces,
  { name }: Caller,
  read: (rm: Ringmaster, workspace: string) => readonly Item[],
): Promise<readonly Item[]> {
  const lists = workspaces.list().map(async ({ id }) => {
    const rm = await workspaces.open(id, { type: 'person', id: name }).catch(() => undefined);
    return rm === undefined ? [] : read(rm, id);
  });
  return (await Promise.all(lists)).flat();
}

function foundTask(workspace: string, task: FoundTask, score: number): FoundItem {
  return {
    app: 'ringmaster',
    kind: task.type,
    id: task.id,
    title: task.title,
    detail: `${task.id} in ${task.project}`,
    state: task.status.replace('_', ' '),
    path: `/ringmaster/${encodeURIComponent(workspace)}/tasks/${encodeURIComponent(task.id)}`,
    at: task.updated_at,
    score,
  };
}

const EVENTS = 1_000;

/** The titles of a workspace's tasks. The event log says which tasks have changed since the last search. */
class TaskTexts {
  readonly #index = new TextIndex<FoundTask>();
  readonly #workspace: string;
  #databasePath: string | undefined;
  #event = 0;

  constructor(workspace: string) {
    this.#workspace = workspace;
  }

  find(rm: Ringmaster, words: readonly string[], limit: number): readonly FoundItem[] {
    this.#catchUp(rm);
    return this.#index.find(words, limit).map(({ value, score }) => foundTask(this.#workspace, value, score));
  }

  #catchUp({ store: { reader }, workspace: { databasePath } }: Ringmaster): void {
    const last = listEvents(reader, { limit: 1 }).at(-1)?.id ?? 0;
    const isSame = databasePath === this.#databasePath;
    if (isSame && last === this.#event) return;
    const events = isSame ? listEvents(reader, { since: this.#event, limit: EVENTS }) : [];
    const isKnown = isSame && last > this.#event && events.at(-1)?.id === last;
    if (isKnown && events.every(({ entity_type: type }) => type !== 'store')) {
      const ids = new Set(events.map(({ entity_id: id }) => id));
      for (const id of ids) this.#set(id, tasksToFind(reader, id)[0]);
    } else {
      this.#index.clear();
      for (const task of tasksToFind(reader)) this.#set(task.id, task);
    }
    this.#databasePath = databasePath;
    this.#event = last;
  }

  #set(id: string, task: FoundTask | undefined): void {
    if (task === undefined) return this.#index.delete(id);
    const { title, updated_at: at, status } = task;
    this.#index.set(id, { title, text: `${id} ${task.description ?? ''}`, at, isDone: status === 'done', value: task });
  }
}
