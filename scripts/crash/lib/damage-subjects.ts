import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { accountsSchema, openAccounts, openAccountsKeyspace } from '@holdfast/accounts';
import { browseBooks, localListener, openAudiobooks, schema as audiobooksSchema } from '@holdfast/audiobooks';
import { type Schema, sqliteEngine } from '@holdfast/keyspace';
import {
  addTasks,
  listSessions,
  openNp,
  readGlobalLog,
  schema as npSchema,
  setGoal,
  showPlan,
  startSession,
  updateTasks,
  verify,
} from '@holdfast/np';
import { backupDatabase, openExisting } from '@holdfast/sqlite';
import { openUtask, schema as utaskSchema } from '@holdfast/utask';

import type { NotebookPath } from '../../../apps/codex/src/model/path.ts';
import { addNotebook } from '../../../apps/codex/src/service/notebooks.ts';
import { eventView } from '../../../apps/codex/src/service/views.ts';
import { changedEvents } from '../../../apps/codex/src/store/events.ts';
import { listFiles } from '../../../apps/codex/src/store/files.ts';
import { workspaceAt } from '../../../apps/ringmaster/src/adapters/workspace.ts';
import { defaultConfig } from '../../../apps/ringmaster/src/model/config.ts';
import { addMessage } from '../../../apps/ringmaster/src/service/chat.ts';
import { examine } from '../../../apps/ringmaster/src/service/doctor.ts';
import { addDependency } from '../../../apps/ringmaster/src/service/graph.ts';
import { addProject, allProjects } from '../../../apps/ringmaster/src/service/projects.ts';
import { claim, report } from '../../../apps/ringmaster/src/service/queue.ts';
import { openRingmaster, type Ringmaster } from '../../../apps/ringmaster/src/service/ringmaster.ts';
import { allEvents, statusOf } from '../../../apps/ringmaster/src/service/status.ts';
import { addTask, listTasks, showTask } from '../../../apps/ringmaster/src/service/tasks.ts';
import { addWorker, allWorkers } from '../../../apps/ringmaster/src/service/workers.ts';
import { generateLibrary } from '../../../bench/audiobooks/generated.ts';
import { NOTEBOOK, openWork, settle } from './codex-notebook.ts';
import { type JournalFacts, journalOf, type Stored, storedIn } from './overwrite.ts';

/** The databases that the damage campaign fills and damages. */
export interface Subject {
  readonly name: string;
  /** Undefined for a database with tables. */
  readonly schema?: Schema;
  /** Path of the database below a folder. */
  readonly file: string;
  fill(folder: string): Promise<void>;
  /** Reads everything as the application does, and makes a change. */
  use(folder: string): Promise<void>;
  /** The application's own repair, in addition to `holdfast verify --repair`. */
  repair?(folder: string): Promise<void>;
}

export interface FilledSubject extends Subject {
  readonly backup: string;
  readonly sound: Stored;
  readonly journal: JournalFacts;
}

const TITLES = ['a', 'b', 'c', 'd', 'e'];
const TASKS = TITLES.map((title) => ({ title, description: `Do ${title}` }));
/** These folders do not exist on disk: np only compares their paths. */
const DIRECTORIES = ['/damage/one', '/damage/two'];

const np: Subject = {
  name: 'np',
  file: 'np.db',
  schema: npSchema,
  async fill(folder) {
    const opened = await openNp({ path: join(folder, this.file) });
    for (const directory of DIRECTORIES) {
      const call = { where: { directory }, cmd: 'damage' };
      await startSession(opened, { directory, cmd: 'damage' });
      await setGoal(opened, { ...call, title: 'Survive', description: 'Damage' });
      const [first] = await addTasks(opened, { ...call, tasks: TASKS });
      await updateTasks(opened, { ...call, updates: [{ id: first!.task.id, status: 'completed' }] });
    }
    await opened.close();
  },
  async use(folder) {
    const opened = await openNp({ path: join(folder, this.file), onUnreadable: () => undefined });
    try {
      await listSessions(opened, { state: 'all', limit: 100 });
      await readGlobalLog(opened, 100);
      for (const directory of DIRECTORIES) {
        const where = { directory };
        await showPlan(opened, where);
        await addTasks(opened, { where, cmd: 'damage', tasks: [{ title: 'after', description: '' }] });
      }
    } finally {
      await opened.close();
    }
  },
  async repair(folder) {
    const opened = await openNp({ path: join(folder, this.file) });
    await verify(opened, true);
    await opened.close();
  },
};

const utask: Subject = {
  name: 'utask',
  file: 'utask.db',
  schema: utaskSchema,
  async fill(folder) {
    const opened = await openUtask({ databasePath: join(folder, this.file), url: undefined });
    for (const title of TITLES) await opened.add(title, ['x', title]);
    await opened.close();
  },
  async use(folder) {
    const opened = await openUtask({ databasePath: join(folder, this.file), url: undefined });
    try {
      await opened.query({});
      await opened.query({ any: ['x'] });
      await opened.add('after', ['x']);
    } finally {
      await opened.close();
    }
  },
};

const audiobooks: Subject = {
  name: 'audiobooks',
  file: 'audiobooks.db',
  schema: audiobooksSchema,
  async fill(folder) {
    await (await generateLibrary(folder, 'audiobooks', 3, () => undefined)).close();
  },
  async use(folder) {
    const opened = await openAudiobooks({ path: join(folder, this.file) });
    try {
      await browseBooks(opened, localListener('damage'), { limit: 100 });
      await opened.store.verify();
    } finally {
      await opened.close();
    }
  },
};

const accounts: Subject = {
  name: 'accounts',
  file: 'accounts.db',
  schema: accountsSchema,
  async fill(folder) {
    const keyspace = await openAccountsKeyspace(await sqliteEngine({ path: join(folder, this.file) }));
    const opened = await openAccounts({ keyspace });
    await opened.ensureOwner({ username: 'owner' });
    for (const title of TITLES) {
      const { id } = await opened.createUser({ username: `user-${title}`, roles: ['user'] });
      await opened.createToken({ userId: id, name: title, scopes: ['read'] });
    }
    await opened.settled();
    await keyspace.close();
  },
  async use(folder) {
    const keyspace = await openAccountsKeyspace(await sqliteEngine({ path: join(folder, this.file) }));
    try {
      const opened = await openAccounts({ keyspace });
      await opened.listUsers();
      await opened.listRoles();
      await opened.listAudit();
      await opened.createUser({ username: 'after', roles: ['user'] });
      await opened.settled();
    } finally {
      await keyspace.close();
    }
  },
};

const codex: Subject = {
  name: 'codex',
  file: 'codex.db',
  async fill(folder) {
    const opened = await openWork(folder);
    await addNotebook(opened, { name: 'notes' });
    for (const title of TITLES) {
      const path = `${title}.md` as NotebookPath;
      const content = Buffer.from(`note ${title}`);
      const requests = [{ type: 'create', path, content, metadata: { title } } as const];
      await opened.publish({ notebookId: NOTEBOOK, author: 'Ada', requests });
    }
    await settle(opened);
    await opened.close();
  },
  async use(folder) {
    const opened = await openWork(folder);
    try {
      const { reader } = opened.store;
      for (const event of changedEvents(reader, 0, 1_000)) eventView(event);
      listFiles(reader, NOTEBOOK, { limit: 1_000 });
    } finally {
      await opened.close();
    }
  },
};

const ringmaster: Subject = {
  name: 'ringmaster',
  file: join('.ringmaster', 'ringmaster.db'),
  async fill(folder) {
    mkdirSync(join(folder, '.ringmaster'));
    const rm = await openRingmasterAt(folder);
    await addProject(rm, { name: 'Circus', id: 'circus' });
    await addWorker(rm, { worker: 'w1', type: 'claude-code', command: '/bin/true' });
    for (const title of TITLES) await addTask(rm, { title, id: `bd-${title}`, capabilities: ['code'] });
    await addDependency(rm, { task: 'bd-b', depends_on: 'bd-a' });
    await addMessage(rm, { role: 'user', content: 'Hello' });
    const claimed = await claim(rm, { worker: 'w1' });
    if (claimed !== undefined) await report(rm, { token: claimed.attempt.id, status: 'completed' });
    await rm.store.close();
  },
  async use(folder) {
    const rm = await openRingmasterAt(folder);
    try {
      await examine(rm, { repair: false });
      for (const title of TITLES) showTask(rm, { task: `bd-${title}` });
      await listTasks(rm, { limit: 100, state: 'all', archived: true, labels: [], search: '' });
      allEvents(rm, { since: 0, limit: 1_000 });
      allProjects(rm);
      allWorkers(rm);
      statusOf(rm, {});
      await addTask(rm, { title: 'after' });
    } finally {
      await rm.store.close();
    }
  },
};

export function openRingmasterAt(root: string): Promise<Ringmaster> {
  return openRingmaster({
    workspace: workspaceAt(root, defaultConfig),
    config: defaultConfig,
    clock: Date.now,
    random: Math.random,
    actor: { type: 'person', id: 'tester' },
    create: true,
  });
}

/** Fills every database and returns them with a backup of each. */
export async function fillSubjects(folder: string): Promise<readonly FilledSubject[]> {
  const filled: FilledSubject[] = [];
  for (const subject of [np, utask, audiobooks, accounts, codex, ringmaster]) {
    await subject.fill(folder);
    const backup = join(folder, 'backups', `${subject.name}.db`);
    const database = await openExisting(join(folder, subject.file));
    await backupDatabase(database, backup);
    filled.push({ ...subject, backup, sound: storedIn(database), journal: journalOf(database) });
    await database.close();
  }
  return filled;
}
