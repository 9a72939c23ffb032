import { failpoint, MINUTE, toTimestamp } from '@holdfast/base';
import { fetchRemote, gitErrors, pushRemote, type RemoteAccess, setReference } from '@holdfast/git';

import { isAncestor } from '../../adapters/git-merge.ts';
import { withRepositoryLock } from '../../adapters/git-locks.ts';
import type { Repository } from '../../adapters/git-repository.ts';
import { openToken } from '../../adapters/sealed-token.ts';
import { mergeRemote } from '../../git/merge-remote.ts';
import { codexErrors } from '../../model/errors.ts';
import { failureOf } from '../../model/failure.ts';
import type { Notebook } from '../../model/notebook.ts';
import type { RemoteRow } from '../../model/remote.ts';
import { lastEventId } from '../../store/events.ts';
import { notebookOf } from '../../store/notebooks.ts';
import { setFailed, setSkipped, setSynced, setTip } from '../../store/remotes.ts';
import type { Codex } from '../codex.ts';
import { pauseOf } from '../pause.ts';
import { applyMerge, type Skipped } from './apply-merge.ts';

/** Maximum number of attempts to fetch and push: another machine may push between our fetch and our push. */
const ROUNDS_MAX = 10;
const ENTRIES_MAX = 500_000;
const PATH_BYTES_MAX = 4_096;
const SKIPPED_MAX = 100;
const RECONCILE_WAIT_MS: number = 10 * MINUTE;

/** Returns the name under which a remote's token is encrypted. */
export function tokenPlace({ notebook_id, name, url }: Pick<RemoteRow, 'notebook_id' | 'name' | 'url'>): string {
  return `remote ${notebook_id} ${name} ${url}`;
}

/** Returns the reference that keeps the tip of a remote branch, and its history, in the repository. */
export function remoteReference({ name, branch }: Pick<RemoteRow, 'name' | 'branch'>): string {
  return `refs/holdfast/remotes/${name}/${branch}`;
}

/** Commits, fetches, merges and pushes. Records the result with the remote, even a failure. */
export async function syncRemote(codex: Codex, notebook: Notebook, remote: RemoteRow): Promise<void> {
  const { store, clock, problems } = codex;
  const now = (): string => toTimestamp(clock());
  try {
    const { repository } = await codex.git.repository(notebook.id);
    requireSuitable(notebookOf(store.reader, notebook.id), repository);
    const tip = await withRepositoryLock(repository, 'sync', () => syncRounds(codex, notebook, remote, repository));
    await store.write('codex synced', (tx) => setSynced(tx, remote.id, tip, now()));
    problems.clear(notebook.id, 'remote');
  } catch (error) {
    const { code, message } = failureOf(error);
    problems.report(notebook.id, 'remote', error);
    await store.write('codex sync failed', (tx) => setFailed(tx, remote.id, code, message, now()));
    throw error;
  }
}

export function requireSuitable(notebook: Notebook, { prefix, root }: Repository): void {
  const paused = pauseOf(notebook);
  if (paused !== null) throw codexErrors.REMOTE_UNSUITABLE(paused.reason);
  if (prefix === '') return;
  throw codexErrors.REMOTE_UNSUITABLE(
    `The notebook is a folder in the repository ${root}; sync that repository with git`,
  );
}

async function syncRounds(
  codex: Codex,
  notebook: Notebook,
  remote: RemoteRow,
  repository: Repository,
): Promise<string> {
  const { store, git, isRunning } = codex;
  // Compares the folder with the index now: without a server, no process has watched it since the last command.
  if (!isRunning) await codex.reconcile(notebook, RECONCILE_WAIT_MS);
  const access = accessOf(codex, remote);
  await finishMerge(codex, notebook, remote);
  for (let round = 1; round <= ROUNDS_MAX; round += 1) {
    const ours = await git.flush(notebook.id, lastEventId(store.reader));
    const theirs = await fetchTip(repository, remote, access, ours);
    await store.write('codex fetched', (tx) => setTip(tx, remote.id, theirs ?? null));
    failpoint('codex.sync.fetched');
    if (theirs !== undefined) await mergeTip(codex, notebook, remote, theirs);
    const tip = await git.flush(notebook.id, lastEventId(store.reader));
    if (tip === null || tip === theirs) return tip ?? '';
    if ((await pushRemote(repository, repository.objectFormat, access, tip)) === 'rejected') continue;
    failpoint('codex.sync.pushed');
    await setReference(repository.root, remoteReference(remote), tip);
    return tip;
  }
  throw codexErrors.SYNC_UNFINISHED('Other machines kept pushing to the remote');
}

function accessOf({ home, settings }: Codex, remote: RemoteRow): RemoteAccess {
  return {
    url: remote.url,
    branch: remote.branch,
    allowsPath: remote.allows_path === 1,
    keyFile: remote.key_file ?? undefined,
    token: remote.token === null ? undefined : openToken(home, tokenPlace(remote), remote.token),
    bytesMax: settings.sync_max_bytes,
  };
}

async function fetchTip(
  repository: Repository,
  remote: RemoteRow,
  access: RemoteAccess,
  ours: string | null,
): Promise<string | undefined> {
  const have = [ours, remote.tip].filter((each) => each !== null);
  const { tip } = await fetchRemote({
    location: repository,
    objectFormat: repository.objectFormat,
    access,
    have: await existing(repository, have),
    check: checkTip,
  });
  await setReference(repository.root, remoteReference(remote), tip);
  return tip;
}

/** Omits commits that no longer exist, because the user may have replaced the repository since the last sync. */
async function existing(repository: Repository, commits: readonly string[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const commit of new Set(commits)) {
    if (await isAncestor(repository, commit, commit).catch(() => false)) found.push(commit);
  }
  return found;
}

/**
 * Lists the files of a fetched commit. A few small objects can represent billions of files, so the list is limited
 * before anything else reads the commit.
 */
const checkTip: Parameters<typeof fetchRemote>[0]['check'] = async (git, tip) => {
  const { code, stdout } = await git(['ls-tree', '-r', '-z', '--full-tree', tip]);
  const entries = code === 0 ? stdout.toString('latin1').split('\0') : [];
  if (code !== 0 || entries.length > ENTRIES_MAX) {
    throw gitErrors.REMOTE_REFUSED(`The remote branch has more than ${ENTRIES_MAX} files, or a damaged tree`);
  }
  if (entries.some((entry) => entry.length > PATH_BYTES_MAX)) {
    throw gitErrors.REMOTE_REFUSED(`The remote branch has a path of more than ${PATH_BYTES_MAX} bytes`);
  }
};

async function mergeTip(codex: Codex, notebook: Notebook, remote: RemoteRow, theirs: string): Promise<void> {
  const { name, branch } = remote;
  await codex.git.moveBranch(notebook.id, (context) => mergeRemote(context, { remote: name, branch, theirs }));
  await finishMerge(codex, notebook, remote);
}

async function finishMerge(codex: Codex, notebook: Notebook, remote: RemoteRow): Promise<void> {
  // Settles a merge that a crash has interrupted; see settleMerge.
  await codex.git.flush(notebook.id);
  const skipped = await applyMerge(codex, notebook);
  if (skipped.length > 0) await keepSkipped(codex, remote, skipped);
}

async function keepSkipped({ store }: Codex, remote: RemoteRow, skipped: readonly Skipped[]): Promise<void> {
  await store.write('codex sync skipped', (tx) =>
    setSkipped(tx, remote.id, JSON.stringify(skipped.slice(0, SKIPPED_MAX))),
  );
}
