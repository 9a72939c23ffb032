import { isAbsolute } from 'node:path';

import { type Page, toTimestamp } from '@holdfast/base';
import { checkAddress, gitErrors, setReference } from '@holdfast/git';
import type { Caller } from '@holdfast/operation';

import { readFile } from '../adapters/file-content.ts';
import { readHead } from '../adapters/git-repository.ts';
import { sealToken } from '../adapters/sealed-token.ts';
import { Tree } from '../adapters/tree.ts';
import { codexErrors } from '../model/errors.ts';
import type { FileRecord, Notebook } from '../model/notebook.ts';
import { type NotebookPath, numbered, originalOf } from '../model/path.ts';
import type { InNotebook } from '../operations/fields.ts';
import type * as operations from '../operations/remotes.ts';
import { fileAt } from '../store/files.ts';
import * as remoteStore from '../store/remotes.ts';
import type { Codex } from './codex.ts';
import { notebookFor, writableNotebook } from './notebooks.ts';
import { conflictsOf, remotesOf, remoteView } from './remote-views.ts';
import type { FileReference, Request } from './requests.ts';
import { finished, publishFor } from './submit.ts';
import { remoteReference, requireSuitable, syncRemote, tokenPlace } from './sync/sync-remote.ts';
import { singlePage } from './views.ts';

export async function addRemote(codex: Codex, input: operations.AddRemoteInput): Promise<operations.RemoteView> {
  const notebook = writableNotebook(codex, input.notebook);
  const { name, url, key_file, token, allow_path = false } = input;
  if (!/^[a-z0-9][a-z0-9_-]*$/iu.test(name)) throw unusable('The name must consist of letters, digits, - and _');
  if (input.branch !== undefined && !isBranchName(input.branch))
    throw unusable('The branch name may contain only letters, digits, _, -, . and /');
  const { protocol } = checkAddress(url, allow_path);
  if (token !== undefined && protocol !== 'https') throw unusable('A token works only with https');
  if (key_file !== undefined && (protocol !== 'ssh' || !isAbsolute(key_file))) {
    throw unusable('A key file works only with ssh, and its path must be absolute');
  }
  const opened = await codex.git.repository(notebook.id);
  requireSuitable(notebook, opened.repository);
  const head = await readHead(opened.repository, opened.objects);
  if ('pausedBecause' in head) throw codexErrors.REMOTE_UNSUITABLE(`Commits are paused: ${head.pausedBecause}`);
  const branch = input.branch ?? head.branch.replace(/^refs\/heads\//, '');
  const identity = { notebook_id: notebook.id, name, url };
  const row = {
    ...identity,
    branch,
    allows_path: allow_path ? 1 : 0,
    key_file: key_file ?? null,
    token: token === undefined ? null : sealToken(codex.home, tokenPlace(identity), token),
    created_at: toTimestamp(codex.clock()),
  };
  const added = await codex.store.write('codex add remote', (tx) => remoteStore.insertRemote(tx, row));
  return remoteView(codex, notebook, added);
}

/** Stricter than git, so that a name never needs quoting. */
function isBranchName(name: string): boolean {
  return /^(?!.*(?:\.\.|\/\/|\.lock(?:\/|$)))\w[\w./-]*(?<![./])$/u.test(name);
}

function unusable(message: string): Error {
  return gitErrors.REMOTE_ADDRESS(message);
}

export async function removeRemote(
  codex: Codex,
  { notebook: name, remote }: operations.OneRemoteInput,
): Promise<operations.RemoteView> {
  const notebook = notebookFor(codex, name);
  const row = remoteStore.namedRemote(codex.store.reader, notebook.id, remote);
  const view = await remoteView(codex, notebook, row);
  await codex.store.write('codex remove remote', (tx) => remoteStore.deleteRemote(tx, row.id));
  const { repository } = await codex.git.repository(notebook.id);
  await setReference(repository.root, remoteReference(row), undefined);
  return view;
}

export async function listRemotes(codex: Codex, { notebook: name }: InNotebook): Promise<Page<operations.RemoteView>> {
  const notebook = notebookFor(codex, name);
  return singlePage(await remotesOf(codex, notebook));
}

/** Syncs one remote, or all of them; throws the first error after all were tried. */
export async function syncNotebook(
  codex: Codex,
  { notebook: name, remote }: operations.SyncInput,
  _caller?: Caller,
): Promise<operations.SyncResult> {
  const notebook = writableNotebook(codex, name);
  const { reader } = codex.store;
  const rows =
    remote === undefined
      ? remoteStore.listRemotes(reader, notebook.id)
      : [remoteStore.namedRemote(reader, notebook.id, remote)];
  if (rows.length === 0) throw codexErrors.REMOTE_NOT_FOUND(`The notebook ${notebook.name} has no remote`);
  const errors: unknown[] = [];
  for (const row of rows) await syncRemote(codex, notebook, row).catch((error: unknown) => errors.push(error));
  if (errors.length > 0) throw errors[0];
  return { remotes: await remotesOf(codex, notebook), conflicts: conflictsOf(codex, notebook) };
}

export function listConflicts(codex: Codex, { notebook: name }: InNotebook): Page<operations.ConflictView> {
  return singlePage(conflictsOf(codex, notebookFor(codex, name)));
}

const RESOLVE_WAIT_SECONDS = 60;

export async function resolveConflict(
  codex: Codex,
  { notebook: name, copy, keep }: operations.ResolveConflictInput,
  caller: Caller,
): Promise<operations.ResolvedConflict> {
  const notebook = writableNotebook(codex, name);
  const original = originalOf(copy);
  const copied = fileAt(codex.store.reader, notebook.id, copy);
  if (original === undefined || copied === undefined) {
    throw codexErrors.FILE_NOT_FOUND(`${copy} is not the second version of a file`);
  }
  const resolution = await resolutionOf(codex, notebook, { original, copied, keep });
  const input = { wait: RESOLVE_WAIT_SECONDS };
  const { events } = await publishFor(codex, notebook, caller, resolution.requests, { input, isBatch: true });
  for (const event of events) {
    const done = await finished(codex, event, RESOLVE_WAIT_SECONDS, caller.signal);
    if (done === undefined) throw codexErrors.WAIT_TIMEOUT('The decision is queued, but not carried out yet');
  }
  return { path: original, kept: [...resolution.kept] };
}

interface Decision {
  readonly original: string;
  readonly copied: FileRecord;
  readonly keep: operations.ResolveConflictInput['keep'];
}

async function resolutionOf(
  { store }: Codex,
  notebook: Notebook,
  { original, copied, keep }: Decision,
): Promise<{ readonly requests: readonly Request[]; readonly kept: readonly string[] }> {
  const { reader } = store;
  const file = fileAt(reader, notebook.id, original);
  const copy: FileReference = { id: copied.id };
  const moved = (path: NotebookPath): Request => ({ type: 'move', file: copy, dest_path: path, links: 'keep' });
  const removal: Request = { type: 'delete', file: copy, base_hash: copied.hash };
  if (keep === 'both') {
    let count = 1;
    while (fileAt(reader, notebook.id, numbered(original as NotebookPath, count)) !== undefined) count += 1;
    const path = numbered(original as NotebookPath, count);
    return { requests: [moved(path)], kept: [original, path] };
  }
  if (keep === 'file' && file !== undefined) return { requests: [removal], kept: [original] };
  // If the file no longer exists, the copy takes its place.
  if (file === undefined) return { requests: [moved(original as NotebookPath)], kept: [original] };
  using tree = new Tree(notebook.path);
  const content = (await readFile(tree, copied.path)).bytes;
  const update: Request = { type: 'update', file: { id: file.id }, content, base_hash: file.hash };
  return { requests: [update, removal], kept: [original] };
}
