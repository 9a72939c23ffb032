import { type Page, readPage } from '@holdfast/base';
import type { Caller } from '@holdfast/operation';

import { commitView, type CommitView, fileDiff, fileHistory, fileVersion, notebookHistory } from '../git/history.ts';
import { codexErrors } from '../model/errors.ts';
import type { HistoryEntry } from '../model/git.ts';
import type { Written } from '../operations/fields.ts';
import type * as operations from '../operations/history.ts';
import { fileAt } from '../store/files.ts';
import type { Codex } from './codex.ts';
import { written } from './changes.ts';
import { fileFor, pastFilePath } from './files.ts';
import { notebookFor, writableNotebook } from './notebooks.ts';
import type { Request } from './requests.ts';
import { submit } from './submit.ts';

export async function listHistory(
  codex: Codex,
  { notebook: name, file, limit, cursor }: operations.ListHistoryInput,
): Promise<Page<HistoryEntry>> {
  const notebook = notebookFor(codex, name);
  const repository = await codex.git.repository(notebook.id);
  const path = file === undefined ? undefined : pastFilePath(codex, notebook, file);
  const read = (count: number): Promise<readonly HistoryEntry[]> => {
    const range = { limit: count, before: cursor };
    return path === undefined ? notebookHistory(repository, range) : fileHistory(repository, path, range);
  };
  const page = await readPage(limit, read, (last) => last.sha);
  // Throws unless the file exists in the history or on disk.
  if (page.data.length === 0 && file !== undefined) await fileFor(codex, notebook, file);
  return page;
}

export async function showCommit(
  codex: Codex,
  { notebook: name, commit }: operations.ShowCommitInput,
): Promise<CommitView> {
  return commitView(await codex.git.repository(notebookFor(codex, name).id), commit);
}

export async function diffFile(
  codex: Codex,
  { notebook: name, file, to, from }: operations.DiffFileInput,
): Promise<operations.FileDiff> {
  const notebook = notebookFor(codex, name);
  const repository = await codex.git.repository(notebook.id);
  const path = pastFilePath(codex, notebook, file);
  const [last] = await fileHistory(repository, path, { limit: 1 });
  if (last === undefined) {
    throw codexErrors.FILE_NOT_FOUND(`The history has no file ${JSON.stringify(path)}`, {
      hint: 'The history of the notebook shows what was committed.',
    });
  }
  const end = to ?? last.sha;
  return { path, to: end, from: from ?? null, diff: await fileDiff(repository, path, end, from) };
}

export async function readVersion(codex: Codex, name: string, file: string, commit: string): Promise<Uint8Array> {
  const notebook = notebookFor(codex, name);
  const repository = await codex.git.repository(notebook.id);
  return (await fileVersion(repository, pastFilePath(codex, notebook, file), commit)).content;
}

export async function restoreVersion(
  codex: Codex,
  input: operations.RestoreVersionInput,
  caller: Caller,
): Promise<Written> {
  const notebook = writableNotebook(codex, input.notebook);
  const request = async (): Promise<Request> => {
    const path = pastFilePath(codex, notebook, input.file);
    const { content } = await fileVersion(await codex.git.repository(notebook.id), path, input.commit);
    const row = fileAt(codex.store.reader, notebook.id, path);
    // Creates the file again if it no longer exists.
    return row === undefined ? { type: 'create', path, content } : { type: 'update', file: { id: row.id }, content };
  };
  return written(codex, notebook, await submit(codex, notebook, caller, request, { input }));
}
