import { commandsFor } from '@holdfast/cli';
import { commandLine } from '../adapters/files.ts';
import type { SessionTarget } from '../service/np.ts';

/** Options of all commands: they choose the session. */
export const sharedOptions = {
  session: {
    type: 'string',
    summary: "Use this session instead of the directory's session",
    value: 'sid',
    group: 'Session',
    complete: async () => ({ complete: (await import('./with-np.ts')).completeSession }),
  },
  dir: {
    type: 'string',
    summary: 'Use this directory instead of the current one',
    value: 'path',
    group: 'Session',
    complete: 'directory',
  },
} as const;

export interface TargetOptions {
  readonly session?: string | undefined;
  readonly dir?: string | undefined;
}

/** Binds an operation to a command; loads the store only when the command runs. */
export const command = commandsFor<SessionTarget>({
  shared: sharedOptions,
  open: async () => (await import('./with-np.ts')).withNp,
  caller: () => ({ via: commandLine('np') }),
});
