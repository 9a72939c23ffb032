import { describe, expect, it } from 'vitest';

import type { Change, Commit } from '../../api/types.ts';
import { relationsOf } from './relations.ts';

const change = (key: string, before: string | null, after: string | null): Change => ({
  operation: before === null ? 'insert' : after === null ? 'delete' : 'update',
  key,
  before,
  after,
});

const commit = (revision: number, ...changes: Change[]): Commit => ({
  database: 'np',
  revision,
  at: '2026-01-01T00:00:00.000Z',
  note: null,
  total: changes.length,
  changes,
});

const task = 's/S/task/T';
const commits = [
  commit(2, change('s/S/idx/status/pending/T', '', null), change('s/S/idx/status/completed/T', null, '')),
  commit(
    1,
    change(task, null, '{}'),
    change('s/S/idx/status/pending/T', null, ''),
    change('s/S/idx/task_order/0001', null, 'T'),
    change('s/S/idx/status/pending/OTHER', null, ''),
  ),
];

describe('what belongs to a record', () => {
  it('are the index keys that lead to it now, and no others', () => {
    const relations = { record: task, indexes: ['s/S/idx/status/completed/T', 's/S/idx/task_order/0001'] };
    expect(relationsOf('np', { text: task, value: '{}' }, commits)).toEqual(relations);
    expect(relationsOf('np', { text: 's/S/idx/status/completed/T', value: '' }, commits)).toEqual(relations);
  });

  it('is itself, when nothing leads there', () => {
    expect(relationsOf('np', { text: 'meta/schema_version', value: '1' }, commits)).toEqual({
      record: 'meta/schema_version',
      indexes: [],
    });
  });
});
