import { commitsOutside, historyOutside, independentCommits, mergeCommits } from '../../adapters/merge.ts';
import { commitOf, type Repository } from '../../adapters/worktree.ts';
import { dependencyAnswers, waitsForAnswer } from '../../model/decisions.ts';
import { ringmasterErrors } from '../../model/errors.ts';
import {
  type DependencyWork,
  hasBegun,
  type OpenRun,
  runsOfTask,
  worksOfDependencies,
} from '../../store/attempt-runs.ts';
import { type Attempt, liveAttempt } from '../../store/attempts.ts';
import { insertInquiry } from '../insert-inquiry.ts';
import { finishAttempt } from '../queue.ts';
import { callOf, type Ringmaster } from '../ringmaster.ts';

interface IncludedWork extends DependencyWork {
  readonly commit: string;
}

export interface StartingPoint {
  /**
   * Commit of the project's base branch, merged with unmerged work of dependencies. The attempt's changes are measured
   * against it.
   */
  readonly base: string;
  /** Commit of the new worktree: the previous attempt's work on top of `base`, or `base` itself. */
  readonly from: string;
  readonly dependencies: readonly IncludedWork[];
}

/**
 * Returns the commits from which an attempt starts: the previous attempt's work and the work of all dependencies. Omits
 * the previous work if it is merged, or if the settings or a person ask for a fresh start.
 */
export async function startingPoint(rm: Ringmaster, attempt: Attempt, repository: Repository): Promise<StartingPoint> {
  const earlier = await earlierWork(rm, attempt, repository);
  const dependencies = await dependencyWork(rm, attempt, repository);
  const { commit: base } = repository;
  if (dependencies.length === 0) return { base, from: earlier?.commit ?? base, dependencies };
  const commits = dependencies.map(({ commit }) => commit);
  const merge = (all: readonly string[]): Promise<string> => mergeAll(rm, attempt, repository.root, all, dependencies);
  if (earlier === undefined) {
    const merged = await merge([base, ...commits]);
    return { base: merged, from: merged, dependencies };
  }
  const missing = await independentCommits(repository.root, [earlier.commit, ...commits]);
  if (missing.size === 1 && missing.has(earlier.commit)) {
    return { base: earlier.run.base_commit ?? base, from: earlier.commit, dependencies };
  }
  const merged = await merge([base, ...commits]);
  return { base: merged, from: await merge([earlier.commit, merged]), dependencies };
}

interface EarlierWork {
  readonly run: OpenRun;
  readonly commit: string;
}

async function earlierWork(
  rm: Ringmaster,
  { id, task_id }: Attempt,
  repository: Repository,
): Promise<EarlierWork | undefined> {
  if (rm.config.run.retry_from === 'base') return undefined;
  const run = runsOfTask(rm.store.reader, task_id).find(
    (one) => one.attempt_id !== id && one.repository === repository.root && hasBegun(one),
  );
  if (run === undefined || (run.merged_at ?? run.dropped_at) !== null) return undefined;
  const commit = await commitOf(repository.root, `refs/heads/${run.branch}`);
  return commit === undefined ? undefined : { run, commit };
}

/**
 * Returns the dependencies' work that the base lacks: unmerged work, and work that was merged into another branch.
 * Ignores work whose branch a person has deleted.
 */
async function dependencyWork(
  { store }: Ringmaster,
  { task_id }: Attempt,
  { root, commit: base }: Repository,
): Promise<readonly IncludedWork[]> {
  const works = worksOfDependencies(store.reader, task_id, root);
  const unmerged = works.filter(({ merge_commit }) => merge_commit === null).map(({ branch }) => branch);
  const branches = unmerged.length === 0 ? new Map<string, string>() : await commitsOutside(root, base, unmerged);
  const merges = works.flatMap(({ merge_commit }) => merge_commit ?? []);
  const outside = merges.length === 0 ? new Set<string>() : await historyOutside(root, base, merges);
  return works.flatMap(({ task, branch, head_commit, merge_commit }) => {
    const isElsewhere = merge_commit !== null && outside.has(merge_commit);
    const commit = isElsewhere ? head_commit : merge_commit === null ? branches.get(branch) : undefined;
    return commit === undefined ? [] : [{ task, branch, commit }];
  });
}

/** Merges the commits one by one. Skips a commit if another one already contains it. */
async function mergeAll(
  rm: Ringmaster,
  attempt: Attempt,
  repository: string,
  commits: readonly string[],
  dependencies: readonly IncludedWork[],
): Promise<string> {
  const independent = await independentCommits(repository, commits);
  const [first = '', ...others] = [...new Set(commits)].filter((commit) => independent.has(commit));
  const branches = dependencies.filter(({ commit }) => independent.has(commit)).map(({ branch }) => branch);
  let target = first;
  for (const source of others) {
    const message = `Start ${attempt.task_id} with ${branches.join(', ')}`;
    const result = await mergeCommits(repository, { target, source, message, date: attempt.started_at });
    if (result.kind === 'conflict') throw await conflictDecision(rm, attempt, branches, result.files);
    target = result.commit;
  }
  return target;
}

/** Ends the attempt and blocks the task until a person has resolved the conflict. */
async function conflictDecision(
  rm: Ringmaster,
  attempt: Attempt,
  branches: readonly string[],
  files: readonly string[],
): Promise<Error> {
  const task = attempt.task_id;
  const reason = `The dependencies of ${task} changed the same lines in ${files.join(', ')}`;
  const asked = await rm.store.write(`run ${task}: dependencies conflict`, (tx) => {
    const call = callOf(rm);
    const live = liveAttempt(tx, attempt.id);
    const inquiry = insertInquiry(tx, call, {
      task,
      kind: 'decision',
      question: `${reason}. How should ${task} continue?`.slice(0, 500),
      context: `Branches: ${branches.join(', ')}. Merge them into the base, or delete one that is not needed; then try again.`,
      options: Object.keys(dependencyAnswers),
      recommendation: 'try again',
    });
    const ending = { outcome: 'blocked', failureClass: null, outputPath: null, isAsked: true } as const;
    finishAttempt(tx, rm, call, live, { ...ending, reason: waitsForAnswer(inquiry.id) });
    return inquiry;
  });
  return ringmasterErrors.DEPENDENCY_CONFLICT(`${reason}: ${branches.join(', ')}`, {
    details: { files, branches, decision: asked.id },
  });
}
