/** Operations for `ringmaster run --server`: supervisors on other machines. */
import * as f from '@holdfast/operation';

import { failureClasses, parkKinds } from '../model/attempt.ts';
import { ringmasterErrors } from '../model/errors.ts';
import { workerTypes } from '../model/presets.ts';
import { reviews } from '../model/project-settings.ts';
import { finishKinds } from '../worker/next-step.ts';
import { defineOperation, NOT_A_TOOL, project } from './fields.ts';

/** Permission to claim tasks and to change tasks that the caller has claimed, but no other tasks. */
const WORK = 'app:ringmaster-machines:write';
const absent = { cli: "'ringmaster run --server' calls it", mcp: NOT_A_TOOL } as const;

/**
 * The key proves that an attempt belongs to the machine. The attempt's token proves nothing, because tokens can be
 * guessed.
 */
const machine = {
  machine: f.text('Name of the machine', { min: 1, max: 60 }),
  key: f.text('Secret that the machine chose when it first ran', { min: 32, max: 128 }),
} as const;
const token = f.integer('Token of the attempt, from the claim', { min: 1 });
const command = f.list(f.text(undefined, { max: 4_096 }), { max: 100 });
const attemptErrors = [ringmasterErrors.ATTEMPT_NOT_FOUND, ringmasterErrors.STALE_TOKEN] as const;

const claimInput = {
  ...machine,
  worker: f.text('Name of the worker', { min: 1, max: 50 }),
  type: f.choice(workerTypes, 'Type of the worker'),
  capabilities: f.list(f.text(undefined, { max: 200 }), { max: 100 }),
  max_concurrent: f.integer('Maximum number of tasks at once', { min: 1, max: 1_000 }),
  test_command: command,
  review_command: command,
  held: f.list(f.integer(), {
    summary: "Tokens that the machine knows; the worker's attempts with any other token are released",
    max: 1_000,
  }),
  project,
} as const;
export type MachineClaim = f.GivenObject<typeof claimInput>;

const workObject = f.object({
  token: f.integer(),
  attempt: f.integer('Number of the attempt', { min: 1 }),
  task: f.object({ id: f.text(), project_id: f.text(), title: f.text(), model: f.nullable(f.text()) }),
  brief: f.text('What the worker has to know, as Markdown'),
  branch: f.text('Branch of the remote repository, which the server has created for this attempt'),
  base_commit: f.text('Commit that the changes are compared with'),
  from_commit: f.text('First commit of the branch, with the work of earlier attempts'),
  git_remote: f.nullable(f.text('Address of the remote repository; null if it is a path on the server')),
  review: f.choice(reviews),
  lease_seconds: f.number('Send the next heartbeat within this time'),
});
export type MachineWork = f.ValueOf<typeof workObject>;

export const claimForMachine = defineOperation({
  name: 'machine.claim',
  summary: 'Claim a task for a worker on another machine, and create the branch of the attempt',
  permission: WORK,
  input: claimInput,
  output: f.object({
    work: f.nullable(workObject),
    reason: f.nullable(f.text('Why no task was claimed; null if a task was claimed')),
  }),
  errors: [ringmasterErrors.PROJECT_NOT_FOUND, ringmasterErrors.ID_INVALID, ringmasterErrors.WORKER_UNAVAILABLE],
  absent,
  run: async () => (await import('../service/machines.ts')).claimForMachine,
});

const heartbeatInput = { ...machine, token } as const;
export type MachineHeartbeat = f.GivenObject<typeof heartbeatInput>;

export const heartbeatOfMachine = defineOperation({
  name: 'machine.heartbeat',
  summary: 'Extend the lease of an attempt on another machine; stop working if the reply has cancel: true',
  permission: WORK,
  input: heartbeatInput,
  output: f.object({ cancel: f.boolean() }),
  errors: attemptErrors,
  absent,
  run: async () => (await import('../service/machines.ts')).heartbeatOfMachine,
});

const PIECE_MAX = 262_144;
const TURNS_MAX = 1_000;
const outputInput = {
  ...machine,
  token,
  turn: f.integer('Number of the turn in this attempt', { min: 1, max: TURNS_MAX }),
  offset: f.integer('Bytes of the log that the server already has', { min: 0 }),
  text: f.text('The next part of the log', { max: PIECE_MAX, allowsNul: true }),
  ended: f.optional(
    f.object({
      result: f.text('Result of the turn', { max: 50 }),
      exit_code: f.nullable(f.integer()),
      failure: f.nullable(f.text(undefined, { max: 65_536 })),
      cost_usd: f.nullable(f.number(undefined, { min: 0 })),
      input_tokens: f.nullable(f.integer(undefined, { min: 0 })),
      output_tokens: f.nullable(f.integer(undefined, { min: 0 })),
    }),
  ),
} as const;
export type MachineOutput = f.GivenObject<typeof outputInput>;

export const outputOfMachine = defineOperation({
  name: 'machine.output',
  summary: 'Append to the log of a turn on another machine, and end the turn',
  description:
    'The server appends the text only if its log has exactly `offset` bytes. The reply says how many it has.',
  permission: WORK,
  input: outputInput,
  output: f.object({ bytes: f.integer('Size of the log on the server') }),
  errors: attemptErrors,
  absent,
  run: async () => (await import('../service/machines.ts')).outputOfMachine,
});

const finishInput = {
  ...machine,
  token,
  kind: f.choice(finishKinds, 'How the attempt ended'),
  text: f.optional(f.text('Reason, question or note', { max: 65_536 })),
  failure_class: f.optional(f.choice(failureClasses)),
  park: f.optional(f.choice(parkKinds, 'Problem with the worker itself')),
  head_commit: f.nullable(f.text('Last commit of the branch; null if there was no worktree', { max: 64 })),
} as const;
export type MachineFinish = f.GivenObject<typeof finishInput>;

export const finishForMachine = defineOperation({
  name: 'machine.finish',
  summary: 'Report the result of an attempt on another machine, after its branch was pushed',
  permission: WORK,
  input: finishInput,
  output: f.object({ task_id: f.text(), status: f.text('Status of the task') }),
  errors: [...attemptErrors, ringmasterErrors.BRANCH_NOT_ARRIVED],
  absent,
  run: async () => (await import('../service/machines.ts')).finishForMachine,
});
