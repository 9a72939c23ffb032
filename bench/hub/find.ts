import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { overview as books } from '@holdfast/audiobooks/overview';
import { overview as notes } from '@holdfast/codex/overview';
import { addTasks, openNp, startSession } from '@holdfast/np';
import { overview as plans } from '@holdfast/np/overview';
import type { Caller, Overview } from '@holdfast/operation';
import { Connection } from '@holdfast/sqlite';
import { overview as tasks } from '@holdfast/utask/overview';

import { putNotes } from '../../apps/codex/src/store/notes.ts';
import { find } from '../../apps/hub/src/service/find.ts';
import { registerWorkspace } from '../../apps/ringmaster/src/adapters/workspace.ts';
import { overview as ringTasks } from '../../apps/ringmaster/src/service/overview.ts';
import { Workspaces } from '../../apps/ringmaster/src/service/workspaces.ts';
import { insertTask } from '../../apps/ringmaster/src/store/tasks.ts';
import { openUtask } from '../../apps/utask/src/service/open-utask.ts';
import { generateLibrary } from '../audiobooks/generated.ts';
import { fillFiles, noteChange, openNotebook, Vocabulary } from '../codex/fixtures.ts';
import { type Context, type Figure, quantile } from '../lib/harness.ts';
import { prepare } from '../ringmaster/setup.ts';

const WORDS_IN_NOTE = 50;
const WORDS_IN_TITLE = 5;
const SHOWN = 20;
const caller: Caller = { name: 'bench', via: 'bench', face: 'http' };

/**
 * Workload: 100,000 items in all five applications; two words are typed letter by letter, and every state of the line
 * is searched, while another task is added between searches. Ours: the search of all applications. Baseline: one FTS5
 * query over a table with the same number of titles. The sides alternate.
 */
export async function benchmark({ folder, quick, progress }: Context): Promise<readonly Figure[]> {
  const total = quick ? 2_000 : 100_000;
  const vocabulary = new Vocabulary(1);
  const title = (): string => Array.from({ length: WORDS_IN_TITLE }, () => vocabulary.word()).join(' ');
  const part = (share: number): number => Math.round(total * share);
  const opened = [
    await withPlans(folder, part(0.1), title),
    await withTasks(folder, part(0.4), title),
    await withRingmaster(folder, part(0.2), title),
    await withNotes(folder, part(0.25), vocabulary),
    await withBooks(folder, part(0.05), progress),
  ];
  const overviews = new Map(opened.map(({ overview }, n) => [String(n), overview]));
  const bare = bareTable(folder, total, title);
  // The first search of an application builds its index.
  for (const { overview } of opened) await overview.find({ words: ['warm'], limit: SHOWN }, caller);
  const times: { readonly ours: number[]; readonly bare: number[] } = { ours: [], bare: [] };
  for (const text of Array.from({ length: quick ? 3 : 20 }, () => typed(vocabulary)).flat()) {
    await opened[1]?.change();
    const begun = performance.now();
    const { unavailable } = await find({ overviews }, { q: text, limit: SHOWN }, caller);
    times.ours.push(performance.now() - begun);
    if (unavailable.length > 0) throw new Error(`An application did not answer: ${unavailable.join(', ')}`);
    const then = performance.now();
    bareQuery(bare, text);
    times.bare.push(performance.now() - then);
  }
  bare.close();
  for (const { close } of opened) await close();
  const baseline = `one FTS5 query over ${total} titles: p95 ${quantile(times.bare, 0.95).toFixed(1)} ms`;
  return [{ name: 'hub.find.p95', value: quantile(times.ours, 0.95), unit: 'ms', baseline, goal: 50, better: 'lower' }];
}

interface Filled {
  readonly overview: Overview;
  /** Makes a change that the next search must include. */
  readonly change: () => Promise<unknown>;
  readonly close: () => Promise<unknown>;
}

const nothing = (): Promise<void> => Promise.resolve();

async function withPlans(folder: string, count: number, title: () => string): Promise<Filled> {
  const np = await openNp({ path: join(folder, 'np.db') });
  for (let n = 0; n < count; n += 100) {
    const directory = join(folder, 'plans', String(n));
    mkdirSync(directory, { recursive: true });
    await startSession(np, { directory, cmd: 'bench' });
    const added = Array.from({ length: Math.min(100, count - n) }, (_, index) => ({
      title: `${title()} ${n + index}`,
      description: '',
    }));
    await addTasks(np, { where: { directory }, cmd: 'bench', tasks: added });
  }
  return { overview: plans(np), change: nothing, close: () => np.close() };
}

async function withTasks(folder: string, count: number, title: () => string): Promise<Filled> {
  const utask = await openUtask({ databasePath: join(folder, 'utask.db'), url: undefined });
  for (let n = 0; n < count; n += 500) {
    await Promise.all(Array.from({ length: Math.min(500, count - n) }, () => utask.add(title())));
  }
  return {
    overview: tasks(() => Promise.resolve(utask)),
    change: () => utask.add(title()),
    close: () => utask.close(),
  };
}

async function withRingmaster(folder: string, count: number, title: () => string): Promise<Filled> {
  const root = join(folder, 'workspace');
  const rm = await prepare(root, 0, [], 0);
  writeFileSync(join(root, 'ringmaster.toml'), '');
  await rm.store.write('tasks', (tx) => {
    for (let n = 0; n < count; n++) {
      insertTask(tx, { id: `bd-${n}`, project_id: 'bench', type: 'task', title: title(), status: 'ready' });
    }
  });
  await rm.store.close();
  registerWorkspace(folder, root);
  const workspaces = new Workspaces(folder);
  return { overview: ringTasks(workspaces), change: nothing, close: () => workspaces.close() };
}

async function withNotes(folder: string, count: number, vocabulary: Vocabulary): Promise<Filled> {
  const { codex, notebook } = await openNotebook(join(folder, 'codex'));
  await fillFiles(codex.store, notebook.id, count, (tx, n) =>
    putNotes(tx, notebook.id, [noteChange(n, vocabulary.note(n, WORDS_IN_NOTE))]),
  );
  return { overview: notes(codex), change: nothing, close: () => codex.close() };
}

async function withBooks(folder: string, count: number, progress: Context['progress']): Promise<Filled> {
  const { audiobooks, close } = await generateLibrary(folder, 'audiobooks', count, progress);
  return { overview: books(audiobooks), change: nothing, close };
}

function bareTable(folder: string, count: number, title: () => string): Connection {
  const connection = new Connection(join(folder, 'bare.db'));
  connection.exec(`CREATE VIRTUAL TABLE titles USING fts5(title, prefix = '2 3')`);
  connection.exec('BEGIN');
  for (let n = 0; n < count; n++) connection.run('INSERT INTO titles VALUES (?)', title());
  connection.exec('COMMIT');
  return connection;
}

function bareQuery(connection: Connection, text: string): number {
  const match = text
    .split(' ')
    .map((word) => `"${word}" *`)
    .join(' AND ');
  return connection.all('SELECT title FROM titles WHERE titles MATCH ? ORDER BY rank LIMIT ?', match, SHOWN).length;
}

/** Returns the typed line after each letter. */
function typed(vocabulary: Vocabulary): readonly string[] {
  const words = `${vocabulary.word()} ${vocabulary.word()}`;
  return Array.from({ length: words.length }, (_, n) => words.slice(0, n + 1).trimEnd());
}
