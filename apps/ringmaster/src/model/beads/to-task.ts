import {
  priorities,
  type Priority,
  type Task,
  type TaskStatus,
  taskStatuses,
  type TaskType,
  taskTypes,
} from '../task.ts';
import { oneLine } from '../texts.ts';
import { normalTime } from '../time.ts';
import type { Issue } from './line.ts';

/** Task columns that a Beads issue sets, besides its id, project and parent. */
export const importedColumns = [
  'type',
  'title',
  'description',
  'priority',
  'status',
  'created_at',
  'updated_at',
  'started_at',
  'completed_at',
  'defer_until',
  'external_owner',
  'estimated_minutes',
  'labels',
  'external_ref',
  'is_work',
  'is_pinned',
  'failures',
  'blocked_reason',
  'required_capabilities',
] as const satisfies readonly (keyof Task)[];
export type ImportedTask = Pick<Task, 'id' | (typeof importedColumns)[number]>;

export interface Mapped {
  readonly task: ImportedTask;
  /** True if the issue was closed for a reason that Beads treats as a failure. */
  readonly isFailedClose: boolean;
  /** Notes on values that could not be imported unchanged. */
  readonly notes: readonly string[];
}

/** A map, because a file may contain the status `constructor`, which is a property of every object. */
const statusByBeads: ReadonlyMap<string, TaskStatus> = new Map([
  ['open', 'ready'],
  ['in_progress', 'in_progress'],
  ['hooked', 'in_progress'],
  ['blocked', 'blocked'],
  ['deferred', 'draft'],
  ['pinned', 'draft'],
  ['closed', 'done'],
]);

const typeByBeads: ReadonlyMap<string, TaskType> = new Map([
  ['epic', 'epic'],
  ['milestone', 'epic'],
  ['decision', 'decision'],
  ['dec', 'decision'],
  ['adr', 'decision'],
]);

/** Words in a close reason that mean failure. Only whole words count: "unblocked" is not a failure. */
const failureWords =
  /(?<![\w'])(?:failed|rejected|wontfix|won't fix|cancell?ed|abandoned|blocked|error|timeout|aborted)(?!\w)/i;

/** Issue types that are not work. */
const notWork: ReadonlySet<string> = new Set(['gate', 'molecule', 'message', 'merge-request', 'agent', 'role', 'rig']);

/** Fields that are true for an issue that is not work. `wisp` is the old name of `ephemeral`. */
const notWorkFlags = ['ephemeral', 'wisp', 'is_template'] as const;

/** ringmaster's values that Beads has no field for. They are exported as `metadata.ringmaster`. */
export interface OwnMetadata {
  readonly status?: TaskStatus;
  readonly type?: TaskType;
  readonly failures?: number;
  readonly blocked_reason?: string;
  readonly required_capabilities?: readonly string[];
}

/** Returns the time of the issue's last change, which is also the `updated_at` of its task. */
export function issueChangedAt(issue: Issue, now: string): string {
  for (const value of [issue['updated_at'], issue['created_at']]) {
    const time = typeof value === 'string' ? normalTime(value) : undefined;
    if (time !== undefined) return time;
  }
  return now;
}

export function issueToTask(issue: Issue, now: string): Mapped {
  const notes: string[] = [];
  const own = ownMetadata(issue);
  const field = (name: string): unknown => issue[name];
  const text = (name: string): string | null => (typeof field(name) === 'string' ? (field(name) as string) : null);
  const time = (name: string): string | null => {
    const value = text(name);
    const normal = value === null ? undefined : normalTime(value);
    if (value !== null && normal === undefined) notes.push(`${name} is not a time: ${value}`);
    return normal ?? null;
  };
  const beadsStatus = text('status') ?? 'open';
  const status = statusOf(beadsStatus, own, notes);
  const issueType = text('issue_type') ?? 'task';
  const created = time('created_at') ?? now;
  const updated = time('updated_at') ?? created;
  const isExternal = (beadsStatus === 'in_progress' || beadsStatus === 'hooked') && own.status === undefined;
  const minutes = field('estimated_minutes');
  const task: ImportedTask = {
    id: issue.id,
    type: own.type ?? typeOf(issueType, issue.id),
    // Only the task has a one-line title; the stored line and the export keep the original title.
    title: oneLine(issue.title),
    description: text('description'),
    priority: priorityOf(field('priority'), notes),
    status,
    created_at: created,
    updated_at: updated,
    started_at: time('started_at'),
    completed_at: status === 'done' ? (time('closed_at') ?? updated) : null,
    defer_until: time('defer_until'),
    external_owner: isExternal ? (text('assignee') ?? text('owner') ?? 'unknown') : null,
    estimated_minutes: typeof minutes === 'number' ? minutes : null,
    labels: labelsOf(field('labels')),
    external_ref: text('external_ref'),
    is_work: notWork.has(issueType) || notWorkFlags.some((name) => field(name) === true) ? 0 : 1,
    is_pinned: beadsStatus === 'pinned' || field('pinned') === true ? 1 : 0,
    failures: own.failures ?? 0,
    blocked_reason: own.blocked_reason ?? null,
    required_capabilities: own.required_capabilities === undefined ? null : JSON.stringify(own.required_capabilities),
  };
  const isFailedClose = status === 'done' && failureWords.test(text('close_reason') ?? '');
  return { task, isFailedClose, notes };
}

function statusOf(beadsStatus: string, own: OwnMetadata, notes: string[]): TaskStatus {
  const mapped = statusByBeads.get(beadsStatus);
  if (mapped === undefined) {
    notes.push(`status "${beadsStatus}" is unknown here; it became draft`);
    return 'draft';
  }
  // Uses the status that ringmaster exported, unless the Beads status has changed since the export. Tasks that were
  // assigned or in progress become ready.
  if (own.status === undefined || !agrees(own.status, beadsStatus)) return mapped;
  return own.status === 'assigned' || own.status === 'in_progress' ? 'ready' : own.status;
}

function agrees(own: TaskStatus, beadsStatus: string): boolean {
  return taskStatusToBeads(own) === beadsStatus;
}

export function taskStatusToBeads(status: TaskStatus): string {
  if (status === 'done') return 'closed';
  if (status === 'blocked') return 'blocked';
  // A failed task stays open, because closing it in Beads would unblock its dependents.
  return status === 'draft' || status === 'ready' || status === 'failed' ? 'open' : 'in_progress';
}

function priorityOf(value: unknown, notes: string[]): Priority {
  if (typeof value === 'number') {
    const found = priorities[value];
    if (found !== undefined) return found;
  } else {
    const found = priorities.find((priority) => priority === value);
    if (found !== undefined || value === undefined) return found ?? 'P2';
  }
  notes.push(`priority ${JSON.stringify(value)} became P2`);
  return 'P2';
}

/** Label that marks a failed task in Beads, which has no such status. ringmaster sets it from the status. */
export const FAILED_LABEL = 'ringmaster:failed';

function labelsOf(value: unknown): string | null {
  const labels = Array.isArray(value)
    ? value.filter((label) => typeof label === 'string' && label !== FAILED_LABEL)
    : [];
  return labels.length === 0 ? null : JSON.stringify(labels);
}

function typeOf(issueType: string, id: string): TaskType {
  return typeByBeads.get(issueType) ?? (id.split('.').length > 2 ? 'subtask' : 'task');
}

function ownMetadata(issue: Issue): OwnMetadata {
  const metadata = issue['metadata'];
  if (typeof metadata !== 'object' || metadata === null) return {};
  const own = (metadata as Readonly<Record<string, unknown>>)['ringmaster'];
  if (typeof own !== 'object' || own === null) return {};
  const { status, type, failures, blocked_reason, required_capabilities } = own as Readonly<Record<string, unknown>>;
  return {
    ...(taskStatuses.includes(status as TaskStatus) ? { status: status as TaskStatus } : {}),
    ...(taskTypes.includes(type as TaskType) ? { type: type as TaskType } : {}),
    ...(typeof failures === 'number' ? { failures } : {}),
    ...(typeof blocked_reason === 'string' ? { blocked_reason } : {}),
    ...(Array.isArray(required_capabilities) ? { required_capabilities: required_capabilities.map(String) } : {}),
  };
}
