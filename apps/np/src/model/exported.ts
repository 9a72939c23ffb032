import { check, choice, integer, list, nullable, object, type ObjectValue, optional } from '@holdfast/operation';
import { isKeyTime } from './clock.ts';
import { npErrors } from './errors.ts';
import { describeEvent, type Event, eventObject } from './event.ts';
import {
  afterLabel,
  claimLabel,
  countByStatus,
  goalFields,
  statusLabel,
  orderOf,
  progressOf,
  type Session,
  sessionFields,
  SYMBOL_BY_STATUS,
  type Task,
  taskFields,
  type TaskNote,
  taskNoteFields,
} from './plan.ts';

/** A whole session in one document, for backups and for import into another database. */
export const exportFields = {
  format: choice(['np-session']),
  version: integer(undefined, { min: 1, max: 1 }),
  session: object(sessionFields),
  goal: nullable(object(goalFields)),
  tasks: list(object(taskFields), { summary: 'In plan order' }),
  notes: optional(list(object(taskNoteFields))),
  events: list(eventObject),
} as const;
export type ExportedSession = ObjectValue<typeof exportFields>;

export function parseExport(text: string): ExportedSession {
  return checkExport(parseJson(text));
}

/** Validates an exported session. Also accepts the envelope that `--json` prints around an export. */
export function checkExport(read: unknown): ExportedSession {
  const document = isObject(read) && 'schema_version' in read ? read['data'] : read;
  if (!isObject(document) || document['format'] !== 'np-session' || document['version'] !== 1) {
    throw npErrors.IMPORT_INVALID('This is not a session export (format "np-session", version 1).');
  }
  const checked = check(object(exportFields), document);
  if ('issues' in checked) {
    return refuse(checked.issues.map(({ message, path }) => `${path.join('.')}: ${message}`).join('; '));
  }
  const exported = checked.value as ExportedSession;
  const { session, tasks, events } = exported;
  if ((session.state === 'archived') !== (session.archived_at !== null))
    refuse('session: state and archived_at contradict each other');
  events.forEach(({ seq }, index) => {
    if (seq !== index) refuse(`events: found number ${seq} where ${index} was expected`);
  });
  if (events.length === 0) refuse('events: the log is empty');
  if (new Set(tasks.map(({ id }) => id)).size !== tasks.length) refuse('tasks: two tasks have the same id');
  for (const { id, created_seq: seq } of tasks) {
    const event = events[seq];
    if (event?.type !== 'task_added' || event.payload.task.id !== id)
      refuse(`tasks: event ${seq} did not create ${id}`);
  }
  for (const { task_id: id, seq } of exported.notes ?? []) {
    const event = events[seq];
    if (event?.type !== 'task_noted' || event.payload.task_id !== id)
      refuse(`notes: event ${seq} added no note to ${id}`);
  }
  checkKeys(session, tasks, events);
  return exported;
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw npErrors.IMPORT_INVALID('The export is not valid JSON.', { cause: error });
  }
}

const SID = /^[0-9A-HJKMNP-TV-Z]{26}$/u;

/** Rejects ids, times and positions that cannot be part of a key, and positions that are not unique. */
function checkKeys(session: Session, tasks: readonly Task[], events: readonly Event[]): void {
  if (!SID.test(session.sid)) refuse(`session: "${session.sid}" is not a valid session id`);
  if (session.archived_at !== null && !isKeyTime(session.archived_at))
    refuse('session.archived_at: is not a valid time');
  events.forEach(({ at }, index) => {
    if (!isKeyTime(at)) refuse(`events.${index}.at: is not a valid time`);
  });
  const positions = new Set(tasks.map(orderOf));
  // New tasks take the next event number as their position, so this position must still be free.
  const isBeyondLog = [...positions].some((position) => position >= events.length);
  if (positions.size !== tasks.length || isBeyondLog) refuse('tasks: a position is duplicated or beyond the log');
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function refuse(problem: string): never {
  throw npErrors.IMPORT_INVALID(`The export is not valid: ${problem}`);
}

/** Formats the plan, and the log with its reasons, for people. */
export function toMarkdown({ session, goal, tasks, notes = [], events }: ExportedSession): string {
  const { done, total } = progressOf(countByStatus(tasks));
  const state = session.archived_at === null ? 'active' : `archived ${session.archived_at}`;
  const parts = [
    `# ${goal === null ? 'No goal' : inline(goal.title)}`,
    ...(goal === null || goal.description === '' ? [] : [goal.description]),
    `Session \`${session.sid}\` in \`${session.dir_path}\`, started ${session.created_at}, ${state}.`,
    `## Tasks (${done} of ${total} done)`,
    tasks.length === 0 ? 'None.' : tasks.map((task) => taskItem(task, notes)).join('\n'),
    '## Log',
    events.map(eventItem).join('\n'),
  ];
  return `${parts.join('\n\n')}\n`;
}

function taskItem(task: Task, notes: readonly TaskNote[]): string {
  const { id, title, description, status } = task;
  const state = [statusLabel(status), claimLabel(task), afterLabel(task)].filter((part) => part !== '').join(', ');
  const head = `- ${SYMBOL_BY_STATUS[status]} \`${id}\` ${inline(title)} (${inline(state)})`;
  const own = notes.filter(({ task_id: of }) => of === id).map(({ text, at }) => `Note (${at}): ${text}`);
  const details = [...(description === '' ? [] : [description]), ...own];
  return details.length === 0 ? head : `${head}\n\n${details.map(indented).join('\n\n')}\n`;
}

function eventItem(event: Event): string {
  const reason = event.reason === null ? '' : ` (because ${inline(event.reason)})`;
  return `${event.seq}. ${event.at} ${inline(describeEvent(event))}${reason}`;
}

/** Joins lines and escapes Markdown. */
function inline(text: string): string {
  return text.replaceAll(/\s*\n\s*/gu, ' ').replaceAll(/[\\`*_[\]<>#|]/gu, String.raw`\$&`);
}

function indented(text: string): string {
  return text.replaceAll(/^(?=.)/gmu, '  ');
}
