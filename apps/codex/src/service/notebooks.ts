import { delimiter, join } from 'node:path';

import { delay, MINUTE, type Page, toTimestamp } from '@holdfast/base';
import type { Caller } from '@holdfast/operation';

import { prepareNotebookFolder } from '../adapters/notebook-folder.ts';
import { openNotebookRepository } from '../git/notebook-repository.ts';
import { codexErrors } from '../model/errors.ts';
import { failureOf } from '../model/failure.ts';
import type { Notebook } from '../model/notebook.ts';
import { pathProblem } from '../model/path.ts';
import type { InNotebook } from '../operations/fields.ts';
import type * as operations from '../operations/notebooks.ts';
import { countPending, countRunning } from '../store/events.ts';
import { untrackedFiles } from '../store/git.ts';
import * as notebookStore from '../store/notebooks.ts';
import { dropNotebookNotes } from '../store/notes.ts';
import type { Codex } from './codex.ts';
import type { CodexContext } from './context.ts';
import { pauseOf } from './pause.ts';
import { conflictsOf, remotesOf } from './remote-views.ts';
import { singlePage } from './views.ts';

const NAME_LENGTH_MAX = 100;
const RECONCILE_WAIT_MS: number = 10 * MINUTE;

/** Returns the named notebook, else the default, else the one that contains the current folder, else the only one. */
export function notebookFor({ store, defaults }: CodexContext, name: string | undefined = defaults.notebook): Notebook {
  const { reader } = store;
  if (name !== undefined) return notebookStore.namedNotebook(reader, name);
  const all = notebookStore.listNotebooks(reader);
  const { folder } = defaults;
  const around = folder === undefined ? undefined : all.find(({ path }) => `${folder}/`.startsWith(`${path}/`));
  const [only] = all;
  if (around !== undefined) return around;
  if (only !== undefined && all.length === 1) return only;
  const names = all.map((each) => each.name).join(', ');
  if (only !== undefined) throw codexErrors.NOTEBOOK_AMBIGUOUS(`Several notebooks exist: ${names}`);
  throw codexErrors.NOTEBOOK_NOT_FOUND('There is no notebook yet', {
    hint: "Create one with 'holdfast notebooks add NAME'.",
  });
}

/** Like `notebookFor`, but refuses a notebook that is being removed. */
export function writableNotebook(codex: CodexContext, name: string | undefined): Notebook {
  return notebookStore.activeNotebook(codex.store.reader, notebookFor(codex, name).id);
}

export function listNotebooks({ store }: CodexContext): Page<Notebook> {
  return singlePage(notebookStore.listNotebooks(store.reader));
}

export function showNotebook(codex: CodexContext, { notebook }: InNotebook): Notebook {
  return notebookFor(codex, notebook);
}

/** Writers may add notebooks below the allowed folders; only administrators may choose any folder on the machine. */
const ADMINISTRATION = 'app:codex:admin';

/**
 * Registers a folder as a notebook, unless `check` refuses it. The git repository is created on first use, or by
 * `addNotebook`.
 */
export async function registerNotebook(
  codex: CodexContext,
  { name, path }: operations.AddNotebookInput,
  caller: Pick<Caller, 'permissions'> = {},
  check: (folder: string) => Promise<void> = async () => undefined,
): Promise<Notebook> {
  const problem = name.includes('/') ? 'has a slash' : pathProblem(name);
  if (problem !== undefined || name.length > NAME_LENGTH_MAX) {
    throw codexErrors.PATH_INVALID(`The name ${JSON.stringify(name)} ${problem ?? 'is too long'}`);
  }
  const roots = codex.settings.roots.split(delimiter).filter((root) => root !== '');
  const folder = prepareNotebookFolder(path ?? join(codex.home, 'notebooks', name), {
    home: codex.home,
    roots,
    isRestricted: caller.permissions?.includes(ADMINISTRATION) === false,
    // Checks before anything is created in the folder. The transaction checks again, because two requests may race.
    requireFree: (place) => notebookStore.requireFree(codex.store.reader, name, place),
  });
  try {
    await check(folder.path);
    const now = toTimestamp(codex.clock());
    return await codex.store.write('codex add notebook', (tx) =>
      notebookStore.insertNotebook(tx, name, folder.path, now),
    );
  } catch (error) {
    folder.undo();
    throw error;
  }
}

export async function addNotebook(
  codex: Codex,
  input: operations.AddNotebookInput,
  caller?: Caller,
): Promise<Notebook> {
  return registerNotebook(codex, input, caller, async (folder) => (await openNotebookRepository(folder)).close());
}

/** Removes a notebook; its files and its repository stay. Refuses new operations as soon as the removal starts. */
export async function removeNotebook(
  codex: Codex,
  { notebook: name }: operations.RemoveNotebookInput,
): Promise<Notebook> {
  const notebook = notebookFor(codex, name);
  const { store } = codex;
  await store.write('codex close notebook', (tx) => notebookStore.beginRemoval(tx, notebook.id));
  await codex.retire(notebook.id);
  const removed = store.write('codex remove notebook', (tx) => notebookStore.deleteNotebook(tx, notebook.id));
  await Promise.all([removed, store.derive((tx) => dropNotebookNotes(tx, notebook.id))]);
  return notebook;
}

const UNTRACKED_SHOWN_MAX = 100;

export async function notebookStatus(codex: Codex, { notebook: name }: InNotebook): Promise<operations.NotebookStatus> {
  const notebook = notebookFor(codex, name);
  const { id } = notebook;
  const [git, watcher, remotes] = await Promise.all([
    codex.git.status(id),
    codex.watchers.status(id),
    remotesOf(codex, notebook),
  ]);
  return {
    paused: pauseOf(notebook),
    pending: countPending(codex.store.reader, id),
    problem: codex.problems.get(id) ?? null,
    git: {
      ...git,
      untracked: untrackedFiles(codex.store.reader, id, UNTRACKED_SHOWN_MAX),
      index_locked: git.index_lock !== null,
    },
    remotes,
    conflicts: conflictsOf(codex, notebook),
    watcher: watcher ?? null,
  };
}

const RUNNING_WAIT_MS: number = MINUTE;
const RUNNING_EVERY_MS = 20;

/** Finishes and commits the operations that have started, then stops the queue until `resumeNotebook` is called. */
export async function pauseNotebook(
  codex: Codex,
  { notebook: name }: InNotebook,
  caller: Caller,
): Promise<operations.PausedNotebook> {
  const { id } = writableNotebook(codex, name);
  const { store, git } = codex;
  const now = toTimestamp(codex.clock());
  await store.write('codex pause', (tx) => notebookStore.setPaused(tx, id, caller.name, now));
  const deadline = performance.now() + RUNNING_WAIT_MS;
  while (countRunning(store.reader, id) > 0) {
    if (performance.now() > deadline) throw codexErrors.WAIT_TIMEOUT('Paused, but an operation is still running');
    await delay(RUNNING_EVERY_MS, caller.signal);
  }
  const problem = await git.flush(id).then(
    () => null,
    (error: unknown) => failureOf(error).message,
  );
  const { held, last_commit } = await git.status(id);
  return { notebook: notebookStore.notebookOf(store.reader, id), commit_sha: last_commit, problem, held };
}

export async function resumeNotebook(codex: Codex, { notebook: name }: InNotebook): Promise<Notebook> {
  const { id } = writableNotebook(codex, name);
  await codex.store.write('codex resume', (tx) => notebookStore.setPaused(tx, id, null, ''));
  codex.lanes.wake(id);
  return notebookStore.notebookOf(codex.store.reader, id);
}

export function reconcileNotebook(
  codex: Codex,
  { notebook, without_disks: withoutDisks = false }: operations.ReconcileNotebookInput,
): Promise<operations.ReconcileReport> {
  return codex.reconcile(writableNotebook(codex, notebook), RECONCILE_WAIT_MS, { withoutDisks });
}

export function reindexNotebook(codex: Codex, { notebook }: InNotebook): Promise<operations.ReindexReport> {
  return codex.notes.rebuild(writableNotebook(codex, notebook));
}
