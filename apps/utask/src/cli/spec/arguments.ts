const completeId = () => import('../complete-id.ts');

export const prefix = {
  name: 'prefix',
  summary: 'Id of a task, or its first characters',
  complete: completeId,
} as const;

export const prefixes = {
  name: 'prefix',
  summary: 'Ids of tasks, or their first characters',
  variadic: true,
  complete: completeId,
} as const;

export const filterOptions = {
  any: { type: 'string', summary: 'Only tasks with at least one of these tags', value: 'a,b', multiple: true },
  all: { type: 'string', summary: 'Only tasks with every one of these tags', value: 'a,b', multiple: true },
} as const;
