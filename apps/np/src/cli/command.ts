import { commandsFor } from '@holdfast/cli';
import { commandLine } from '../adapters/files.ts';
import type { SessionTarget } from '../service/np.ts';

/** Options that all commands share. They choose the session. */
export const sharedOptions = {
  session: {
    type: 'string',
    summary: "Use this session instead of the directory's session",
    value: 'sid',
    group: 'Session',
    complete: async () => ({ complete: (await import('./complete.ts')).completeSession }),
  },
  dir: {
    type: 'string',
    summary: 'Use this directory instead of the current one',
    value: 'path',
    group: 'Session',
    complete: 'directory',
  },
  actor: {
    type: 'string',
    summary: 'Name of the person or agent that makes the change',
    value: 'name',
    env: 'NP_ACTOR',
    group: 'Session',
  },
  server: {
    type: 'string',
    summary: 'Use the plans on this server; set HOLDFAST_TOKEN to an access token',
    value: 'url',
    env: 'NP_SERVER',
    group: 'Session',
  },
} as const;

export interface TargetOptions {
  readonly session?: string | undefined;
  readonly dir?: string | undefined;
  readonly actor?: string | undefined;
  readonly server?: string | undefined;
}

/** Binds an operation to a command; loads the store only when the command runs. */
export const command = commandsFor<SessionTarget>({
  shared: sharedOptions,
  open: async () => (await import('./with-np.ts')).withNp,
  remote: ({ options, env }) =>
    options['server'] === undefined
      ? undefined
      : import('./remote.ts').then(({ remoteRun }) => remoteRun(options, env)),
  // Without --actor, the name is empty. The operating system's user would be misleading, because one user may run many
  // agents.
  caller: ({ options: { actor } }) => ({ via: commandLine('np'), name: typeof actor === 'string' ? actor : '' }),
});
