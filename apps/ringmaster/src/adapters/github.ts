import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';

import { MEBIBYTE, MINUTE, systemErrorCode } from '@holdfast/base';
import { remoteUrl, serverOption } from '@holdfast/git';

import { ringmasterErrors } from '../model/errors.ts';
import { githubRepository } from '../model/github.ts';
import { tryGit } from './git.ts';

const REMOTE = 'origin';

/** Runs gh outside any repository, so that it reads no repository's settings. */
function gh(args: readonly string[], input = ''): Promise<string> {
  const env = { ...process.env, GH_PROMPT_DISABLED: '1', GH_NO_UPDATE_NOTIFIER: '1', NO_COLOR: '1' };
  const options = { cwd: tmpdir(), env, timeout: 2 * MINUTE, maxBuffer: 256 * MEBIBYTE };
  return new Promise((resolve, reject) => {
    const child = execFile('gh', args, options, (error, stdout, stderr) => {
      if (error === null) return resolve(stdout);
      const reason =
        systemErrorCode(error) === 'ENOENT' ? 'gh is not installed' : stderr.trim().split('\n').slice(-3).join(' ');
      return reject(ringmasterErrors.GITHUB_FAILED(`gh ${args.slice(0, 2).join(' ')}: ${reason}`, { cause: error }));
    });
    // gh may end before it reads its input; the exit code then explains the failure.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
  });
}

async function ghJson<T>(args: readonly string[]): Promise<T> {
  return JSON.parse(await gh(args)) as T;
}

export interface Remote {
  readonly url: string;
  /** [HOST/]OWNER/REPO, as gh expects it. */
  readonly repository: string;
}

export function remoteOf(folder: string): Remote {
  const url = remoteUrl(folder, REMOTE);
  const repository = url === undefined ? undefined : githubRepository(url);
  if (url !== undefined && repository !== undefined) return { url, repository };
  throw ringmasterErrors.REMOTE_NOT_FOUND(`${folder} has no remote ${REMOTE} with a GitHub repository`);
}

export interface Push {
  readonly folder: string;
  readonly url: string;
  readonly branch: string;
  readonly commit: string;
  /**
   * The commit that ringmaster pushed last; empty if there was none. If the remote branch is at another commit,
   * somebody else has changed it, and the push fails instead of overwriting it.
   */
  readonly expected: string;
}

export async function pushBranch({ folder, url, branch, commit, expected }: Push): Promise<void> {
  const ref = `refs/heads/${branch}`;
  const options = ['--porcelain', `--force-with-lease=${ref}:${expected}`, ...serverOption('receive-pack', url)];
  const args = ['push', ...options, '--', url, `${commit}:${ref}`];
  const { code, stderr } = await tryGit(folder, args, { allowsNetwork: true });
  if (code === 0) return;
  // The address may contain a password.
  const reason = stderr.replaceAll(url, REMOTE).trim().split('\n').slice(-3).join(' ');
  throw ringmasterErrors.GITHUB_FAILED(`git could not push ${branch} to ${REMOTE}: ${reason}`);
}

interface FoundPullRequest {
  readonly number: number;
  readonly url: string;
  readonly state: 'OPEN' | 'CLOSED' | 'MERGED';
}

/** Returns the open or merged pull request of a branch. */
export async function findPullRequest(repository: string, branch: string): Promise<FoundPullRequest | undefined> {
  const fields = ['--head', branch, '--state', 'all', '--json', 'number,url,state'];
  const found = await ghJson<readonly FoundPullRequest[]>(['pr', 'list', '--repo', repository, ...fields]);
  return found.find(({ state }) => state !== 'CLOSED');
}

export interface NewPullRequest {
  readonly repository: string;
  readonly branch: string;
  /** Undefined means the default branch of the repository. */
  readonly base: string | undefined;
  readonly title: string;
  readonly body: string;
}

export async function createPullRequest({ repository, branch, base, title, body }: NewPullRequest): Promise<void> {
  const target = base === undefined ? [] : ['--base', base];
  const args = ['pr', 'create', '--repo', repository, '--head', branch, ...target, '--title', title];
  await gh([...args, '--body-file', '-'], body);
}

interface Comment {
  readonly id: string;
  readonly author: string;
  readonly text: string;
}

export interface SeenPullRequest {
  readonly state: FoundPullRequest['state'];
  readonly asksForChanges: boolean;
  readonly mergeCommit: string | null;
  readonly comments: readonly Comment[];
}

interface ViewedComment {
  readonly id: string;
  readonly author: { readonly login: string } | null;
  readonly authorAssociation: string;
  readonly body: string;
}

interface LineComment {
  readonly node_id: string;
  readonly user: { readonly login: string } | null;
  readonly author_association: string;
  readonly path: string;
  readonly line: number | null;
  readonly body: string;
}

/**
 * ringmaster reads only comments by these authors: anyone can comment in a public repository, and agents follow what
 * they read.
 */
const trusted: ReadonlySet<string> = new Set(['OWNER', 'MEMBER', 'COLLABORATOR']);

/** Reads the state of a pull request, and the comments by people who may write to the repository. */
export async function viewPullRequest(repository: string, number: number): Promise<SeenPullRequest> {
  const fields = 'state,reviewDecision,mergeCommit,reviews,comments';
  const view = await ghJson<{
    readonly state: FoundPullRequest['state'];
    readonly reviewDecision: string;
    readonly mergeCommit: { readonly oid: string } | null;
    readonly reviews: readonly ViewedComment[];
    readonly comments: readonly ViewedComment[];
  }>(['pr', 'view', String(number), '--repo', repository, '--json', fields]);
  const parts = repository.split('/');
  const host = parts.length === 3 ? ['--hostname', parts[0] ?? ''] : [];
  // `gh pr view` does not include comments on lines. GitHub returns at most 100 of them, so the request asks for the
  // newest first.
  const newest = 'per_page=100&sort=created&direction=desc';
  const path = `repos/${parts.slice(-2).join('/')}/pulls/${number}/comments?${newest}`;
  const onLines = (await ghJson<readonly LineComment[]>(['api', ...host, path])).toReversed();
  return {
    state: view.state,
    asksForChanges: view.reviewDecision === 'CHANGES_REQUESTED',
    mergeCommit: view.mergeCommit?.oid ?? null,
    comments: [
      ...[...view.reviews, ...view.comments]
        .filter(({ authorAssociation }) => trusted.has(authorAssociation))
        .map(({ id, author, body }) => ({ id, author: author?.login ?? '', text: body })),
      ...onLines
        .filter(({ author_association }) => trusted.has(author_association))
        .map(({ node_id: id, user, path: file, line, body }) => ({
          id,
          author: user?.login ?? '',
          text: `${file}${line === null ? '' : `:${line}`}: ${body}`,
        })),
    ].filter(({ text }) => text.trim() !== ''),
  };
}

export interface Issue {
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly state: 'OPEN' | 'CLOSED';
  readonly url: string;
  readonly labels: readonly { readonly name: string }[];
}

const ISSUES_MAX = 10_000;

export function listIssues(repository: string): Promise<readonly Issue[]> {
  const fields = ['--state', 'all', '--limit', String(ISSUES_MAX), '--json', 'number,title,body,state,url,labels'];
  return ghJson(['issue', 'list', '--repo', repository, ...fields]);
}
