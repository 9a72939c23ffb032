import { join, resolve } from 'node:path';

import { writeFileDurablySync } from '@holdfast/base';

import { taskToLine, taskToSimpleLine } from '../model/beads/from-task.ts';
import { type BeadsLine, type Issue, issueKey, linksOf, readBeadsLine } from '../model/beads/line.ts';
import { type ImportedTask, issueToTask } from '../model/beads/to-task.ts';
import { isGating } from '../model/dependency.ts';
import { ringmasterErrors } from '../model/errors.ts';
import { AcyclicLinks, cycleText } from '../model/graph/cycle.ts';
import type { ImportInput, ImportReport } from '../operations/maintenance.ts';
import * as store from '../store/beads.ts';
import { type Call, recordEvent } from '../store/events.ts';
import { graphVersion, setMeta } from '../store/meta.ts';
import type { Tx } from '../store/open.ts';
import { chosenProject } from '../store/projects.ts';
import { callOf, type Ringmaster } from './ringmaster.ts';

class DryRunEnds extends Error {
  readonly report: ImportReport;

  constructor(report: ImportReport) {
    super('a dry run changes nothing');
    this.report = report;
  }
}

/** Imports all lines in one commit. A dry run does the same and then rolls back. */
export async function importBeads(rm: Ringmaster, input: ImportInput): Promise<ImportReport> {
  if (input.content.includes('\0'))
    throw ringmasterErrors.IMPORT_REFUSED(`${input.source} is not text: it has NUL bytes`);
  const lines = input.content
    .split('\n')
    .map((line, index) => readBeadsLine(line, index + 1))
    .filter((line): line is BeadsLine => line !== undefined);
  try {
    return await rm.store.write(`import ${input.source}`, (tx) => {
      const call = callOf(rm);
      const project = chosenProject(tx, input.project).id;
      const report: ImportReport = {
        ...new BeadsImport({ tx, rm, call, project, source: input.source }).run(lines),
        project,
        lines: lines.length,
        dry_run: input.dry_run === true,
      };
      if (input.strict === true && report.problems.length > 0) throw refused(report);
      if (input.dry_run === true) throw new DryRunEnds(report);
      const { problems, ...counts } = report;
      const data = { source: input.source, ...counts, problems: problems.length };
      recordEvent(tx, call, { type: 'beads_imported', entity: 'project', id: project, data });
      return report;
    });
  } catch (error) {
    if (error instanceof DryRunEnds) return error.report;
    throw error;
  }
}

function refused({ problems }: ImportReport): Error {
  const [first] = problems;
  return ringmasterErrors.IMPORT_REFUSED(
    `${problems.length} lines cannot be imported unchanged; the first is line ${first?.line}: ${first?.message}`,
    { details: { problems } },
  );
}

type ImportProblem = ImportReport['problems'][number];

type IssueLine = Extract<BeadsLine, { kind: 'issue' }>;
type KeptLine = Extract<BeadsLine, { kind: 'kept' }>;
interface Taken {
  readonly line: IssueLine;
  readonly task: ImportedTask;
  readonly isFailedClose: boolean;
}

interface ImportInto {
  readonly tx: Tx;
  readonly rm: Ringmaster;
  readonly call: Call;
  readonly project: string;
  readonly source: string;
}

/**
 * One import in one transaction. Decides everything in memory first, including cycles, while the database's own cycle
 * check is off. Then writes all issues, then all links, so that a link may name a later issue.
 */
export class BeadsImport {
  readonly #into: ImportInto;
  readonly #problems: ImportProblem[] = [];
  readonly #rows: store.ImportRow[] = [];
  readonly #links: store.ImportedLink[] = [];
  readonly #unresolved: store.UnresolvedLink[] = [];
  readonly #counts = {
    created: 0,
    updated: 0,
    unchanged: 0,
    kept: 0,
    skipped: 0,
    links: 0,
    unresolved: 0,
    resolved: 0,
  };

  constructor(into: ImportInto) {
    this.#into = into;
  }

  run(lines: readonly BeadsLine[]): Omit<ImportReport, 'project' | 'lines' | 'dry_run'> {
    const tx = this.#into.tx;
    store.beginImport(tx);
    const local = store.localTasks(tx);
    const taken = this.#choose(lines, local);
    const known = new Set([...local.keys(), ...taken.map(({ task }) => task.id)]);
    for (const { task } of taken) if (local.has(task.id)) store.clearLinks(tx, task.id);
    const replaced = new Set(taken.map(({ task }) => task.id));
    const graph = new AcyclicLinks();
    for (const { child_id, parent_id } of store.gatingLinks(tx)) {
      // The import sets new links and a new parent for a replaced task.
      if (!replaced.has(child_id)) graph.add(child_id, parent_id);
    }
    for (const entry of taken) this.#decide(entry, local, known, graph);
    store.upsertImported(tx, this.#rows, {
      project: this.#into.project,
      maxAttempts: this.#into.rm.config.queue.max_attempts,
    });
    store.storeUnresolved(tx, this.#unresolved);
    this.#resolveLater(graph);
    store.insertImportedLinks(tx, this.#links);
    store.endImport(tx);
    if (taken.length > 0 || this.#counts.resolved > 0) setMeta(tx, 'graph_version', graphVersion(tx) + 1);
    return { ...this.#counts, problems: this.#problems.sort((left, right) => left.line - right.line) };
  }

  #choose(lines: readonly BeadsLine[], local: ReadonlyMap<string, store.LocalTask>): readonly Taken[] {
    const takenById = new Map<string, Taken>();
    store.forgetBadLines(this.#into.tx, this.#into.project, this.#into.source);
    for (const line of lines) {
      if (line.kind === 'issue') {
        const earlier = takenById.get(line.issue.id);
        if (earlier !== undefined)
          this.#problem(earlier.line, 'duplicate', `line ${line.number} has the same id and replaces this line`);
        const entry = this.#examine(line, local.get(line.issue.id));
        if (entry !== undefined) takenById.set(line.issue.id, entry);
        continue;
      }
      if (line.kind === 'kept') this.#keep(line, local, takenById);
      else {
        this.#problem(line, 'bad_line', line.reason);
        store.storeBadLine(this.#into.tx, this.#into.project, this.#into.source, line.text);
      }
    }
    const tombstones = new Set(store.storedLines(this.#into.tx, this.#into.project).map(({ key }) => key));
    for (const id of takenById.keys())
      if (tombstones.has(issueKey(id))) store.restoreDeletedTask(this.#into.tx, this.#into.project, id);
    return [...takenById.values()];
  }

  /** Stores lines that are not issues unchanged; a tombstone also archives its task. */
  #keep(line: KeptLine, local: ReadonlyMap<string, store.LocalTask>, takenById: Map<string, Taken>): void {
    const { id = '', at = this.#into.call.now } = line.deleted ?? {};
    const here = local.get(id);
    const newest = takenById.get(id)?.task.updated_at ?? here?.updated_at ?? '';
    if (here?.project_id === this.#into.project && here.archived_at === null) {
      if (here.is_running === 1 || at < newest) {
        this.#counts.skipped += 1;
        const isRunning = here.is_running === 1;
        const why = isRunning ? 'a worker is working on it; not changed' : `deleted at ${at}, changed at ${newest}`;
        return this.#problem(line, isRunning ? 'running' : 'older', why);
      }
      store.archiveDeletedTask(this.#into.tx, id, at, this.#into.call.now);
      this.#counts.updated += 1;
    }
    if (at >= newest) takenById.delete(id);
    this.#counts.kept += 1;
    store.storeLine(this.#into.tx, this.#into.project, line.key, line.text);
  }

  #examine(line: IssueLine, local: store.LocalTask | undefined): Taken | undefined {
    const { task, isFailedClose, notes } = issueToTask(line.issue, this.#into.call.now);
    const skip = (kind: string, message: string): undefined => {
      this.#counts.skipped += 1;
      this.#problem(line, kind, message);
    };
    if (local !== undefined) {
      if (local.project_id !== this.#into.project)
        return skip('other_project', `belongs to project ${local.project_id}`);
      if (local.line === line.text) {
        this.#counts.unchanged += 1;
        return undefined;
      }
      if (local.is_running === 1) return skip('running', 'a worker is working on it; not changed');
      if (task.updated_at < local.updated_at) return skip('older', `changed here at ${local.updated_at}`);
    }
    for (const note of notes) this.#problem(line, 'changed', note);
    return { line, task, isFailedClose };
  }

  #decide(
    entry: Taken,
    local: ReadonlyMap<string, store.LocalTask>,
    known: ReadonlySet<string>,
    graph: AcyclicLinks,
  ): void {
    const { task, line, isFailedClose } = entry;
    const { prioritization, manualScores } = this.#into.rm.config;
    const score = prioritization.manual_weight * manualScores[task.priority];
    this.#rows.push({ task, parent: this.#decideLinks(entry, known, graph), score, line: line.text, isFailedClose });
    if (local.has(task.id)) this.#counts.updated += 1;
    else this.#counts.created += 1;
  }

  /** Collects the links of an issue, and returns its parent: the first parent link that is possible. */
  #decideLinks({ line: { issue, number } }: Taken, known: ReadonlySet<string>, graph: AcyclicLinks): string | null {
    let parent: string | null = null;
    for (const [index, { depends_on_id, type, metadata = null }] of linksOf(issue).entries()) {
      const link = { child_id: issue.id, parent_id: depends_on_id, type, metadata };
      const isExternal = depends_on_id.startsWith('external:');
      if (isExternal || !known.has(depends_on_id)) {
        this.#keepLater(number, link, isExternal ? 'external' : 'missing', `${depends_on_id} is not in this database`);
        continue;
      }
      const circle = depends_on_id === issue.id || isGating(type) ? graph.add(issue.id, depends_on_id) : undefined;
      if (circle !== undefined) {
        this.#keepLater(number, link, 'cycle', `would create a cycle: ${cycleText(issue.id, circle)}`);
        continue;
      }
      this.#counts.links += 1;
      if (type === 'parent-child' && parent === null) parent = depends_on_id;
      else this.#links.push({ ...link, ...this.#created(issue, index) });
    }
    return parent;
  }

  #created(issue: Issue, index: number): Pick<store.ImportedLink, 'created_at' | 'created_by'> {
    const list = issue['dependencies'];
    const entry: unknown = Array.isArray(list) ? list[index] : undefined;
    const { created_by } = (entry ?? {}) as { readonly created_by?: unknown };
    return { created_at: this.#into.call.now, created_by: typeof created_by === 'string' ? created_by : 'beads' };
  }

  #keepLater(
    line: number,
    link: Omit<store.UnresolvedLink, 'reason'>,
    reason: store.UnresolvedLink['reason'],
    message: string,
  ): void {
    this.#counts.unresolved += 1;
    this.#unresolved.push({ ...link, reason });
    this.#problems.push({ line, id: link.child_id, kind: `link_${reason}`, message: `${link.type}: ${message}` });
  }

  /** Resolves links of earlier imports whose target exists now. A parent link does not change the task's parent. */
  #resolveLater(graph: AcyclicLinks): void {
    for (const link of store.resolvableLinks(this.#into.tx)) {
      const { child_id, parent_id, type } = link;
      if (isGating(type) && graph.add(child_id, parent_id) !== undefined) continue;
      store.dropUnresolved(this.#into.tx, child_id, parent_id, type);
      this.#links.push({ ...link, created_at: this.#into.call.now, created_by: 'beads' });
      this.#counts.resolved += 1;
    }
  }

  #problem(line: BeadsLine, kind: string, message: string): void {
    const id = line.kind === 'issue' ? line.issue.id : line.kind === 'kept' ? (line.deleted?.id ?? null) : null;
    this.#problems.push({ line: line.number, id, kind, message });
  }
}

export interface ExportOptions {
  readonly project?: string | undefined;
  readonly simple?: boolean | undefined;
}

/** Returns the whole project as a Beads file: header, issues in the order of their ids, memories. */
export function beadsText(rm: Ringmaster, { project, simple = false }: ExportOptions): string {
  const snapshot = rm.store.database.snapshot();
  try {
    const tx = snapshot.connection;
    const { id } = chosenProject(tx, project);
    const links = store.exportLinks(tx, id);
    const kept = store.storedLines(tx, id);
    const keptKeys = new Set(kept.map(({ key }) => key));
    // Leaves out tasks that were deleted in Beads, because their tombstone lines are exported.
    const rows = store.exportRows(tx, id).filter((row) => row.archived_at === null || !keptKeys.has(issueKey(row.id)));
    const keyed = rows.map((row) => {
      const { line, worker_id, ...task } = row;
      const input = { task, worker: worker_id, links: links.get(row.id) ?? [], original: line ?? undefined };
      return { key: issueKey(row.id), line: simple ? taskToSimpleLine(input) : taskToLine(input) };
    });
    const all = simple ? keyed : [...keyed, ...kept];
    all.sort((left, right) => (left.key < right.key ? -1 : 1));
    return all.map(({ line }) => `${line}\n`).join('');
  } finally {
    snapshot.release();
  }
}

export function exportBeads(
  rm: Ringmaster,
  options: ExportOptions & { readonly path?: string | undefined },
): { readonly path: string; readonly lines: number } {
  const path =
    options.path === undefined ? join(rm.workspace.filesPath, 'exports', 'beads.jsonl') : resolve(options.path);
  const text = beadsText(rm, options);
  writeFileDurablySync(path, text);
  return { path, lines: text === '' ? 0 : text.split('\n').length - 1 };
}
