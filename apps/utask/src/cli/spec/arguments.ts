const completeId = () => import('../complete-id.ts');
export const completeTag = () => import('../complete-tag.ts');

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

const tagFilter = { type: 'string', value: 'a,b', multiple: true, complete: completeTag } as const;

export const filterOptions = {
  any: { ...tagFilter, summary: 'Only tasks with at least one of these tags' },
  all: { ...tagFilter, summary: 'Only tasks with every one of these tags' },
} as const;
