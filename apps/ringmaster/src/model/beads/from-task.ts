import { parseStoredObject } from '@holdfast/base';

import { priorities } from '../task.ts';
import { textList } from '../texts.ts';
import { type Issue, type IssueLink, linksOf } from './line.ts';
import { RawObject } from './raw-object.ts';
import { FAILED_LABEL, type ImportedTask, issueToTask, type OwnMetadata, taskStatusToBeads } from './to-task.ts';

export interface ExportedLink extends IssueLink {
  readonly created_at: string;
  readonly created_by: string;
}

export interface ExportInput {
  readonly task: ImportedTask;
  readonly worker: string | null;
  readonly deletedAt: string | null;
  readonly links: readonly ExportedLink[];
  /** The line that the task was imported from. */
  readonly original: string | undefined;
}

/**
 * Exports a task as a line of a Beads file. An unchanged imported task gives exactly the line it came from. In the line
 * of a changed task, only the changed fields are replaced, so that unknown fields stay.
 */
export function taskToLine(input: ExportInput): string {
  const line = activeTaskToLine(input);
  if (input.deletedAt === null) return line;
  const tombstone = new RawObject(line);
  tombstone.set('original_type', (JSON.parse(line) as Issue)['issue_type']);
  tombstone.set('status', 'tombstone');
  tombstone.set('deleted_at', input.deletedAt);
  return tombstone.text();
}

function activeTaskToLine({ task, worker, links, original }: ExportInput): string {
  const fields = fieldsOf(task, worker);
  if (original === undefined) return newLine(task, fields, links);
  const issue = parseStoredObject(original) as Issue;
  const imported = issueToTask(issue, task.created_at).task;
  const before = fieldsOf(imported, null);
  const changed = new RawObject(original);
  for (const name of new Set([...Object.keys(before), ...Object.keys(fields)])) {
    if (before[name] !== fields[name]) changed.set(name, fields[name]);
  }
  if (JSON.stringify(ownOf(imported)) !== JSON.stringify(ownOf(task))) setOwn(changed, task);
  if (imported.labels !== task.labels || (imported.status === 'failed') !== (task.status === 'failed')) {
    changed.set('labels', labelsOf(task));
  }
  replaceLinks(changed, issue, links);
  return changed.isChanged ? changed.text() : original;
}

function newLine(task: ImportedTask, fields: Fields, links: readonly ExportedLink[]): string {
  const line = new RawObject();
  for (const [name, value] of Object.entries({ _type: 'issue', id: task.id, ...fields })) line.set(name, value);
  setOwn(line, task);
  if (links.length > 0) {
    line.set(
      'dependencies',
      links.map((link) => linkEntry(task.id, link)),
    );
  }
  line.set('labels', labelsOf(task));
  return line.text();
}

type Fields = Readonly<Record<string, string | number | undefined>>;

/** Returns the values of the fields that Beads has; omits a field whose value is undefined. */
function fieldsOf(task: ImportedTask, worker: string | null): Fields {
  return {
    title: task.title,
    description: task.description ?? undefined,
    status: task.is_pinned === 1 ? 'pinned' : taskStatusToBeads(task.status),
    priority: priorities.indexOf(task.priority),
    issue_type: task.type === 'epic' || task.type === 'decision' ? task.type : 'task',
    assignee: task.external_owner ?? worker ?? undefined,
    // Beads reads only whole minutes.
    estimated_minutes: task.estimated_minutes === null ? undefined : Math.round(task.estimated_minutes),
    external_ref: task.external_ref ?? undefined,
    created_at: task.created_at,
    updated_at: task.updated_at,
    started_at: task.started_at ?? undefined,
    closed_at: task.completed_at ?? undefined,
    defer_until: task.defer_until ?? undefined,
  };
}

/** Returns the values that Beads has no field for. */
function ownOf(task: ImportedTask): OwnMetadata {
  const isPlain = ['ready', 'done', 'blocked'].includes(task.status) || task.external_owner !== null;
  return {
    ...(isPlain || task.is_pinned === 1 ? {} : { status: task.status }),
    ...(task.type === 'subtask' || task.type === 'question' ? { type: task.type } : {}),
    ...(task.failures > 0 ? { failures: task.failures } : {}),
    ...(task.blocked_reason === null ? {} : { blocked_reason: task.blocked_reason }),
    ...(task.required_capabilities === null ? {} : { required_capabilities: textList(task.required_capabilities) }),
  };
}

/** Sets `metadata.ringmaster`. Leaves metadata that is not an object unchanged, because it has no room for a key. */
function setOwn(line: RawObject, task: ImportedTask): void {
  const stored = line.get('metadata') ?? '{}';
  if (!stored.startsWith('{')) return;
  const own = ownOf(task);
  const metadata = new RawObject(stored);
  metadata.set('ringmaster', Object.keys(own).length === 0 ? undefined : own);
  if (line.get('metadata') !== undefined || metadata.text() !== '{}') line.set('metadata', metadata);
}

/** Replaces the list of links if any link was added or removed. Keeps the entries of all other links. */
function replaceLinks(changed: RawObject, issue: Issue, links: readonly ExportedLink[]): void {
  const wanted = new Map(links.map((link) => [keyOf(link), link]));
  const had = linksOf(issue);
  if (had.every((link) => wanted.has(keyOf(link))) && new Set(had.map(keyOf)).size === wanted.size) return;
  const entries = Array.isArray(issue['dependencies']) ? (issue['dependencies'] as IssueLink[]) : [];
  const kept = entries.filter((entry) => wanted.delete(keyOf({ ...entry, type: entry.type || 'blocks' })));
  const all = [...kept, ...[...wanted.values()].map((link) => linkEntry(issue.id, link))];
  changed.set('deps', undefined);
  changed.set('dependencies', all.length === 0 ? undefined : all);
  // Current versions of Beads derive these fields from the links, so they change with the links.
  if (Object.hasOwn(issue, 'dependency_count')) {
    changed.set('dependency_count', links.filter(({ type }) => type === 'blocks').length);
  }
  if (Object.hasOwn(issue, 'parent')) {
    changed.set('parent', links.find(({ type }) => type === 'parent-child')?.depends_on_id);
  }
}

function keyOf({ depends_on_id, type }: IssueLink): string {
  return `${type} ${depends_on_id}`;
}

function linkEntry(id: string, { depends_on_id, type, created_at, created_by, metadata }: ExportedLink): unknown {
  const more = metadata === null || metadata === undefined ? {} : { metadata };
  return { issue_id: id, depends_on_id, type, created_at, created_by, ...more };
}

function labelsOf(task: ImportedTask): readonly string[] | undefined {
  const labels = [...textList(task.labels), ...(task.status === 'failed' ? [FAILED_LABEL] : [])];
  return labels.length === 0 ? undefined : labels;
}

/**
 * Exports a task in the simple form of the ringmaster design document. The line lacks most fields, and Beads itself
 * (`bd`) cannot read it.
 */
export function taskToSimpleLine({ task, links }: ExportInput): string {
  const deps = links.filter(({ type }) => type === 'blocks').map(({ depends_on_id }) => depends_on_id);
  const status = task.status === 'done' ? 'closed' : 'open';
  return JSON.stringify({ id: task.id, title: task.title, status, priority: task.priority, deps });
}
