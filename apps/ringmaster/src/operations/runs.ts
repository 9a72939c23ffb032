import * as f from '@holdfast/operation';

import { ringmasterErrors } from '../model/errors.ts';
import type { Starting } from '../service/run/supervisors.ts';
import { defineOperation, MANAGE, NOT_A_TOOL, PEOPLE_ONLY, READ, WRITE } from './fields.ts';

export const supervisorObject = f.object({
  pid: f.integer('Process id'),
  slots: f.integer('Maximum number of workers at once'),
  started_at: f.text(),
  started_by: f.text('Person who started the workers'),
  state: f.choice(['running', 'stopping', 'died'], 'died: the process ended without stopping its work properly'),
});
export type ShownSupervisor = f.ValueOf<typeof supervisorObject>;

const supervisors = f.object({ data: f.list(supervisorObject) });

const programsObject = f.object({
  settings: f.text('Version of the settings; run.start needs it to start exactly these programs'),
  slots: f.integer('Default number of workers at once, from ringmaster.toml'),
  drain_seconds: f.number('Time that running workers get to finish after a request to stop'),
  programs: f.list(f.object({ purpose: f.text(), command: f.list(f.text()) })),
});
export type RunPrograms = f.ValueOf<typeof programsObject>;

export const listPrograms = defineOperation({
  name: 'run.programs',
  summary: 'List the programs that a run would start',
  permission: READ,
  input: {},
  output: programsObject,
  absent: { cli: 'ringmaster.toml lists them, and run --dry-run shows the next ones', mcp: NOT_A_TOOL },
  run: async () => (await import('../service/run/supervisors.ts')).runPrograms,
});

export const startRun = f.operationsOf<Starting>()({
  name: 'run.start',
  summary:
    'Start the workers defined in ringmaster.toml in a separate process, which keeps running if the server stops',
  permission: MANAGE,
  input: {
    settings: f.text('Version of the settings that the caller has seen', { min: 1, max: 100 }),
    slots: f.optional(
      f.integer('Maximum number of workers at once; default: from ringmaster.toml', { min: 1, max: 100 }),
    ),
  },
  output: supervisors,
  errors: [
    ringmasterErrors.RUN_ACTIVE,
    ringmasterErrors.RUN_SETTINGS_CHANGED,
    ringmasterErrors.RUN_NOT_STARTED,
    ringmasterErrors.NO_WORKERS,
  ],
  absent: { cli: 'ringmaster run runs the workers in the terminal', mcp: NOT_A_TOOL },
  run: async () => (await import('../service/run/supervisors.ts')).startRun,
});

export const stopRun = defineOperation({
  name: 'run.stop',
  summary: 'Stop the workers: start nothing new, and give running workers time to finish',
  permission: WRITE,
  input: {},
  output: supervisors,
  errors: [ringmasterErrors.RUN_NOT_ACTIVE],
  absent: PEOPLE_ONLY,
  run: async () => (await import('../service/run/supervisors.ts')).stopRun,
});
