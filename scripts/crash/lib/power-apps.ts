import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { browseBooks, localListener } from '@holdfast/audiobooks';
import { addTasks, listTasks, openNp, setGoal, startSession, verify } from '@holdfast/np';
import { openUtask } from '@holdfast/utask';

import { openAudiobooks } from '../../../apps/audiobooks/src/service/audiobooks.ts';
import { addBookmark, allBookmarks } from '../../../apps/audiobooks/src/service/listening/bookmarks.ts';
import type { NotebookPath } from '../../../apps/codex/src/model/path.ts';
import { settingsFrom } from '../../../apps/codex/src/model/settings.ts';
import { openCodex } from '../../../apps/codex/src/service/codex.ts';
import { addNotebook } from '../../../apps/codex/src/service/notebooks.ts';
import { examine } from '../../../apps/ringmaster/src/service/doctor.ts';
import { addProject } from '../../../apps/ringmaster/src/service/projects.ts';
import { addTask } from '../../../apps/ringmaster/src/service/tasks.ts';
import { generateLibrary } from '../../../bench/audiobooks/generated.ts';
import { folderOf, NOTEBOOK, settle, treeOf } from './codex-notebook.ts';
import { openRingmasterAt } from './damage-subjects.ts';

/** An application that writes numbered items to a disk whose power is cut. */
export interface PowerApp {
  readonly name: string;
  /** Creates what the first write needs. */
  prepare(home: string): Promise<void>;
  /** Opens the application, which recovers from the last cut. */
  open(home: string): Promise<OpenedPowerApp>;
}

export interface OpenedPowerApp {
  /** Resolves when the application has acknowledged item `n`. */
  write(n: number): Promise<unknown>;
  /** Waits until the application has finished pending work; returns the stored items and all problems. */
  inspect(): Promise<{ readonly stored: readonly number[]; readonly problems: readonly string[] }>;
}

const nameOf = (n: number): string => `item-${n}`;
const numberOf = (name: string): number => Number(name.replace(/^item-/u, '').replace(/\.md$/u, ''));
const PADDING = 'x'.repeat(2_000);
const textOf = (n: number): string => `${nameOf(n)}\n${PADDING}\n`;

const directory = '/power';

const np: PowerApp = {
  name: 'np',
  async prepare(home) {
    const opened = await openNp({ path: join(home, 'np.db') });
    await startSession(opened, { directory, cmd: 'power' });
    await setGoal(opened, { where: { directory }, cmd: 'power', title: 'Survive', description: '' });
    await opened.close();
  },
  async open(home) {
    const opened = await openNp({ path: join(home, 'np.db') });
    const where = { directory };
    return {
      write: (n) => addTasks(opened, { where, cmd: 'power', tasks: [{ title: nameOf(n), description: PADDING }] }),
      async inspect() {
        const { tasks } = await listTasks(opened, where);
        const { problems } = await verify(opened, false);
        return {
          stored: tasks.map(({ title }) => numberOf(title)),
          problems: problems.map((problem) => JSON.stringify(problem)),
        };
      },
    };
  },
};

const utask: PowerApp = {
  name: 'utask',
  async prepare(home) {
    await (await openUtask({ databasePath: join(home, 'utask.db'), url: undefined })).close();
  },
  async open(home) {
    const opened = await openUtask({ databasePath: join(home, 'utask.db'), url: undefined });
    return {
      write: (n) => opened.add(nameOf(n), ['power']),
      async inspect() {
        const all = await opened.query({});
        const tagged = await opened.query({ any: ['power'] });
        const problems = all.length === tagged.length ? [] : [`${all.length} tasks, ${tagged.length} with the tag`];
        return { stored: all.map(({ text }) => numberOf(text)), problems };
      },
    };
  },
};

const audiobooks: PowerApp = {
  name: 'audiobooks',
  async prepare(home) {
    await (await generateLibrary(home, 'audiobooks', 3, () => undefined)).close();
  },
  async open(home) {
    const opened = await openAudiobooks({ path: join(home, 'audiobooks.db') });
    const listener = localListener('power');
    const { items } = await browseBooks(opened, listener, { limit: 1 });
    const book = items[0]!.id;
    return {
      write: (n) => addBookmark(opened, listener, book, { position_ms: n, note: nameOf(n) }),
      async inspect() {
        const marks = await allBookmarks(opened, listener);
        const { problems } = await opened.store.verify();
        return {
          stored: marks.map(({ note }) => numberOf(note)),
          problems: problems.map((problem) => JSON.stringify(problem)),
        };
      },
    };
  },
};

const ringmaster: PowerApp = {
  name: 'ringmaster',
  async prepare(home) {
    mkdirSync(join(home, '.ringmaster'));
    const rm = await openRingmasterAt(home);
    await addProject(rm, { name: 'Power', id: 'power' });
    await rm.store.close();
  },
  async open(home) {
    const rm = await openRingmasterAt(home);
    return {
      write: (n) => addTask(rm, { title: nameOf(n), description: PADDING }),
      async inspect() {
        const tasks = rm.store.reader.all<{ title: string }>('SELECT title FROM tasks');
        const findings = await examine(rm, { repair: false });
        return {
          stored: tasks.map(({ title }) => numberOf(title)),
          problems: findings.flatMap(({ problems }) => problems),
        };
      },
    };
  },
};

const git = promisify(execFile);

/** Opens codex with frequent commits, so that some power cuts hit a commit. */
function openNotebooks(home: string): ReturnType<typeof openCodex> {
  const settings = { ...settingsFrom({}), watch: false, git_quiet_interval: 0.05, git_commit_interval: 0.2 };
  return openCodex({ home, databasePath: join(home, 'codex.db'), settings });
}

const codex: PowerApp = {
  name: 'codex',
  async prepare(home) {
    const opened = await openNotebooks(home);
    await addNotebook(opened, { name: 'notes' });
    await opened.close();
  },
  async open(home) {
    const opened = await openNotebooks(home);
    const folder = folderOf(home);
    return {
      write: (n) =>
        opened.publish({
          notebookId: NOTEBOOK,
          author: 'Ada',
          requests: [{ type: 'create', path: `${nameOf(n)}.md` as NotebookPath, content: Buffer.from(textOf(n)) }],
        }),
      async inspect() {
        await settle(opened);
        const files = Object.entries(treeOf(folder));
        const problems = files
          .filter(([path, text]) => text !== textOf(numberOf(path)))
          .map(([path, text]) => `${path} is torn: ${text.length} characters`);
        // A repository without commits has no HEAD.
        if (files.length === 0) return { stored: [], problems };
        const { stdout } = await git('git', ['ls-tree', '-r', '--format=%(objectname) %(path)', 'HEAD'], {
          cwd: folder,
        });
        const committed = new Set(stdout.trim().split('\n'));
        for (const [path, text] of files) {
          if (!committed.has(`${objectName(text)} ${path}`)) problems.push(`${path} is not committed`);
        }
        await git('git', ['fsck', '--strict'], { cwd: folder }).catch((error: unknown) => problems.push(String(error)));
        return { stored: files.map(([path]) => numberOf(path)), problems };
      },
    };
  },
};

/** Returns git's object name for this text. */
function objectName(text: string): string {
  return createHash('sha1')
    .update(`blob ${Buffer.byteLength(text)}\0${text}`)
    .digest('hex');
}

export const powerApps: readonly PowerApp[] = [np, utask, audiobooks, ringmaster, codex];
