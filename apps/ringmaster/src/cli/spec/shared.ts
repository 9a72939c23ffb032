/** What every command knows. */
export const shared = {
  dir: { type: 'string', summary: 'Work on the project in this directory', value: 'path', complete: 'directory' },
  project: {
    type: 'string',
    summary: 'Which project, if there are several',
    short: 'p',
    value: 'id',
    env: 'RINGMASTER_PROJECT',
  },
  actor: { type: 'string', summary: 'Who does this, for the log', value: 'name', env: 'RINGMASTER_ACTOR' },
} as const;

export const taskArgument = {
  name: 'task',
  summary: 'Id of the task',
  complete: () => import('../complete-task.ts'),
} as const;

export const priorityOption = {
  type: 'string',
  summary: 'P0 is urgent, P4 can wait',
  choices: ['P0', 'P1', 'P2', 'P3', 'P4'],
} as const;
