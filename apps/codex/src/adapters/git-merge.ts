import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { syncFolder } from '@holdfast/base';
import { gitFailed, gitText, nulTerminated, runGit } from '@holdfast/git';

import { codexIdentity, EXECUTABLE_MODE, FILE_MODE, type Identity, type TreeEntry } from '../model/git.ts';
import { ancestorsOf, conflictPath, type NotebookPath } from '../model/path.ts';
import { type ConflictStage, mergeTexts, parseMergeTree } from '../model/remote.ts';
import type { Repository } from './git-repository.ts';

export async function isAncestor({ root }: Repository, ancestor: string, commit: string): Promise<boolean> {
  const args = ['merge-base', '--is-ancestor', ancestor, commit];
  return (await runGit(args, { folder: root, expected: [1] })).code === 0;
}

/** Number of characters of a blob id in the name of a conflict copy. */
const MARK_LENGTH = 8;

interface Merge {
  readonly ours: string;
  readonly theirs: string;
  readonly author: Identity;
  readonly message: string;
  /** Seconds since 1970. */
  readonly now: number;
}

/**
 * Merges two commits without touching the folder or a branch, and returns the merge commit. Where both sides changed
 * the same lines of a file, the file keeps our version, and their version is stored at a conflict path.
 */
export async function mergeCommits(repository: Repository, merge: Merge): Promise<string> {
  const { root, gitDir } = repository;
  const started = Date.now();
  const indexFile = join(gitDir, `codex-index.${process.pid}.merge`);
  try {
    const tree = await mergedTree(repository, merge, indexFile);
    const parents = ['-p', merge.ours, '-p', merge.theirs];
    const commit = await gitText(['commit-tree', ...parents, tree], {
      folder: root,
      input: merge.message,
      env: identityEnvironment(merge),
    });
    await syncNewObjects(repository, started);
    return commit.trim();
  } finally {
    rmSync(indexFile, { force: true });
  }
}

/**
 * git detects renames, so that a change follows a file that the other side has moved. But if both sides moved or
 * created files at one path, git may join their texts with conflict markers and report the result as one of the
 * versions. In this case, each path is merged separately.
 */
async function mergedTree(repository: Repository, { ours, theirs }: Merge, indexFile: string): Promise<string> {
  const flags = ['--write-tree', '-z', '--no-messages', '--allow-unrelated-histories'];
  const args = ['merge-tree', ...flags, ours, theirs];
  const { code, stdout, stderr } = await runGit(args, { folder: repository.root, expected: [1] });
  const { tree, stages } = parseMergeTree(stdout.toString('utf8'));
  if (tree === '') throw gitFailed(args, code, stderr);
  if (stages.length === 0) return tree;
  const sides = { ours: await filesOf(repository, ours), theirs: await filesOf(repository, theirs) };
  const isReal = ({ stage, path, oid }: ConflictStage): boolean =>
    stage === 1 || (stage === 2 ? sides.ours : sides.theirs).get(path)?.oid === oid;
  if (!stages.every(isReal)) {
    const changes = await mergedPaths(repository, await baseOf(repository, ours, theirs), sides);
    return treeWith(repository, indexFile, ours, changes);
  }
  const paths = [...new Set(stages.map(({ path }) => path))];
  const entries = paths.flatMap((path) =>
    entriesFor(
      path,
      stages.filter((stage) => stage.path === path),
    ),
  );
  return treeWith(repository, indexFile, tree, entries);
}

/** Returns a tree with some entries replaced. An entry without oid is removed. */
async function treeWith(
  repository: Repository,
  indexFile: string,
  tree: string,
  entries: readonly Entry[],
): Promise<string> {
  const options = { folder: repository.root, indexFile };
  const none = '0'.repeat(repository.oidBytes * 2);
  await runGit(['read-tree', tree], options);
  const removals = entries.filter(({ oid }) => oid === undefined);
  const additions = entries.filter(({ oid }) => oid !== undefined);
  const input = [...removals, ...additions]
    .map(({ mode, oid, path }) => `${oid === undefined ? '0' : mode} ${oid ?? none}\t${path}\0`)
    .join('');
  await runGit(['update-index', '--add', '-z', '--index-info'], { ...options, input });
  return (await gitText(['write-tree'], options)).trim();
}

interface Entry {
  readonly mode: string;
  readonly oid: string | undefined;
  readonly path: string;
}

/** If one side deleted the file, the changed version stays. git has then already chosen the right entry. */
function entriesFor(path: string, stages: readonly ConflictStage[]): readonly Entry[] {
  const ours = stages.find(({ stage }) => stage === 2);
  const theirs = stages.find(({ stage }) => stage === 3);
  const [kept, other] = ours === undefined ? [theirs, undefined] : [ours, theirs];
  if (kept === undefined) return [];
  return other === undefined || other.oid === kept.oid ? [{ ...kept, path }] : bothVersions(path, kept, other);
}

function bothVersions(path: string, ours: TreeEntry, theirs: TreeEntry): readonly Entry[] {
  return [
    { ...ours, path },
    { ...theirs, path: conflictPath(path as NotebookPath, conflictMark(theirs.oid)) },
  ];
}

type Files = ReadonlyMap<string, TreeEntry>;

async function filesOf({ root }: Repository, commit: string): Promise<Files> {
  const { stdout } = await runGit(['ls-tree', '-r', '-z', '--full-tree', commit], { folder: root });
  return new Map(
    nulTerminated(stdout).map((line) => {
      const [facts = '', ...path] = line.split('\t');
      const [mode = '', , oid = ''] = facts.split(' ');
      return [path.join('\t'), { mode, oid }];
    }),
  );
}

/** Returns the files of a common ancestor; none if the histories are unrelated. */
async function baseOf(repository: Repository, ours: string, theirs: string): Promise<Files> {
  const args = ['merge-base', ours, theirs];
  const { stdout } = await runGit(args, { folder: repository.root, expected: [1] });
  const base = stdout.toString('utf8').trim();
  return base === '' ? new Map() : filesOf(repository, base);
}

/** Returns what changes in our tree when each path is merged separately. A changed file wins over a deleted one. */
async function mergedPaths(
  repository: Repository,
  base: Files,
  { ours, theirs }: { readonly ours: Files; readonly theirs: Files },
): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  const folders = new Set([...ours.keys()].flatMap((path) => ancestorsOf(path)));
  for (const path of new Set([...ours.keys(), ...theirs.keys()])) {
    const [before, mine, other] = [base.get(path), ours.get(path), theirs.get(path)];
    if (mine?.oid === other?.oid || other?.oid === before?.oid) continue;
    if (other === undefined) {
      if (mine?.oid === before?.oid) entries.push({ mode: '0', oid: undefined, path });
    } else if (mine === undefined || mine.oid === before?.oid) {
      // One side may have a file at a path where the other side has a folder.
      const isBlocked = folders.has(path) || ancestorsOf(path).some((folder) => ours.has(folder));
      entries.push(isBlocked ? (bothVersions(path, other, other)[1] as Entry) : { ...other, path });
    } else {
      const merged = before === undefined ? undefined : await mergedBlob(repository, before, mine, other);
      entries.push(...(merged === undefined ? bothVersions(path, mine, other) : [{ ...mine, oid: merged, path }]));
    }
  }
  return entries;
}

async function mergedBlob(
  { root }: Repository,
  base: TreeEntry,
  ours: TreeEntry,
  theirs: TreeEntry,
): Promise<string | undefined> {
  const entries = [base, ours, theirs];
  if (entries.some(({ mode }) => mode !== FILE_MODE && mode !== EXECUTABLE_MODE)) return undefined;
  const texts: Buffer[] = [];
  for (const { oid } of entries) texts.push((await runGit(['cat-file', 'blob', oid], { folder: root })).stdout);
  const [before, mine, other] = texts as [Buffer, Buffer, Buffer];
  const merged = mergeTexts(before, mine, other);
  if (merged === undefined) return undefined;
  return (await gitText(['hash-object', '-w', '--stdin'], { folder: root, input: merged })).trim();
}

export function conflictMark(oid: string): string {
  return oid.slice(0, MARK_LENGTH);
}

function identityEnvironment({ author, now }: Merge): NodeJS.ProcessEnv {
  const date = `${now} +0000`;
  return {
    GIT_AUTHOR_NAME: author.name,
    GIT_AUTHOR_EMAIL: author.email,
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_NAME: codexIdentity.name,
    GIT_COMMITTER_EMAIL: codexIdentity.email,
    GIT_COMMITTER_DATE: date,
  };
}

/** git syncs the new object files, but not the folders that contain their names. */
async function syncNewObjects({ commonDir }: Repository, since: number): Promise<void> {
  const objects = join(commonDir, 'objects');
  for (const name of readdirSync(objects)) {
    const folder = join(objects, name);
    // Allows for file systems that round times.
    if (/^[0-9a-f]{2}$/.test(name) && statSync(folder).mtimeMs >= since - 2_000) await syncFolder(folder);
  }
  await syncFolder(objects);
}
