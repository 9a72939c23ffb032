import { basename } from 'node:path';

import { isHoldfastError } from '@holdfast/base';

import { readText } from '../adapters/files.ts';
import { ringmasterErrors } from '../model/errors.ts';
import { parsePlan, type PlanEntry, type PlanProblem, planReference } from '../model/markdown-plan.ts';
import type { Task } from '../model/task.ts';
import { checkTitle } from '../model/texts.ts';
import type { PlanInput, PlanReport } from '../operations/maintenance.ts';
import { liveAttemptOfTask } from '../store/attempts.ts';
import { insertDependency } from '../store/dependencies.ts';
import { type Call, recordEvent } from '../store/events.ts';
import type { Tx } from '../store/open.ts';
import { chosenProject } from '../store/projects.ts';
import { existingTask, taskByReference } from '../store/tasks.ts';
import { writeOrPreview } from './dry-run.ts';
import { closeEpics } from './epics.ts';
import { callOf, type Ringmaster } from './ringmaster.ts';
import { editOne, insertNewTask } from './tasks.ts';

export function importPlanFile(rm: Ringmaster, { path, ...input }: PlanInput): Promise<PlanReport> {
  return importPlan(rm, { ...input, content: readText(path), source: basename(path) });
}

interface PlanSource extends Omit<PlanInput, 'path'> {
  readonly content: string;
  /** Name of the file. Together with the titles, it identifies the entries in later imports. */
  readonly source: string;
}

/** Imports the whole plan in one commit. If any line has a problem, imports nothing; a dry run returns the problems. */
export async function importPlan(
  rm: Ringmaster,
  { content, source, dry_run = false, project }: PlanSource,
): Promise<PlanReport> {
  if (content.includes('\0')) throw ringmasterErrors.IMPORT_REFUSED(`${source} is not text: it has NUL bytes`);
  const { entries, problems: mistakes } = parsePlan(content);
  const problems = [...mistakes, ...titleProblems(entries)];
  if (problems.length > 0 && !dry_run) throw refused(source, problems);
  return writeOrPreview(rm, { note: `import ${source}`, isDryRun: dry_run }, (tx) => {
    const call = callOf(rm);
    const { id } = chosenProject(tx, project);
    const report = insertPlan({ tx, rm, call, project: id, source }, entries, problems);
    if (problems.length > 0 && !dry_run) throw refused(source, problems);
    const counts = { created: report.created, completed: report.completed, links: report.links };
    recordEvent(tx, call, { type: 'plan_imported', entity: 'project', id, data: { source, ...counts } });
    // A dry run is rolled back, so the ids of its new tasks mean nothing.
    const shown = report.entries.map((each) => (dry_run && each.change === 'created' ? { ...each, id: null } : each));
    return { ...report, entries: shown, dry_run };
  });
}

const NAMED_MAX = 5;

function refused(source: string, problems: readonly PlanProblem[]): Error {
  const named = problems.slice(0, NAMED_MAX).map(({ line, message }) => `line ${line}: ${message}`);
  const more = problems.length > NAMED_MAX ? [`and ${problems.length - NAMED_MAX} more`] : [];
  return ringmasterErrors.IMPORT_REFUSED(`${source} cannot be imported. ${[...named, ...more].join('; ')}`, {
    details: { problems },
  });
}

function titleProblems(entries: readonly PlanEntry[]): PlanProblem[] {
  return entries.flatMap(({ line, title }) => {
    try {
      checkTitle(title);
      return [];
    } catch (error) {
      return [{ line, message: (error as Error).message }];
    }
  });
}

interface PlanImport {
  readonly tx: Tx;
  readonly rm: Ringmaster;
  readonly call: Call;
  readonly project: string;
  readonly source: string;
}

type Change = PlanReport['entries'][number]['change'];

function insertPlan(
  into: PlanImport,
  entries: readonly PlanEntry[],
  problems: PlanProblem[],
): Omit<PlanReport, 'dry_run'> {
  const tasks = new Map<PlanEntry, Task>();
  const shown: PlanReport['entries'][number][] = [];
  const counts: Record<Change, number> = { created: 0, completed: 0, unchanged: 0 };
  for (const entry of entries) {
    const deleted = deletedParent(into, entry, tasks);
    if (deleted !== undefined) {
      const message = `"${entry.title}" belongs to ${deleted}, which is deleted; restore ${deleted} first`;
      problems.push({ line: entry.line, message });
      continue;
    }
    const { task, change } = importEntry(into, entry, entry.parent && tasks.get(entry.parent));
    tasks.set(entry, task);
    counts[change] += 1;
    shown.push({
      line: entry.line,
      depth: depthOf(entry),
      id: task.id,
      type: task.type === 'epic' ? 'epic' : 'task',
      title: task.title,
      change,
      is_done: false,
      depends_on: entry.dependsOn.map(({ title }) => title),
    });
  }
  for (const task of tasks.values()) closeEpics(into.tx, into.call, task);
  const links = entries.reduce((total, entry) => total + addLinks(into, entry, tasks, problems), 0);
  problems.sort((left, right) => left.line - right.line);
  // Reads the status after all entries have been imported, because an epic becomes done when its last subtask is done.
  const isDone = (id: string | null): boolean => id !== null && existingTask(into.tx, id).status === 'done';
  const read = shown.map((each) => ({ ...each, is_done: isDone(each.id) }));
  return { project: into.project, entries: read, ...counts, links, problems };
}

/** Returns the parent of a new entry if that parent is deleted. */
function deletedParent(
  { tx, project, source }: PlanImport,
  entry: PlanEntry,
  tasks: ReadonlyMap<PlanEntry, Task>,
): string | undefined {
  const parent = entry.parent === undefined ? undefined : tasks.get(entry.parent);
  if (parent === undefined || parent.deleted_at === null) return undefined;
  return taskByReference(tx, project, planReference(source, entry)) === undefined ? parent.id : undefined;
}

/** An entry with parts becomes an epic, so that only its parts are given to workers. */
function importEntry(
  { tx, rm, call, project, source }: PlanImport,
  entry: PlanEntry,
  parent: Task | undefined,
): { readonly task: Task; readonly change: Change } {
  const reference = planReference(source, entry);
  const description = entry.lines.join('\n').trim();
  const before = taskByReference(tx, project, reference);
  if (before === undefined) {
    const task = insertNewTask(tx, rm, call, {
      project,
      title: checkTitle(entry.title),
      description: description === '' ? undefined : description,
      parent: parent?.id,
      type: entry.parts.length > 0 ? 'epic' : 'task',
      is_done: entry.isDone,
      external_ref: reference,
    });
    return { task, change: 'created' };
  }
  const isActive = before.deleted_at === null && liveAttemptOfTask(tx, before.id) === undefined;
  const isFinished = entry.isDone && before.status !== 'done' && isActive;
  if (!isFinished) return { task: before, change: 'unchanged' };
  const reason = `done in ${source}`;
  return { task: editOne(tx, call, { task: before.id, status: 'done', reason }), change: 'completed' };
}

function addLinks(
  { tx, call }: PlanImport,
  entry: PlanEntry,
  tasks: ReadonlyMap<PlanEntry, Task>,
  problems: PlanProblem[],
): number {
  const child = tasks.get(entry);
  let added = 0;
  for (const target of entry.dependsOn) {
    const on = tasks.get(target);
    if (child?.deleted_at !== null || on?.deleted_at !== null) continue;
    const link = { child_id: child.id, parent_id: on.id, type: 'blocks' };
    try {
      if (insertDependency(tx, link, call.actor.id, call.now)) added += 1;
    } catch (error) {
      if (!isHoldfastError(error) || error.code !== 'DEPENDENCY_CYCLE') throw error;
      problems.push({ line: entry.line, message: `"${entry.title}" and "${target.title}" would wait for each other` });
    }
  }
  return added;
}

function depthOf({ parent }: PlanEntry): number {
  return parent === undefined ? 0 : 1 + depthOf(parent);
}
