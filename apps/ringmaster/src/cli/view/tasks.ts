import type { Column } from '@holdfast/cli';

interface Shown {
  readonly id: string;
  readonly title: string;
  readonly type: string;
  readonly priority: string;
  readonly status?: string;
  readonly combined_priority: number;
  /** False for what is ready by itself but waits for others. */
  readonly is_ready?: boolean;
}

export const taskColumns: readonly Column<Shown>[] = [
  { heading: 'ID', value: ({ id }) => id },
  { heading: 'PRI', value: ({ priority }) => priority },
  { heading: 'SCORE', value: ({ combined_priority }) => combined_priority.toFixed(3), align: 'right' },
  { heading: 'STATUS', value: statusWord },
  { heading: 'TYPE', value: ({ type }) => type },
  { heading: 'TITLE', value: ({ title }) => title, flexible: true },
];

function statusWord({ status = 'ready', is_ready: isReady = true }: Shown): string {
  return status === 'ready' && !isReady ? 'waiting' : status;
}
