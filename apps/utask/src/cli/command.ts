import { systemClock } from '@holdfast/base';
import { commandsFor, style, type Text } from '@holdfast/cli';
import type { ConnectionFlags } from '../adapters/configuration.ts';
import { detailsOf, dueDay, localDay, shownPriority, type TaskDetails } from '../model/details.ts';
import { abbreviatedId, shortId, stateOf, type Task } from '../model/task.ts';
import type { UtaskHost } from '../service/undo.ts';

const group = 'Task storage';

/** Options that all commands share. They choose the store. */
export const sharedOptions = {
  natsUrl: {
    type: 'string',
    summary: 'NATS server with the tasks; default: UTASK_NATS_URL, then NATS_URL, otherwise this machine',
    value: 'url',
    group,
  },
  profile: {
    type: 'string',
    summary: 'Profile with a separate task list; default: UTASK_PROFILE',
    value: 'name',
    group,
  },
  creds: {
    type: 'string',
    summary: 'Credentials file for NATS; default: UTASK_CREDS',
    value: 'file',
    group,
    complete: 'file',
  },
  context: {
    type: 'string',
    summary: 'nats context that contains the server address; default: NATS_CONTEXT',
    value: 'name',
    group,
  },
  replicas: {
    type: 'integer',
    summary: 'Number of NATS servers that store the tasks; default: unchanged, or 1 for a new list',
    value: 'count',
    min: 1,
    max: 5,
    group,
  },
  embedded: { type: 'boolean', summary: 'Use the database on this machine even if a NATS server is configured', group },
} as const;

export interface UtaskContext {
  readonly options: ConnectionFlags;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly note: (text: string) => void;
}

/** Binds an operation to a command; loads the store only when the command runs. */
export const command = commandsFor<UtaskHost>({
  shared: sharedOptions,
  open: async () => (await import('./with-utask.ts')).withUtask,
});

type ShownTask = Pick<Task, 'id' | 'text' | 'done' | 'tags' | 'created' | 'completed' | 'source'> & TaskDetails;

/**
 * Returns a line in the format of utask's design document: `2f8c8a3c9a12 Buy milk [errand,shopping]`. Few styles keep
 * long lists fast.
 */
export function taskLine(task: ShownTask): Text {
  const { id, text, tags, done } = task;
  const now = systemClock();
  const state = stateOf(task, now);
  const words = text.includes('\n') ? text.replaceAll(/\s*\n\s*/g, ' ⏎ ') : text;
  const shown = done ? style.dim(`  ${words}`) : `  ${words}`;
  const pieces: Text[] = [style.yellow(shortId(id)), shown];
  if (tags.length > 0) pieces.push(style.cyan(`  [${tags.join(',')}]`));
  const { due, priority, project, notes = [] } = detailsOf(task);
  if (due !== undefined) {
    const isOverdue = !done && dueDay(due) < localDay(now);
    pieces.push((isOverdue ? style.red : style.magenta)(`  due ${dueDay(due, { withTime: true })}`));
  }
  if (priority !== undefined) pieces.push(style.bold(`  priority ${shownPriority(priority)}`));
  if (project !== undefined) pieces.push(style.cyan(`  project ${project}`));
  if (notes.length > 0) pieces.push(style.dim(`  ${notes.length} note${notes.length === 1 ? '' : 's'}`));
  if (state !== 'open') pieces.push((state === 'done' ? style.green : style.dim)(`  ${state}`));
  return pieces;
}

export function matched(verb: string, id: string): string {
  return `${verb} (matched id ${abbreviatedId(id)})`;
}
