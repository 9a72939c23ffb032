import { priorities } from '../task.ts';
import { textList } from '../texts.ts';
import { type Issue, type IssueLink, linksOf } from './line.ts';
import { type ImportedTask, issueToTask, type OwnMetadata, taskStatusToBeads } from './to-task.ts';

export interface ExportedLink extends IssueLink {
  readonly created_at: string;
  readonly created_by: string;
}

export interface ExportInput {
  readonly task: ImportedTask;
  readonly worker: string | null;
  readonly links: readonly ExportedLink[];
  /** The line that the task was imported from. */
  readonly original: string | undefined;
}

/**
 * Exports a task as a line of a Beads file. An unchanged imported task gives exactly the line it came from. For a
 * changed one, only the changed fields are replaced, so that unknown fields stay.
 */
export function taskToLine({ task, worker, links, original }: ExportInput): string {
  const fields = fieldsOf(task, worker);
  if (original === undefined) {
    const fresh: Record<string, unknown> = { id: task.id, ...fields, ...metadataOf(undefined, task) };
    if (links.length > 0) fresh['dependencies'] = links.map((link) => linkEntry(task.id, link));
    return goJson(withLabels(fresh, task));
  }
  const issue = JSON.parse(original) as Issue;
  const imported = issueToTask(issue, task.created_at).task;
  const before = fieldsOf(imported, null);
  const changed: Record<string, unknown> = { ...issue };
  let differs = false;
  for (const name of new Set([...Object.keys(before), ...Object.keys(fields)])) {
    if (before[name] === fields[name]) continue;
    differs = true;
    if (fields[name] === undefined) delete changed[name];
    else changed[name] = fields[name];
  }
  if (JSON.stringify(ownOf(imported)) !== JSON.stringify(ownOf(task))) {
    differs = true;
    Object.assign(changed, metadataOf(issue, task));
  }
  if (replaceLinks(changed, issue, links)) differs = true;
  return differs ? goJson(withLabels(changed, task)) : original;
}

type Fields = Readonly<Record<string, string | number | undefined>>;

/** Values of the fields that Beads has; a field with undefined is omitted. */
function fieldsOf(task: ImportedTask, worker: string | null): Fields {
  return {
    title: task.title,
    description: task.description ?? undefined,
    status: task.is_pinned === 1 ? 'pinned' : taskStatusToBeads(task.status),
    priority: priorities.indexOf(task.priority),
    issue_type: task.type === 'epic' || task.type === 'decision' ? task.type : 'task',
    assignee: task.external_owner ?? worker ?? undefined,
    estimated_minutes: task.estimated_minutes ?? undefined,
    created_at: task.created_at,
    updated_at: task.updated_at,
    started_at: task.started_at ?? undefined,
    closed_at: task.completed_at ?? undefined,
    defer_until: task.defer_until ?? undefined,
  };
}

/** Values that Beads has no field for. */
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

function metadataOf(issue: Issue | undefined, task: ImportedTask): { readonly metadata?: unknown } {
  const own = ownOf(task);
  const { ringmaster: _, ...others } = (issue?.['metadata'] ?? {}) as Readonly<Record<string, unknown>>;
  const metadata = { ...others, ...(Object.keys(own).length === 0 ? {} : { ringmaster: own }) };
  return Object.keys(metadata).length === 0 && issue?.['metadata'] === undefined ? {} : { metadata };
}

/** Keeps the entries of existing links unchanged; returns whether any link was added or removed. */
function replaceLinks(changed: Record<string, unknown>, issue: Issue, links: readonly ExportedLink[]): boolean {
  const wanted = new Map(links.map((link) => [keyOf(link), link]));
  const had = linksOf(issue);
  const isSame = had.every((link) => wanted.has(keyOf(link))) && new Set(had.map(keyOf)).size === wanted.size;
  if (isSame) return false;
  const entries = Array.isArray(issue['dependencies']) ? (issue['dependencies'] as IssueLink[]) : [];
  const kept = entries.filter((entry) => wanted.delete(keyOf({ ...entry, type: entry.type || 'blocks' })));
  const all = [...kept, ...[...wanted.values()].map((link) => linkEntry(issue.id, link))];
  delete changed['deps'];
  if (all.length === 0) delete changed['dependencies'];
  else changed['dependencies'] = all;
  return true;
}

function keyOf({ depends_on_id, type }: IssueLink): string {
  return `${type} ${depends_on_id}`;
}

function linkEntry(id: string, { depends_on_id, type, created_at, created_by, metadata }: ExportedLink): unknown {
  const more = metadata === null || metadata === undefined ? {} : { metadata };
  return { issue_id: id, depends_on_id, type, created_at, created_by, ...more };
}

const FAILED_LABEL = 'ringmaster:failed';

function withLabels(issue: Record<string, unknown>, task: ImportedTask): Record<string, unknown> {
  const labels = Array.isArray(issue['labels']) ? (issue['labels'] as string[]) : [];
  const others = labels.filter((label) => label !== FAILED_LABEL);
  if (task.status === 'failed') return { ...issue, labels: [...others, FAILED_LABEL] };
  if (others.length === labels.length) return issue;
  const { labels: _, ...rest } = issue;
  return others.length === 0 ? rest : { ...rest, labels: others };
}

/** Returns the design document's simple form. It loses most fields, and Beads itself (`bd`) cannot read it. */
export function taskToSimpleLine({ task, links }: ExportInput): string {
  const deps = links.filter(({ type }) => type === 'blocks').map(({ depends_on_id }) => depends_on_id);
  const status = task.status === 'done' ? 'closed' : 'open';
  return JSON.stringify({ id: task.id, title: task.title, status, priority: task.priority, deps });
}

/** JSON as Beads writes it with Go's encoder, so that a changed line differs only in the changed fields. */
function goJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
