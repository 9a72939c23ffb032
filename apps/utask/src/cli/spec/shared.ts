/** Where the tasks are; read by all commands. */
export const sharedOptions = {
  natsUrl: {
    type: 'string',
    summary: 'NATS server that has the tasks; UTASK_NATS_URL, else this machine',
    value: 'url',
    group: 'Where the tasks are',
  },
  profile: {
    type: 'string',
    summary: 'Use a task list of its own; UTASK_PROFILE',
    value: 'name',
    group: 'Where the tasks are',
  },
  creds: {
    type: 'string',
    summary: 'Credentials file for NATS; UTASK_CREDS',
    value: 'file',
    group: 'Where the tasks are',
    complete: 'file',
  },
  embedded: {
    type: 'boolean',
    summary: 'Use the database on this machine, whatever is configured',
    group: 'Where the tasks are',
  },
} as const;
