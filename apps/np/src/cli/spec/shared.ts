/** Options of all commands: which session is meant. */
export const sharedOptions = {
  session: {
    type: 'string',
    summary: 'Use this session instead of the one of the directory',
    value: 'sid',
    group: 'Which session',
    complete: () => import('../complete-session.ts'),
  },
  dir: {
    type: 'string',
    summary: 'Use this directory instead of the current one',
    value: 'path',
    group: 'Which session',
    complete: 'directory',
  },
} as const;
