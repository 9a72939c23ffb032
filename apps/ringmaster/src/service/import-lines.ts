import { type BeadsLine, type Issue, issueKey, linksOf } from '../model/beads/line.ts';
import { type ImportedTask, issueToTask } from '../model/beads/to-task.ts';
import { isGating } from '../model/dependency.ts';
import { AcyclicLinks, cycleText } from '../model/graph/cycle.ts';
import {
  beginImport,
  buryTask,
  clearLinks,
  dropUnresolved,
  endImport,
  forgetBadLines,
  gatingLinks,
  type ImportedLink,
  type ImportRow,
  insertImportedLinks,
  keepBadLine,
  keepLine,
  keepUnresolved,
  keptLines,
  type LocalTask,
  localTasks,
  resolvableLinks,
  type UnresolvedLink,
  unburyTask,
  upsertImported,
} from '../store/beads.ts';
import type { Call } from '../store/events.ts';
import { graphVersion, setMeta } from '../store/meta.ts';
import type { Tx } from '../store/open.ts';
import type { Ringmaster } from './ringmaster.ts';

/** A line, or part of one, that was not imported unchanged. */
export interface ImportProblem {
  readonly line: number;
  readonly id: string | null;
  readonly kind: string;
  readonly message: string;
}

export interface ImportReport {
  readonly project: string;
  readonly lines: number;
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  /** Lines that are not issues and are stored as they are: memories, headers, tombstones. */
  readonly kept: number;
  readonly skipped: number;
  readonly links: number;
  readonly unresolved: number;
  readonly resolved: number;
  readonly problems: readonly ImportProblem[];
  readonly dry_run: boolean;
}

type IssueLine = Extract<BeadsLine, { kind: 'issue' }>;
type KeptLine = Extract<BeadsLine, { kind: 'kept' }>;
interface Taken {
  readonly line: IssueLine;
  readonly task: ImportedTask;
  readonly isFailedClose: boolean;
}

export interface ImportInto {
  readonly tx: Tx;
  readonly rm: Ringmaster;
  readonly call: Call;
  readonly project: string;
  readonly source: string;
}

/**
 * One import in one transaction. Decides everything in memory first, cycles included, while the database's own check is
 * off; then writes all issues and then all links, so that a link may name a later issue.
 */
export class BeadsImport {
  readonly #tx: Tx;
  readonly #rm: Ringmaster;
  readonly #call: Call;
  readonly #project: string;
  readonly #source: string;
  readonly #problems: ImportProblem[] = [];
  readonly #rows: ImportRow[] = [];
  readonly #links: ImportedLink[] = [];
  readonly #unresolved: UnresolvedLink[] = [];
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

  constructor({ tx, rm, call, project, source }: ImportInto) {
    this.#tx = tx;
    this.#rm = rm;
    this.#call = call;
    this.#project = project;
    this.#source = source;
  }

  run(lines: readonly BeadsLine[]): Omit<ImportReport, 'project' | 'lines' | 'dry_run'> {
    const tx = this.#tx;
    beginImport(tx);
    const local = localTasks(tx);
    const taken = this.#choose(lines, local);
    const known = new Set([...local.keys(), ...taken.map(({ task }) => task.id)]);
    for (const { task } of taken) if (local.has(task.id)) clearLinks(tx, task.id);
    const replaced = new Set(taken.map(({ task }) => task.id));
    const graph = new AcyclicLinks();
    for (const { child_id, parent_id } of gatingLinks(tx)) {
      // The parent of a replaced task comes from its line.
      if (!replaced.has(child_id)) graph.add(child_id, parent_id);
    }
    for (const entry of taken) this.#decide(entry, local, known, graph);
    upsertImported(tx, this.#rows, { project: this.#project, maxAttempts: this.#rm.config.queue.max_attempts });
    keepUnresolved(tx, this.#unresolved);
    this.#resolveLater(graph);
    insertImportedLinks(tx, this.#links);
    endImport(tx);
    if (taken.length > 0 || this.#counts.resolved > 0) setMeta(tx, 'graph_version', graphVersion(tx) + 1);
    return { ...this.#counts, problems: this.#problems.sort((left, right) => left.line - right.line) };
  }

  /** Selects the lines to write. */
  #choose(lines: readonly BeadsLine[], local: ReadonlyMap<string, LocalTask>): readonly Taken[] {
    const takenById = new Map<string, Taken>();
    forgetBadLines(this.#tx, this.#project, this.#source);
    for (const line of lines) {
      if (line.kind === 'issue') {
        const earlier = takenById.get(line.issue.id);
        if (earlier !== undefined)
          this.#problem(earlier.line, 'duplicate', `line ${line.number} has the same id and counts`);
        const entry = this.#examine(line, local.get(line.issue.id));
        if (entry !== undefined) takenById.set(line.issue.id, entry);
        continue;
      }
      if (line.kind === 'kept') this.#keep(line, local, takenById);
      else {
        this.#problem(line, 'bad_line', line.reason);
        keepBadLine(this.#tx, this.#project, this.#source, line.text);
      }
    }
    const tombstones = new Set(keptLines(this.#tx, this.#project).map(({ key }) => key));
    for (const id of takenById.keys()) if (tombstones.has(issueKey(id))) unburyTask(this.#tx, this.#project, id);
    return [...takenById.values()];
  }

  /** Stores lines that are not issues; a tombstone also archives its task. */
  #keep(line: KeptLine, local: ReadonlyMap<string, LocalTask>, takenById: Map<string, Taken>): void {
    const { id = '', at = this.#call.now } = line.deleted ?? {};
    const here = local.get(id);
    const newest = takenById.get(id)?.task.updated_at ?? here?.updated_at ?? '';
    if (here?.project_id === this.#project && here.archived_at === null) {
      if (here.is_running === 1 || at < newest) {
        this.#counts.skipped += 1;
        const isRunning = here.is_running === 1;
        const why = isRunning ? 'a worker is at it; left as it is' : `deleted at ${at}, changed at ${newest}`;
        return this.#problem(line, isRunning ? 'running' : 'older', why);
      }
      buryTask(this.#tx, id, at, this.#call.now);
      this.#counts.updated += 1;
    }
    if (at >= newest) takenById.delete(id);
    this.#counts.kept += 1;
    keepLine(this.#tx, this.#project, line.key, line.text);
  }

  #examine(line: IssueLine, local: LocalTask | undefined): Taken | undefined {
    const { task, isFailedClose, notes } = issueToTask(line.issue, this.#call.now);
    const skip = (kind: string, message: string): undefined => {
      this.#counts.skipped += 1;
      this.#problem(line, kind, message);
    };
    if (local !== undefined) {
      if (local.project_id !== this.#project) return skip('other_project', `belongs to project ${local.project_id}`);
      if (local.line === line.text) {
        this.#counts.unchanged += 1;
        return undefined;
      }
      if (local.is_running === 1) return skip('running', 'a worker is at it; left as it is');
      if (task.updated_at < local.updated_at) return skip('older', `changed here at ${local.updated_at}`);
    }
    for (const note of notes) this.#problem(line, 'changed', note);
    return { line, task, isFailedClose };
  }

  #decide(entry: Taken, local: ReadonlyMap<string, LocalTask>, known: ReadonlySet<string>, graph: AcyclicLinks): void {
    const { task, line, isFailedClose } = entry;
    const { prioritization, manualScores } = this.#rm.config;
    const score = prioritization.manual_weight * manualScores[task.priority];
    this.#rows.push({ task, parent: this.#decideLinks(entry, known, graph), score, line: line.text, isFailedClose });
    if (local.has(task.id)) this.#counts.updated += 1;
    else this.#counts.created += 1;
  }

  /** Collects the links of an issue and returns its parent: the first parent that can be one. */
  #decideLinks({ line: { issue, number } }: Taken, known: ReadonlySet<string>, graph: AcyclicLinks): string | null {
    let parent: string | null = null;
    for (const [index, { depends_on_id, type, metadata = null }] of linksOf(issue).entries()) {
      const link = { child: issue.id, parent: depends_on_id, type, metadata };
      const isExternal = depends_on_id.startsWith('external:');
      if (isExternal || !known.has(depends_on_id)) {
        this.#keepLater(number, link, isExternal ? 'external' : 'missing', `${depends_on_id} is not here`);
        continue;
      }
      const circle = depends_on_id === issue.id || isGating(type) ? graph.add(issue.id, depends_on_id) : undefined;
      if (circle !== undefined) {
        this.#keepLater(number, link, 'cycle', `would close a circle: ${cycleText(issue.id, circle)}`);
        continue;
      }
      this.#counts.links += 1;
      if (type === 'parent-child' && parent === null) parent = depends_on_id;
      else this.#links.push({ ...link, ...this.#created(issue, index) });
    }
    return parent;
  }

  #created(issue: Issue, index: number): { readonly at: string; readonly by: string } {
    const list = issue['dependencies'];
    const entry: unknown = Array.isArray(list) ? list[index] : undefined;
    const { created_by } = (entry ?? {}) as { readonly created_by?: unknown };
    return { at: this.#call.now, by: typeof created_by === 'string' ? created_by : 'beads' };
  }

  #keepLater(
    line: number,
    link: Omit<UnresolvedLink, 'reason'>,
    reason: 'missing' | 'external' | 'cycle',
    message: string,
  ): void {
    this.#counts.unresolved += 1;
    this.#unresolved.push({ ...link, reason });
    this.#problems.push({ line, id: link.child, kind: `link_${reason}`, message: `${link.type}: ${message}` });
  }

  /** Resolves links of earlier imports whose target exists now. A second parent stays a link, as in a single import. */
  #resolveLater(graph: AcyclicLinks): void {
    for (const link of resolvableLinks(this.#tx)) {
      const { child, parent, type } = link;
      if (isGating(type) && graph.add(child, parent) !== undefined) continue;
      dropUnresolved(this.#tx, child, parent, type);
      this.#links.push({ ...link, at: this.#call.now, by: 'beads' });
      this.#counts.resolved += 1;
    }
  }

  #problem(line: BeadsLine, kind: string, message: string): void {
    const id = line.kind === 'issue' ? line.issue.id : line.kind === 'kept' ? (line.deleted?.id ?? null) : null;
    this.#problems.push({ line: line.number, id, kind, message });
  }
}
