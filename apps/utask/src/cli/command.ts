import { systemClock, toTimestamp } from '@holdfast/base';
import { commandsFor, style, type Text } from '@holdfast/cli';
import type { ConnectionFlags } from '../adapters/configuration.ts';
import { abbreviatedId, shortId, stateOf, type Task } from '../model/task.ts';
import type { UtaskHost } from '../service/undo.ts';

const group = 'Task storage';

/** Options of all commands: they choose the store. */
export const sharedOptions = {
  natsUrl: {
    type: 'string',
    summary: 'NATS server with the tasks; default: UTASK_NATS_URL, else this machine',
    value: 'url',
    group,
  },
  profile: { type: 'string', summary: 'Use a separate task list; default: UTASK_PROFILE', value: 'name', group },
  creds: {
    type: 'string',
    summary: 'Credentials file for NATS; default: UTASK_CREDS',
    value: 'file',
    group,
    complete: 'file',
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

type ShownTask = Pick<Task, 'id' | 'text' | 'done' | 'tags' | 'created' | 'completed' | 'source'>;

/** Line as in the design document: `2f8c8a3c9a12  Buy milk  [errand,shopping]`. Few styles keep long lists fast. */
export function taskLine(task: ShownTask): Text {
  const { id, text, tags, done } = task;
  const state = stateOf(task, toTimestamp(systemClock()));
  const words = text.includes('\n') ? text.replaceAll(/\s*\n\s*/g, ' ⏎ ') : text;
  const shown = done ? style.dim(`  ${words}`) : `  ${words}`;
  const pieces: Text[] = [style.yellow(shortId(id)), shown];
  if (tags.length > 0) pieces.push(style.cyan(`  [${tags.join(',')}]`));
  if (state !== 'open') pieces.push((state === 'done' ? style.green : style.dim)(`  ${state}`));
  return pieces;
}

export function matched(verb: string, id: string): string {
  return `${verb} (matched id ${abbreviatedId(id)})`;
}
