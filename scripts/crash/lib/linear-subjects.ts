import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { isHoldfastError } from '@holdfast/base';
import { addTasks, claimTask, openNp, releaseTask, setGoal, showPlan, startSession, updateGoal } from '@holdfast/np';
import { openUtask } from '@holdfast/utask';

import type { Request } from '../../../apps/codex/src/service/requests.ts';
import { addNotebook } from '../../../apps/codex/src/service/notebooks.ts';
import { readContent } from '../../../apps/codex/src/service/files.ts';
import { notebookOf } from '../../../apps/codex/src/store/notebooks.ts';
import type { NotebookPath } from '../../../apps/codex/src/model/path.ts';
import { addProject } from '../../../apps/ringmaster/src/service/projects.ts';
import { claim, report } from '../../../apps/ringmaster/src/service/queue.ts';
import { addTask, editTask, showTask } from '../../../apps/ringmaster/src/service/tasks.ts';
import { addWorker } from '../../../apps/ringmaster/src/service/workers.ts';
import type { Random } from '../../../packages/sqlite/test/random.ts';
import { NOTEBOOK, openWork } from './codex-notebook.ts';
import { openRingmasterAt } from './damage-subjects.ts';
import { counter, lease, type Model, register } from './linearizability.ts';

export type Value = Readonly<Record<string, unknown>>;

/** A stored object that several processes use at once, with the model that its answers must fit. */
export interface Subject {
  readonly name: string;
  readonly model: Model<unknown, Value, Value>;
  /** Creates what all objects need. Called once, before any process opens the application. */
  prepare(place: SubjectLocation): Promise<void>;
  open(place: SubjectLocation): Promise<OpenedSubject>;
  /** Chooses an operation. `count` makes written values unique; `last` is the client's last answer. */
  choose(random: Random, client: string, count: number, last: Value | undefined): Value;
}

export interface SubjectLocation {
  readonly home: string;
  readonly natsUrl: string;
}

export interface OpenedSubject {
  create(key: string): Promise<void>;
  apply(key: string, input: Value): Promise<Value>;
  close(): Promise<void>;
}

/** A claim that one actor holds at a time. An actor may repeat its claim, and release what nobody holds. */
const claims: Model<string, { readonly claim?: string; readonly release?: string }, { readonly ok: boolean }> = {
  initial: '',
  apply(state, input, output) {
    const actor = input.claim ?? input.release;
    const ok = state === '' || state === actor;
    if (output !== undefined && output.ok !== ok) return undefined;
    return ok ? (input.claim ?? '') : state;
  },
};

const asSubjectModel = (model: unknown): Subject['model'] => model as Subject['model'];

const chooseRegister: Subject['choose'] = (random, client, count) =>
  random.next() < 0.5 ? {} : { write: `${client}-${count}` };

const read = (value: string): Value => ({ value });
const directory = (home: string, key: string): string => join(home, 'plans', key);

/** Returns `refused` if the application refuses the operation because another client was first. */
async function unless(codes: readonly string[], refused: Value, action: () => Promise<Value>): Promise<Value> {
  try {
    return await action();
  } catch (error) {
    if (isHoldfastError(error) && codes.includes(error.code)) return refused;
    throw error;
  }
}

const npRegister: Subject = {
  name: 'np-register',
  model: asSubjectModel(register),
  async prepare({ home }) {
    await (await openNp({ path: join(home, 'np.db') })).close();
  },
  async open({ home }) {
    const np = await openNp({ path: join(home, 'np.db') });
    return {
      close: () => np.close(),
      async create(key) {
        mkdirSync(directory(home, key), { recursive: true });
        await startSession(np, { directory: directory(home, key), cmd: 'test' });
        await setGoal(np, { where: { directory: directory(home, key) }, cmd: 'test', title: 'goal', description: '' });
      },
      async apply(key, { write }) {
        const where = { directory: directory(home, key) };
        if (write === undefined) return read((await showPlan(np, where)).goal?.description ?? '');
        await updateGoal(np, { where, cmd: 'test', description: write as string, reason: 'test' });
        return {};
      },
    };
  },
  choose: chooseRegister,
};

const npClaims: Subject = {
  name: 'np-claims',
  model: asSubjectModel(claims),
  prepare: (place) => npRegister.prepare(place),
  async open({ home }) {
    const np = await openNp({ path: join(home, 'np.db') });
    const ids = new Map<string, string>();
    return {
      close: () => np.close(),
      async create(key) {
        const where = { directory: directory(home, key) };
        mkdirSync(where.directory, { recursive: true });
        await startSession(np, { ...where, cmd: 'test' });
        await setGoal(np, { where, cmd: 'test', title: 'goal', description: '' });
        await addTasks(np, { where, cmd: 'test', tasks: [{ title: 'task', description: '' }] });
      },
      async apply(key, { claim: claimer, release }) {
        const where = { directory: directory(home, key) };
        const id = ids.get(key) ?? (await showPlan(np, where)).tasks[0]!.id;
        ids.set(key, id);
        return unless(['TASK_CLAIMED'], { ok: false }, async () => {
          const call = { where, cmd: 'test', id, actor: (claimer ?? release) as string };
          await (claimer === undefined ? releaseTask(np, call) : claimTask(np, call));
          return { ok: true };
        });
      },
    };
  },
  choose: (random, client) => (random.next() < 0.5 ? { claim: client } : { release: client }),
};

const valueOf = (text: string): string => text.slice('value '.length);

function utaskSubject(name: string, isNats: boolean, kind: 'register' | 'counter'): Subject {
  const openList = ({ home, natsUrl }: SubjectLocation) =>
    openUtask({ databasePath: join(home, 'utask.db'), url: isNats ? natsUrl : undefined });
  return {
    name,
    model: asSubjectModel(kind === 'register' ? register : counter),
    async prepare(place) {
      await (await openList(place)).close();
    },
    async open(place) {
      const list = await openList(place);
      const ids = new Map<string, string>();
      const idOf = async (key: string): Promise<string> => {
        const id = ids.get(key) ?? (await list.query({ any: [`${name}-${key}`] }))[0]!.id;
        ids.set(key, id);
        return id;
      };
      return {
        close: () => list.close(),
        async create(key) {
          await list.add(kind === 'register' ? 'value ' : 'value 0', [`${name}-${key}`]);
        },
        async apply(key, { write, add }) {
          const id = await idOf(key);
          if (kind === 'register') {
            if (write === undefined) return read(valueOf((await list.get(id)).text));
            await list.update(id, { text: `value ${write as string}` });
            return {};
          }
          if (add === 0) return { value: Number(valueOf((await list.get(id)).text)) };
          const { text } = await list.modify(id, (task) => ({
            text: `value ${Number(valueOf(task.text)) + (add as number)}`,
          }));
          return { value: Number(valueOf(text)) };
        },
      };
    },
    choose: kind === 'register' ? chooseRegister : (random) => ({ add: random.below(3) }),
  };
}

const codexRegister: Subject = {
  name: 'codex-register',
  model: asSubjectModel(register),
  async prepare({ home }) {
    const codex = await openWork(home);
    await addNotebook(codex, { name: 'notes' });
    await codex.close();
  },
  async open({ home }) {
    const codex = await openWork(home);
    const change = async (request: Request): Promise<void> => {
      const [event] = await codex.run({ notebookId: NOTEBOOK, author: 'Ada', requests: [request] }, 60_000);
      // A superseded operation counts as done: another write of the same file came right after it.
      if (event === undefined || !['completed', 'superseded'].includes(event.status)) {
        throw new Error(`the operation is ${event?.status ?? 'unknown'}`);
      }
    };
    return {
      close: () => codex.close(),
      create: (key) => change({ type: 'create', path: `${key}.md` as NotebookPath, content: Buffer.from('') }),
      async apply(key, { write }) {
        const path = `${key}.md` as NotebookPath;
        if (write === undefined) {
          const bytes = await readContent(notebookOf(codex.store.reader, NOTEBOOK), path);
          return read(Buffer.from(bytes).toString());
        }
        await change({ type: 'update', file: { path }, content: Buffer.from(write as string) });
        return {};
      },
    };
  },
  choose: chooseRegister,
};

async function prepareRingmaster({ home }: SubjectLocation): Promise<void> {
  mkdirSync(join(home, '.ringmaster'), { recursive: true });
  const rm = await openRingmasterAt(home);
  await addProject(rm, { name: 'Test', id: 'test' });
  await addWorker(rm, { worker: 'w1', type: 'claude-code', command: '/bin/true', max_concurrent: 1_000 });
  await rm.store.close();
}

const ringmasterRegister: Subject = {
  name: 'ringmaster-register',
  model: asSubjectModel(register),
  prepare: prepareRingmaster,
  async open({ home }) {
    const rm = await openRingmasterAt(home);
    return {
      close: () => rm.store.close(),
      async create(key) {
        await addTask(rm, { title: key, id: `bd-${key}` });
      },
      async apply(key, { write }) {
        const task = `bd-${key}`;
        if (write === undefined) return read(showTask(rm, { task }).task.description ?? '');
        await editTask(rm, { task, description: write as string });
        return {};
      },
    };
  },
  choose: chooseRegister,
};

const ringmasterLease: Subject = {
  name: 'ringmaster-lease',
  model: asSubjectModel(lease),
  prepare: prepareRingmaster,
  async open({ home }) {
    const rm = await openRingmasterAt(home);
    const tokens = new Map<number, number>();
    return {
      close: () => rm.store.close(),
      async create(key) {
        await addTask(rm, { title: key, id: `bd-${key}` });
      },
      async apply(key, { acquire, release }) {
        if (acquire !== undefined) {
          const claimed = await claim(rm, { worker: 'w1', task: `bd-${key}` });
          if (claimed === undefined) return { fence: 0 };
          tokens.set(claimed.attempt.number, claimed.attempt.id);
          return { fence: claimed.attempt.number };
        }
        const token = tokens.get(release as number) ?? 0;
        return unless(['STALE_TOKEN'], { fence: 0 }, async () => {
          await report(rm, { token, status: 'released' });
          return { fence: release as number };
        });
      },
    };
  },
  // Also releases a second time, with a token that is no longer valid.
  choose: (random, client, _, last) => {
    const fence = Number(last?.['fence'] ?? 0);
    return fence > 0 && random.next() < 0.8 ? { release: fence } : { acquire: client };
  },
};

export const subjects: readonly Subject[] = [
  npRegister,
  npClaims,
  utaskSubject('ut-register', false, 'register'),
  utaskSubject('ut-counter', false, 'counter'),
  utaskSubject('nats-register', true, 'register'),
  utaskSubject('nats-counter', true, 'counter'),
  codexRegister,
  ringmasterRegister,
  ringmasterLease,
];
