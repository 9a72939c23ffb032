import { commandsFor } from '@holdfast/cli';
import type { ConnectionFlags } from '../adapters/configuration.ts';
import type { UtaskHost } from '../service/undo.ts';

const group = 'Where the tasks are';

/** Options of all commands: the store that has the tasks. */
export const sharedOptions = {
  natsUrl: {
    type: 'string',
    summary: 'NATS server with the tasks; default: UTASK_NATS_URL, else this machine',
    value: 'url',
    group,
  },
  profile: { type: 'string', summary: 'Use a separate task list; UTASK_PROFILE', value: 'name', group },
  creds: { type: 'string', summary: 'Credentials file for NATS; UTASK_CREDS', value: 'file', group, complete: 'file' },
  embedded: { type: 'boolean', summary: 'Use the database on this machine, whatever is configured', group },
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
