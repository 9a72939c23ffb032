import type { Column } from '@holdfast/cli';

interface Shown {
  readonly id: string;
  readonly title: string;
  readonly type: string;
  readonly priority: string;
  readonly status?: string;
  readonly combined_priority: number;
}

export const taskColumns: readonly Column<Shown>[] = [
  { heading: 'ID', value: ({ id }) => id },
  { heading: 'PRI', value: ({ priority }) => priority },
  { heading: 'SCORE', value: ({ combined_priority }) => combined_priority.toFixed(3), align: 'right' },
  { heading: 'STATUS', value: ({ status = 'ready' }) => status },
  { heading: 'TYPE', value: ({ type }) => type },
  { heading: 'TITLE', value: ({ title }) => title, flexible: true },
];
