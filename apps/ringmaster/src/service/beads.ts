import { doltDatabase, isFile, linesOfFile } from '../adapters/files.ts';
import { type BeadsLine, issueKey, linksOf, readBeadsLine } from '../model/beads/line.ts';
import { issueChangedAt, issueToTask } from '../model/beads/to-task.ts';
import { isGating } from '../model/dependency.ts';
import { ringmasterErrors } from '../model/errors.ts';
import { AcyclicLinks, cycleText } from '../model/graph/cycle.ts';
import type { ImportInput, ImportReport } from '../operations/maintenance.ts';
import * as store from '../store/beads.ts';
import { type Call, recordEvent } from '../store/events.ts';
import { graphVersion, setMeta } from '../store/meta.ts';
import type { Tx } from '../store/open.ts';
import { chosenProject } from '../store/projects.ts';
import { writeOrPreview } from './dry-run.ts';
import { callOf, type Ringmaster } from './ringmaster.ts';

interface BeadsSource extends Omit<ImportInput, 'path'> {
  /** The lines of the file. The import iterates over them twice instead of holding them in memory. */
  readonly content: string | Iterable<string>;
  /** Name of the file, for reports. */
  readonly source: string;
}

export async function importBeadsFile(rm: Ringmaster, { path, ...input }: ImportInput): Promise<ImportReport> {
  const isInDolt = doltDatabase(path) !== undefined;
  if (isInDolt && !isFile(path)) {
    throw ringmasterErrors.FILE_UNREADABLE(`${path} is not a file. This Beads project stores its issues in Dolt`, {
      hint: `Run 'bd export -o ${EXPORTED}' first, then 'ringmaster import --from-beads ${EXPORTED}'.`,
    });
  }
  const report = await importBeads(rm, { ...input, content: linesOfFile(path), source: path });
  if (!isInDolt) return report;
  return { ...report, note: `Beads stores this project in Dolt; 'bd export -o ${path}' brings the file up to date` };
}

/** Default export file of Beads versions that store issues in Dolt. */
const EXPORTED = '.beads/issues.jsonl';

/** Imports all lines in one commit. A dry run does the same and rolls back. */
export function importBeads(rm: Ringmaster, input: BeadsSource): Promise<ImportReport> {
  const lines = typeof input.content === 'string' ? input.content.split('\n') : input.content;
  const isDryRun = input.dry_run === true;
  return writeOrPreview(rm, { note: `import ${input.source}`, isDryRun }, (tx, split) => {
    const call = callOf(rm);
    const project = chosenProject(tx, input.project).id;
    const report: ImportReport = {
      ...store.withImportCache(tx, () =>
        new BeadsImport({ tx, split, rm, call, project, source: input.source }).run(lines),
      ),
      project,
      note: null,
      dry_run: isDryRun,
    };
    if (input.strict === true && report.problems.length > 0) throw refused(report);
    const { problems, ...counts } = report;
    const data = { source: input.source, ...counts, problems: problems.length };
    recordEvent(tx, call, { type: 'beads_imported', entity: 'project', id: project, data });
    return report;
  });
}

const CHUNK = 500;
/** Keeps journal entries at about 1 MB. A larger import has several entries, each of which is undone separately. */
const LINES_PER_ENTRY = 1_000;

/** Splits lines into chunks, so that one query handles all lines of a chunk. */
function* chunksOf(lines: Iterable<string>, source: string): Generator<readonly BeadsLine[]> {
  let chunk: BeadsLine[] = [];
  let number = 0;
  for (const text of lines) {
    number += 1;
    if (text.includes('\0')) throw ringmasterErrors.IMPORT_REFUSED(`${source} is not text: it has NUL bytes`);
    const line = readBeadsLine(text, number);
    if (line === undefined) continue;
    chunk.push(line);
    if (chunk.length < CHUNK) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
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
/** An issue that the import will write. */
interface Taken {
  readonly number: number;
  readonly updatedAt: string;
  readonly isLocal: boolean;
}

interface ImportInto {
  readonly tx: Tx;
  readonly split: () => void;
  readonly rm: Ringmaster;
  readonly call: Call;
  readonly project: string;
  readonly source: string;
}

/** Stored rows for the lines of a chunk. */
interface Stored {
  readonly tasks: ReadonlyMap<string, store.LocalTask>;
  readonly lines: ReadonlyMap<string, number | null>;
}

/**
 * One import in one transaction. The first pass over the file chooses the lines to write, because a later line may
 * replace or delete an earlier one; the second pass writes them. Cycles are checked in memory, not by the database.
 */
class BeadsImport {
  readonly #into: ImportInto;
  readonly #taken = new Map<string, Taken>();
  readonly #problems: ImportProblem[] = [];
  readonly #links: store.ImportedLink[] = [];
  readonly #unresolved: store.UnresolvedLink[] = [];
  /**
   * True if known lines have their stored order and new lines follow them. If it is false, all lines get new positions.
   */
  #isInOrder = true;
  #hasNewLines = false;
  #lastKnown = -Infinity;
  #lastPosition = 0;
  #written = 0;
  readonly #counts = {
    lines: 0,
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

  run(lines: Iterable<string>): Omit<ImportReport, 'project' | 'note' | 'dry_run'> {
    const { tx, project, source } = this.#into;
    store.beginImport(tx);
    const bad = new Set<string>();
    for (const chunk of chunksOf(lines, source)) this.#choose(chunk, bad);
    store.forgetBadLines(tx, project, source, bad);
    const tombstones = store.storedKeys(tx, project);
    for (const [id, { isLocal }] of this.#taken) {
      if (tombstones.has(issueKey(id))) store.restoreDeletedTask(tx, project, id);
      if (isLocal) store.clearLinks(tx, id);
    }
    const known = new Set(store.taskIds(tx));
    const graph = new AcyclicLinks();
    for (const { child_id, parent_id } of store.gatingLinks(tx)) {
      // Skips the stored parent of a task that this import replaces, because the new line decides its parent.
      if (!this.#taken.has(child_id)) graph.add(child_id, parent_id);
    }
    this.#lastPosition = store.lastPosition(tx, project);
    const base = this.#lastPosition;
    for (const chunk of chunksOf(lines, source)) this.#write(chunk, known, graph, base);
    this.#resolveLater(graph);
    store.insertImportedLinks(tx, this.#links);
    store.endImport(tx);
    if (this.#taken.size > 0 || this.#counts.resolved > 0) setMeta(tx, 'graph_version', graphVersion(tx) + 1);
    return { ...this.#counts, problems: this.#problems.sort((left, right) => left.line - right.line) };
  }

  #storedOf(chunk: readonly BeadsLine[]): Stored {
    const { tx, project } = this.#into;
    const ids = chunk.flatMap((line) =>
      line.kind === 'issue' ? line.issue.id : line.kind === 'kept' ? (line.deleted?.id ?? []) : [],
    );
    const keys = chunk.flatMap((line) => (line.kind === 'issue' ? [] : this.#keyOf(line)));
    return { tasks: store.localTasks(tx, ids), lines: store.linePositions(tx, project, keys) };
  }

  #keyOf(line: Exclude<BeadsLine, IssueLine>): string {
    return line.kind === 'kept' ? line.key : store.badLineKey(this.#into.source, line.text);
  }

  #choose(chunk: readonly BeadsLine[], bad: Set<string>): void {
    const stored = this.#storedOf(chunk);
    this.#counts.lines += chunk.length;
    for (const line of chunk) {
      if (line.kind === 'issue') this.#chooseIssue(line, stored.tasks.get(line.issue.id));
      else if (line.kind === 'kept') this.#keep(line, stored.tasks);
      else {
        this.#problem(line, 'bad_line', line.reason);
        bad.add(this.#keyOf(line));
        store.storeBadLine(this.#into.tx, this.#into.project, this.#into.source, line.text);
      }
      if (this.#isOwn(line, stored)) continue;
      const position = this.#positionIn(line, stored);
      if (position === null) this.#hasNewLines = true;
      else {
        if (this.#hasNewLines || position <= this.#lastKnown) this.#isInOrder = false;
        this.#lastKnown = position;
      }
    }
  }

  /**
   * Returns whether only the file has this issue: this import does not write it, and no earlier import stored it in
   * this project.
   */
  #isOwn(line: BeadsLine, { tasks }: Stored): boolean {
    if (line.kind !== 'issue' || this.#taken.get(line.issue.id)?.number === line.number) return false;
    const local = tasks.get(line.issue.id);
    return local === undefined || local.project_id !== this.#into.project || local.line === null;
  }

  #positionIn(line: BeadsLine, { tasks, lines }: Stored): number | null {
    if (line.kind === 'issue') return tasks.get(line.issue.id)?.position ?? null;
    const deleted = line.kind === 'kept' ? tasks.get(line.deleted?.id ?? '')?.position : undefined;
    return lines.get(this.#keyOf(line)) ?? deleted ?? null;
  }

  #chooseIssue(line: IssueLine, local: store.LocalTask | undefined): void {
    const { id } = line.issue;
    const earlier = this.#taken.get(id);
    if (earlier !== undefined) {
      const message = `line ${line.number} has the same id and replaces this line`;
      this.#problems.push({ line: earlier.number, id, kind: 'duplicate', message });
    }
    const updatedAt = this.#examine(line, local);
    if (updatedAt !== undefined) this.#taken.set(id, { number: line.number, updatedAt, isLocal: local !== undefined });
  }

  /** Stores lines that are not issues; a tombstone also archives its task. */
  #keep(line: KeptLine, local: ReadonlyMap<string, store.LocalTask>): void {
    const { id = '', at = this.#into.call.now } = line.deleted ?? {};
    const here = local.get(id);
    const newest = this.#taken.get(id)?.updatedAt ?? here?.updated_at ?? '';
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
    if (at >= newest) this.#taken.delete(id);
    this.#counts.kept += 1;
    store.storeLine(this.#into.tx, this.#into.project, line.key, line.text);
  }

  /** Returns the time of the issue's last change; undefined if the import must not write the issue. */
  #examine(line: IssueLine, local: store.LocalTask | undefined): string | undefined {
    const changedAt = issueChangedAt(line.issue, this.#into.call.now);
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
      if (local.deleted_at !== null) return skip('deleted', "deleted here; 'ringmaster task restore' brings it back");
      if (local.is_running === 1) return skip('running', 'a worker is working on it; not changed');
      if (changedAt < local.updated_at) return skip('older', `changed here at ${local.updated_at}`);
    }
    return changedAt;
  }

  #write(chunk: readonly BeadsLine[], known: ReadonlySet<string>, graph: AcyclicLinks, base: number): void {
    const { tx, rm, call, project, split } = this.#into;
    const { prioritization, manualScores } = rm.config;
    const stored = this.#storedOf(chunk);
    const rows: store.ImportRow[] = [];
    for (const line of chunk) {
      if (this.#isOwn(line, stored)) continue;
      const before = this.#positionIn(line, stored);
      const position = this.#isInOrder ? (before ?? (this.#lastPosition += 1)) : base + line.number;
      if (line.kind !== 'issue') {
        const key = this.#keyOf(line);
        if (stored.lines.get(key) !== position) store.moveLine(tx, project, key, position);
      } else if (this.#taken.get(line.issue.id)?.number === line.number) {
        const { task, isFailedClose, notes } = issueToTask(line.issue, call.now);
        for (const note of notes) this.#problem(line, 'changed', note);
        const score = prioritization.manual_weight * manualScores[task.priority];
        const parent = this.#decideLinks(line, known, graph);
        rows.push({ task, parent, score, line: line.text, position, isFailedClose });
        if (this.#taken.get(task.id)?.isLocal === true) this.#counts.updated += 1;
        else this.#counts.created += 1;
      } else if (before !== position) store.moveIssue(tx, line.issue.id, position);
    }
    store.upsertImported(tx, rows, { project, maxAttempts: rm.config.queue.max_attempts });
    store.storeUnresolved(tx, this.#unresolved.splice(0));
    store.insertImportedLinks(tx, this.#links.splice(0));
    this.#written += chunk.length;
    if (this.#written < LINES_PER_ENTRY) return;
    split();
    this.#written = 0;
  }

  /** Collects the links of an issue, and returns its parent, to which the first valid parent link leads. */
  #decideLinks({ issue, number }: IssueLine, known: ReadonlySet<string>, graph: AcyclicLinks): string | null {
    let parent: string | null = null;
    for (const { depends_on_id, type, metadata = null, created_by = 'beads' } of linksOf(issue)) {
      const link = { child_id: issue.id, parent_id: depends_on_id, type, metadata };
      const isExternal = depends_on_id.startsWith('external:');
      if (isExternal || !(known.has(depends_on_id) || this.#taken.has(depends_on_id))) {
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
      else this.#links.push({ ...link, created_at: this.#into.call.now, created_by });
    }
    return parent;
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
