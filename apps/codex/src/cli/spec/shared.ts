/** Options of every codex command. */
export const shared = {
  notebook: { type: 'string', summary: 'Name or number of the notebook', short: 'n', value: 'notebook' },
  timeout: { type: 'number', summary: 'Seconds to wait for an operation; 60 if left out', value: 'seconds', min: 0 },
} as const;
