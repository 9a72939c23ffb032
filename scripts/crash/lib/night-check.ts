import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { type Counts, violate } from './campaign.ts';
import { GIVE_UP } from './night-people.ts';
import type { AgentRecord, NightProject } from './night-project.ts';

interface TaskRow {
  readonly id: string;
  readonly status: string;
}

interface InquiryRow {
  readonly about: string;
  readonly answer: string | null;
}

/** Everything that the checks read: the output of plain git and SQL, and the agents' records. */
interface Evidence {
  readonly project: NightProject;
  readonly counts: Counts;
  readonly tasks: ReadonlyMap<string, TaskRow>;
  readonly inquiries: readonly InquiryRow[];
  readonly records: readonly AgentRecord[];
  /** Tasks whose work is on the branch. */
  readonly merged: ReadonlySet<string>;
}

export async function checkNight(project: NightProject, counts: Counts): Promise<void> {
  const tasks = project.rows<TaskRow>(`SELECT id, status FROM tasks WHERE type = 'task'`);
  const manifest = project.git('show', 'main:manifest.txt').split('\n');
  const evidence: Evidence = {
    project,
    counts,
    tasks: new Map(tasks.map((task) => [task.id, task])),
    inquiries: project.rows<InquiryRow>('SELECT about_id AS about, answer FROM inquiries ORDER BY answered_at'),
    records: project.agentRecords(),
    merged: new Set(manifest.flatMap((line) => /^(.+): done$/u.exec(line)?.[1] ?? [])),
  };
  for (const id of project.tasks) {
    if (!tasks.some((task) => task.id === id)) violate(counts, 'lost', `${id} does not exist`);
    const lines = manifest.filter((line) => line.startsWith(`${id}: `)).length;
    if (lines !== 1) violate(counts, 'partial', `the manifest has ${lines} lines for ${id}`);
  }
  for (const task of tasks) checkTask(evidence, task);
  checkStarts(evidence);
  checkAttempts(evidence);
  checkProcesses(evidence);
  checkRepository(evidence);
  await checkWorkspace(evidence);
}

function checkTask(evidence: Evidence, { id, status }: TaskRow): void {
  const { counts, merged } = evidence;
  if (status !== 'done') {
    if (merged.has(id)) violate(counts, 'phantom', `${id} is ${status}, but its work is on the branch`);
    if (!waits(evidence, id)) violate(counts, 'lost', `${id} is ${status} and waits for nobody`);
    return;
  }
  counts.acknowledged += 1;
  if (merged.has(id) || wasUnneeded(evidence, id)) return;
  const hasChanged = evidence.records.some(({ event, task }) => event === 'changed' && task === id);
  if (hasChanged) violate(counts, 'lost', `${id} is done, but its work is not on the branch`);
  else violate(counts, 'phantom', `${id} is done, but no worker changed anything`);
}

/** Returns whether a worker or a person said that the task needed no change. */
function wasUnneeded({ records, inquiries }: Evidence, id: string): boolean {
  return (
    records.some(({ event, task }) => event === 'nothing' && task === id) ||
    inquiries.some(({ about, answer }) => about === id && answer === 'no change was needed')
  );
}

/** Returns whether the task or one of its dependencies waits for a person's decision, or was given up by a person. */
function waits(evidence: Evidence, id: string): boolean {
  const { project, tasks, inquiries } = evidence;
  const about = inquiries.filter((inquiry) => inquiry.about === id);
  if (about.some(({ answer }) => answer === null)) return true;
  const status = tasks.get(id)?.status;
  if (status === 'failed') return about.at(-1)?.answer === GIVE_UP;
  const parents = project.plan.dependencies[id] ?? [];
  return status === 'ready' && parents.some((one) => tasks.get(one)?.status !== 'done' && waits(evidence, one));
}

/** Checks that every worker saw the work of all dependencies, and that none ran twice. */
function checkStarts({ project, counts, records, merged }: Evidence): void {
  const turns = new Set<string>();
  for (const { event, task, attempt, turn, seen = [] } of records) {
    const name = `${task}, attempt ${attempt}, turn ${turn}`;
    if (event === 'overlap') violate(counts, 'phantom', `${name}: an earlier worker was still running`);
    if (event !== 'start') continue;
    if (turns.has(name)) violate(counts, 'phantom', `${name} ran twice`);
    turns.add(name);
    for (const parent of project.plan.dependencies[task] ?? []) {
      if (!merged.has(parent) || seen.includes(`${parent}.mjs`)) continue;
      violate(counts, 'lost', `${name} started without the work of ${parent}`);
    }
  }
}

function checkAttempts({ project, counts, inquiries }: Evidence): void {
  const live = project.rows<{ task: string }>('SELECT task_id AS task FROM attempts WHERE ended_at IS NULL');
  for (const { task } of live) violate(counts, 'partial', `an attempt of ${task} has not ended`);
  const successes = project.rows<{ task: string; n: number }>(
    `SELECT task_id AS task, count(*) AS n FROM attempts WHERE outcome = 'succeeded' GROUP BY 1`,
  );
  for (const { task, n } of successes) {
    const repeats = inquiries.filter(({ about, answer }) => about === task && isFreshStart(answer)).length;
    if (n > 1 + repeats) violate(counts, 'phantom', `${task} succeeded ${n} times`);
  }
}

function isFreshStart(answer: string | null): boolean {
  return answer === 'do the task again on the current state' || answer === 'drop the work';
}

function checkProcesses({ project, counts, records }: Evidence): void {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/u.test(name))) {
    const environment = readOr(`/proc/${pid}/environ`);
    if (!environment.includes(`RINGMASTER_ROOT=${project.folder}\0`)) continue;
    violate(counts, 'partial', `process ${pid} is left: ${readOr(`/proc/${pid}/cmdline`).replaceAll('\0', ' ')}`);
  }
  for (const { event, task, pid, start } of records) {
    if (event !== 'child' || start === undefined) continue;
    const fields = readOr(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ') ?? [];
    if (fields[19] === start && fields[0] !== 'Z') violate(counts, 'partial', `${task} left the child ${pid}`);
  }
}

function readOr(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}

function checkRepository({ project, counts, tasks }: Evidence): void {
  const build = join(project.records, 'build');
  project.git('clone', '-q', '--no-local', '--branch', 'main', project.folder, build);
  const built = spawnSync(process.execPath, ['check.mjs'], { cwd: build, encoding: 'utf8' });
  if (built.status !== 0) violate(counts, 'partial', `the branch does not build: ${built.stderr.trim()}`);
  const fsck = spawnSync('git', ['fsck', '--full'], { cwd: project.folder, encoding: 'utf8' });
  const damage = fsck.stdout.split('\n').filter((line) => line !== '' && !line.startsWith('dangling '));
  if (fsck.status !== 0 || damage.length > 0) violate(counts, 'partial', `git fsck: ${damage.join('; ')}`);
  const changes = project.git('status', '--porcelain');
  if (changes !== '') violate(counts, 'partial', `the checkout is not clean: ${changes}`);
  const worktrees = project.git('worktree', 'list', '--porcelain').split('\n\n').slice(1);
  for (const worktree of worktrees) violate(counts, 'partial', `left: ${worktree.split('\n')[0]}`);
  const folder = join(project.folder, '.ringmaster', 'worktrees');
  for (const name of existsSync(folder) ? readdirSync(folder) : []) violate(counts, 'partial', `left: folder ${name}`);
  const merged = project.git('for-each-ref', '--format=%(refname:short)', '--merged=main', 'refs/heads/ringmaster/');
  for (const branch of merged.split('\n').filter((name) => name !== '')) {
    const id = /^ringmaster\/(.+)-a\d+$/u.exec(branch)?.[1] ?? '';
    if (tasks.get(id)?.status === 'done') violate(counts, 'partial', `left: branch ${branch}, which is merged`);
  }
}

async function checkWorkspace({ project, counts }: Evidence): Promise<void> {
  // Resumes parked workers, as a person would in the morning. Doctor would report them if they stayed parked.
  for (const { id } of project.rows<{ id: string }>('SELECT id FROM workers')) await project.ringmaster('resume', id);
  const { output, errors } = await project.attempt('doctor', '--json');
  if (output === '') {
    violate(counts, 'partial', `doctor: ${errors.trim()}`);
    return;
  }
  const checks = (JSON.parse(output) as { data: { check: string; problems: unknown[] }[] }).data;
  for (const { check, problems } of checks) {
    for (const problem of problems) violate(counts, 'partial', `doctor, ${check}: ${JSON.stringify(problem)}`);
  }
}
