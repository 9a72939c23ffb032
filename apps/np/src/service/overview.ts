import { isHoldfastError, TextIndex } from '@holdfast/base';
import type { ActivityItem, AttentionItem, FoundItem, OpenedOverview, Overview } from '@holdfast/operation';

import type { Event } from '../model/event.ts';
import { isFinished, statusLabel } from '../model/plan.ts';
import { goals, sessions, tasks } from '../store/definitions.ts';
import { allSessions, readTasks } from '../store/queries.ts';
import { demo } from './demo.ts';
import { readGlobalLog } from './log.ts';
import { type Np, openNp } from './np.ts';

export async function openOverview(path: string, address?: string): Promise<OpenedOverview> {
  const np = await openNp({ path, address });
  return { ...overview(np), close: () => np.close({ processIsEnding: true }) };
}

/** Adds np to the pages and commands that cover all applications. */
export function overview(np: Np): Overview {
  const texts = new PlanTexts(np);
  return {
    async find({ words, limit }) {
      await texts.catchUp();
      return texts.index.find(words, limit).map(({ value, score }) => ({ ...value, score }));
    },
    inbox: () => failedTasks(np),
    activity: (limit) => activity(np, limit),
    demo: demo(np),
    async describe(path) {
      const sid = /^\/plans\/([^/?#]+)$/u.exec(path)?.[1];
      if (sid === undefined) return undefined;
      await texts.catchUp();
      const plan = texts.index.get(sid);
      return plan === undefined ? undefined : { ...plan, score: 0 };
    },
  };
}

async function activity(np: Np, limit: number): Promise<readonly ActivityItem[]> {
  const entries = await readGlobalLog(np, limit);
  return entries.map(({ sid, event }) => ({
    app: 'np',
    at: event.at,
    who: event.actor ?? null,
    is_automatic: false,
    path: `/plans/${sid}`,
    ...changeOf(event),
  }));
}

function changeOf({ type, payload }: Event): Pick<ActivityItem, 'text' | 'title'> {
  switch (type) {
    case 'goal_set':
      return { text: 'set the goal', title: payload.goal.title };
    case 'goal_updated':
      return { text: 'changed the goal', title: payload.goal_after.title };
    case 'task_added':
      return { text: 'added', title: payload.task.title };
    case 'task_deleted':
      return { text: 'deleted', title: payload.task.title };
    case 'task_updated':
      return { text: 'edited', title: payload.after.title };
    case 'task_status_changed':
      return { text: `set to ${statusLabel(payload.status_after)}`, title: payload.title };
    case 'task_moved':
      return { text: 'moved', title: payload.title };
    case 'task_claimed':
      return { text: payload.actor === null ? 'released' : 'claimed', title: payload.title };
    case 'task_noted':
      return { text: 'commented on', title: payload.title };
    case 'change_undone':
      return { text: 'undid', title: payload.change };
    case 'session_started':
    case 'session_archived':
    case 'session_unarchived':
    default:
      return { text: sessionTexts[type], title: payload.dir_path };
  }
}

const sessionTexts = {
  session_started: 'started a plan in',
  session_archived: 'archived the plan in',
  session_unarchived: 'reopened the plan in',
} as const;

/** Failed tasks of active sessions: a person decides whether to try again. */
function failedTasks({ store }: Np): Promise<readonly AttentionItem[]> {
  return store.snapshot(async (reads) => {
    const found: AttentionItem[] = [];
    for (const { sid } of await reads.list(sessions.by.active, {})) {
      for (const { id, title, reason, updated_at: since } of await reads.list(tasks.by.status, {
        sid,
        status: 'failed',
      })) {
        const request = { method: 'PATCH', path: `/api/np/sessions/${sid}/tasks` } as const;
        const body = (update: object) => ({ updates: [{ id, ...update }] });
        found.push({
          app: 'np',
          kind: 'failed',
          id: `${sid}/${id}`,
          title,
          detail: reason ?? null,
          since,
          path: `/plans/${sid}`,
          actions: [
            {
              ...request,
              label: 'Reopen',
              body: body({ status: 'pending' }),
              undo: { ...request, body: body({ status: 'failed', reason: reason ?? 'Reopened by mistake' }) },
            },
          ],
        });
      }
    }
    return found;
  });
}

const COMMITS = 500;

/** Titles of all plans and their tasks, updated from the journal before each search. */
class PlanTexts {
  readonly index = new TextIndex<Omit<FoundItem, 'score'>>();
  readonly #np: Np;
  #revision = -1;
  #running: Promise<void> = Promise.resolve();

  constructor(np: Np) {
    this.#np = np;
  }

  catchUp(): Promise<void> {
    this.#running = this.#running.then(
      () => this.#catchUp(),
      () => this.#catchUp(),
    );
    return this.#running;
  }

  async #catchUp(): Promise<void> {
    const { store } = this.#np;
    while (this.#revision !== (await store.revision())) {
      const commits = this.#revision < 0 ? undefined : await this.#commits();
      if (commits === undefined || commits.some(({ reset }) => reset)) {
        await this.#readAll();
        return;
      }
      const last = commits.at(-1);
      if (last === undefined) return;
      const keys = new Set(commits.flatMap(({ changes }) => changes.map(({ key }) => key)));
      for (const key of keys) await this.#read(key);
      this.#revision = last.revision;
    }
  }

  async #commits() {
    try {
      return await this.#np.store.engine.changes(this.#revision, COMMITS);
    } catch (error) {
      if (isHoldfastError(error, 'JOURNAL_TRIMMED')) return undefined;
      throw error;
    }
  }

  async #readAll(): Promise<void> {
    const { store } = this.#np;
    const revision = await store.revision();
    this.index.clear();
    for (const { sid } of await allSessions(store)) {
      await this.#readPlan(sid);
      for (const { id } of await readTasks(store, sid)) await this.#readTask(sid, id);
    }
    this.#revision = revision;
  }

  async #read(key: string): Promise<void> {
    const task = tasks.template.decode(key);
    if (task !== undefined) return this.#readTask(String(task['sid']), String(task['id']));
    const plan = goals.template.decode(key) ?? sessions.template.decode(key);
    if (plan !== undefined) await this.#readPlan(String(plan['sid']));
  }

  async #readPlan(sid: string): Promise<void> {
    const { store } = this.#np;
    const session = await store.get(sessions, { sid });
    if (session === undefined) return this.index.delete(sid);
    const goal = await store.get(goals, { sid });
    const title = goal === undefined || goal.title === '' ? session.dir_path : goal.title;
    const { dir_path: detail, state, last_updated_at: at } = session;
    this.index.set(sid, {
      title,
      text: `${detail} ${goal?.description ?? ''}`,
      at,
      isDone: state === 'archived',
      value: { app: 'np', kind: 'plan', id: sid, title, detail, state, path: `/plans/${sid}`, at },
    });
  }

  async #readTask(sid: string, id: string): Promise<void> {
    const task = await this.#np.store.get(tasks, { sid, id });
    if (task === undefined) return this.index.delete(`${sid}/${id}`);
    const { title, description, status, updated_at: at } = task;
    this.index.set(`${sid}/${id}`, {
      title,
      text: `${id} ${description}`,
      at,
      isDone: isFinished(status),
      value: {
        app: 'np',
        kind: 'plan task',
        id,
        title,
        detail: description === '' ? null : description,
        state: statusLabel(status),
        path: `/plans/${sid}`,
        at,
      },
    });
  }
}
