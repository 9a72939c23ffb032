import { commandsFor, type OptionSpecs } from '@holdfast/cli';

import type { Ringmaster } from '../service/ringmaster.ts';

export const shared = {
  dir: {
    type: 'string',
    summary: 'Workspace directory; default: the nearest workspace at or above the current directory',
    value: 'path',
    complete: 'directory',
  },
  project: {
    type: 'string',
    summary: 'Project id; required if there are several projects',
    short: 'p',
    value: 'id',
    env: 'RINGMASTER_PROJECT',
  },
  actor: { type: 'string', summary: 'Your name in the event log', value: 'name', env: 'RINGMASTER_ACTOR' },
} as const satisfies OptionSpecs;

export const command = commandsFor<Ringmaster>({
  shared,
  open: async () => (await import('./with-ringmaster.ts')).withRingmaster,
});

export const completeTask = () => import('./with-ringmaster.ts');
