import type { Condition, SmartQuery } from '../../../api/types.ts';

interface FieldKind {
  readonly label: string;
  readonly ops: readonly string[];
  readonly input: 'text' | 'number' | 'date' | 'state';
  readonly unit?: string;
}

export const comparisons: Readonly<Record<string, string>> = {
  is: 'is',
  is_not: 'is not',
  contains: 'contains',
  starts: 'starts with',
  more: 'is more than',
  less: 'is less than',
  in_last_days: 'in the last',
  after: 'after',
  before: 'before',
};

export const fields: Readonly<Record<string, FieldKind>> = {
  author: { label: 'Author', ops: ['is', 'is_not'], input: 'text' },
  narrator: { label: 'Narrator', ops: ['is', 'is_not'], input: 'text' },
  series: { label: 'Series', ops: ['is', 'is_not'], input: 'text' },
  genre: { label: 'Genre', ops: ['is', 'is_not'], input: 'text' },
  tag: { label: 'Tag', ops: ['is', 'is_not'], input: 'text' },
  language: { label: 'Language', ops: ['is', 'is_not'], input: 'text' },
  title: { label: 'Title', ops: ['contains', 'starts', 'is'], input: 'text' },
  state: { label: 'Status', ops: ['is', 'is_not'], input: 'state' },
  duration: { label: 'Length', ops: ['more', 'less', 'is'], input: 'number', unit: 'minutes' },
  year: { label: 'Year', ops: ['more', 'less', 'is'], input: 'number' },
  added: { label: 'Added', ops: ['in_last_days', 'after', 'before'], input: 'date' },
};

export const states = [
  { value: 'unstarted', label: 'not started' },
  { value: 'started', label: 'in progress' },
  { value: 'finished', label: 'finished' },
];

/** A query that is being edited: every value is text until it is sent. */
export interface Draft {
  readonly match: 'all' | 'any';
  readonly conditions: readonly DraftCondition[];
  readonly sort: SmartQuery['sort'];
  readonly limit: string;
}

export interface DraftCondition {
  readonly id: number;
  readonly field: string;
  readonly op: string;
  readonly value: string;
}

export function inputOf({ field, op }: Pick<DraftCondition, 'field' | 'op'>): FieldKind['input'] {
  return op === 'in_last_days' ? 'number' : (fields[field]?.input ?? 'text');
}

export function unitOf({ field, op }: Pick<DraftCondition, 'field' | 'op'>): string | undefined {
  return op === 'in_last_days' ? 'days' : fields[field]?.unit;
}

let lastId = 0;

export function newCondition(field: string = 'author'): DraftCondition {
  lastId += 1;
  return { id: lastId, field, op: fields[field]?.ops[0] ?? 'is', value: field === 'state' ? 'unstarted' : '' };
}

/** Applies a change to a condition. Keeps the value if the changed condition still accepts it. */
export function changed(condition: DraftCondition, change: Partial<DraftCondition>): DraftCondition {
  const next = { ...condition, ...change };
  const ops = fields[next.field]?.ops ?? [];
  const op = ops.includes(next.op) ? next.op : (ops[0] ?? 'is');
  const isSameKind = inputOf({ ...next, op }) === inputOf(condition);
  const value = change.value ?? (isSameKind ? next.value : inputOf({ ...next, op }) === 'state' ? 'unstarted' : '');
  return { ...next, op, value };
}

export function draftOf(query: SmartQuery): Draft {
  const conditions = (query.any ?? query.all ?? []).map(({ field, op, value }) => ({
    ...newCondition(field),
    op,
    value: String(value),
  }));
  return {
    match: query.any === undefined ? 'all' : 'any',
    conditions,
    sort: query.sort,
    limit: String(query.limit ?? ''),
  };
}

/** Returns the query; undefined while a value is missing. */
export function queryOf({ match, conditions, sort, limit }: Draft): SmartQuery | undefined {
  const asked: Condition[] = [];
  for (const condition of conditions) {
    const value = condition.value.trim();
    const isNumber = inputOf(condition) === 'number';
    if (value === '' || (isNumber && !Number.isFinite(Number(value)))) return undefined;
    // The cast is safe, because the form offers only the comparisons and values that each field has.
    asked.push({ field: condition.field, op: condition.op, value: isNumber ? Number(value) : value } as Condition);
  }
  const most = limit.trim() === '' ? null : Number(limit);
  if (most !== null && !(Number.isInteger(most) && most > 0)) return undefined;
  return match === 'all' ? { all: asked, sort, limit: most } : { any: asked, sort, limit: most };
}

/** `Author is Jane Austen and Status is not finished` */
export function queryText(query: SmartQuery | null): string {
  if (query === null) return 'Manual order';
  const conditions = query.any ?? query.all ?? [];
  if (conditions.length === 0) return 'All books';
  return conditions
    .map(({ field, op, value }) => {
      const shown = states.find((state) => field === 'state' && state.value === value)?.label ?? String(value);
      const unit = unitOf({ field, op });
      return `${fields[field]?.label ?? field} ${comparisons[op] ?? op} ${shown}${unit === undefined ? '' : ` ${unit}`}`;
    })
    .join(query.any === undefined ? ' and ' : ' or ');
}
