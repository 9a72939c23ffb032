import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { FileEvent } from './event.ts';
import { backoffMs } from './failure.ts';
import { type Operation, pathsOf } from './operation.ts';
import { isBelow, type NotebookPath, pathKey } from './path.ts';
import { selectGroup, selectRequests } from './select-group.ts';

const at = (text: string): NotebookPath => text as NotebookPath;

function event(id: number, operation: Operation, more: Partial<FileEvent> = {}): FileEvent {
  const [path, dest] = pathsOf(operation);
  return {
    id,
    notebook_id: 1,
    event_type: operation.type,
    status: 'pending',
    operation: JSON.stringify(operation),
    correlation_id: null,
    sequence: 0,
    created_at: '',
    processed_at: null,
    error_message: null,
    retry_count: 0,
    path: path ?? null,
    path_key: path === undefined ? null : pathKey(path),
    dest_path: dest ?? null,
    dest_key: dest === undefined ? null : pathKey(dest),
    file_id: 'file_id' in operation ? (operation.file_id ?? null) : null,
    author: 'Ada',
    content_hash: null,
    content_size: null,
    content: null,
    effective: null,
    superseded_by: null,
    error_code: null,
    run_at: 0,
    started_at: null,
    fence: null,
    idempotency_key: null,
    request_hash: null,
    result: null,
    commit_sha: null,
    change_seq: id,
    ...more,
  };
}

const create = (path: string): Operation => ({
  type: 'create',
  kind: 'file',
  path: at(path),
  file_id: `id-${path}`,
  staged: { hash: path, size: 1 },
});
const update = (path: string, hash = 'x'): Operation => ({
  type: 'update',
  path: at(path),
  file_id: `id-${path}`,
  staged: { hash, size: 1 },
});
const move = (from: string, to: string): Operation => ({
  type: 'move',
  kind: 'folder',
  source_path: at(from),
  dest_path: at(to),
});
const ids = (events: readonly FileEvent[], now = 0, limit = 50): readonly number[] =>
  selectGroup(events, now, limit).group.map((chosen) => chosen.event.id);

describe('what may be worked on together', () => {
  it('is in order of publication, whatever the batches are called', () => {
    const events = [
      event(1, create('a')),
      event(2, create('b'), { correlation_id: 'zz' }),
      event(3, create('c'), { correlation_id: 'aa' }),
    ];
    expect(ids(events)).toEqual([1, 2, 3]);
  });

  it('leaves out what lies within something earlier, and everything after it on the way', () => {
    expect(
      ids([event(1, move('d', 'e')), event(2, create('d/x')), event(3, create('e/y')), event(4, create('f'))]),
    ).toEqual([1, 4]);
    expect(ids([event(1, create('a')), event(2, move('a', 'b')), event(3, create('b/c'))])).toEqual([1]);
  });

  it('lets only what depends on it wait for another try, and tells when that is', () => {
    const waiting = event(1, update('a'), { run_at: 500, retry_count: 1 });
    const selection = selectGroup([waiting, event(2, update('a')), event(3, update('b'))], 100, 50);
    expect(selection.group.map((chosen) => chosen.event.id)).toEqual([3]);
    expect(selection.nextRunAt).toBe(500);
  });

  it('takes the operations of a batch one after the other', () => {
    const batch = { correlation_id: 'b' };
    const events = [
      event(1, create('a'), batch),
      event(2, create('b'), { ...batch, sequence: 1 }),
      event(3, create('c')),
    ];
    expect(ids(events)).toEqual([1, 3]);
  });

  it('folds what follows on the same file, of the same author and outside of batches', () => {
    const both = selectGroup([event(1, create('a')), event(2, update('a', 'h2'))], 0, 50);
    expect(both.group).toMatchObject([
      { event: { id: 2 }, absorbed: [1], operation: { type: 'create', staged: { hash: 'h2' } } },
    ]);
    expect(ids([event(1, update('a')), event(2, update('a'), { author: 'Bob' })])).toEqual([1]);
    expect(ids([event(1, update('a'), { correlation_id: 'x' }), event(2, update('a'))])).toEqual([1]);
    // Does not fold across another operation on the same file.
    expect(ids([event(1, update('a')), event(2, move('a', 'b')), event(3, update('a'))])).toEqual([1]);
    // Does not fold an update into a delete, because the trash must hold the last version.
    const remove: Operation = { type: 'delete', kind: 'file', path: at('a'), file_id: 'id-a' };
    expect(ids([event(1, update('a')), event(2, remove)])).toEqual([1]);
  });

  it('does not spell one folder in two ways', () => {
    expect(ids([event(1, create('Notes/a')), event(2, create('notes/b'))])).toEqual([1]);
  });

  it('commits once everything before is done, and holds nobody up', () => {
    const commit: Operation = { type: 'batch_commit' };
    expect(selectGroup([event(1, commit), event(2, create('a'))], 0, 50)).toMatchObject({
      commit: { id: 1 },
      group: [{ event: { id: 2 } }],
    });
    expect(selectGroup([event(1, create('a')), event(2, commit)], 0, 50).commit).toBeUndefined();
  });

  it('never holds two that are in each other’s way, nor one that overtakes', () => {
    const name = fc.constantFrom('a', 'a/b', 'a/b/c', 'a/d', 'e', 'E', 'f/g');
    const operation: fc.Arbitrary<Operation> = fc.oneof(
      name.map(create),
      name.map((path) => update(path)),
      fc.tuple(name, name).map(([from, to]) => move(from, to)),
      name.map((path): Operation => ({ type: 'sync', path: at(path), event: 'look' })),
    );
    const events = fc
      .array(fc.tuple(operation, fc.boolean()), { maxLength: 12 })
      .map((given) =>
        given.map(([each, waits], index) => event(index + 1, each, waits ? { run_at: 999, retry_count: 1 } : {})),
      );
    const keys = ({ path_key, dest_key }: FileEvent): string[] => [path_key, dest_key].filter((key) => key !== null);
    const collide = (left: FileEvent, right: FileEvent): boolean =>
      keys(left).some((one) => keys(right).some((two) => one === two || isBelow(one, two) || isBelow(two, one)));
    fc.assert(
      fc.property(events, (all) => {
        const { group } = selectGroup(all, 0, 50);
        const done = new Set(group.flatMap((chosen) => [chosen.event.id, ...chosen.absorbed]));
        for (const { event: chosen, absorbed } of group) {
          const earlier = all.filter(({ id }) => id < chosen.id && !absorbed.includes(id));
          expect(earlier.filter((other) => collide(other, chosen))).toEqual([]);
        }
        // The first event that is due always runs, unless it conflicts.
        const first = all.find(({ run_at }) => run_at === 0);
        const isFree = first !== undefined && all.every((other) => other.id >= first.id || !collide(other, first));
        if (isFree) expect(done.has(first.id)).toBe(true);
      }),
      { numRuns: 3_000 },
    );
  });
});

describe('the wait before another try', () => {
  it('is anything up to a limit that doubles and is bounded', () => {
    expect(backoffMs(1, 1_000, 60_000, () => 0.999)).toBeLessThanOrEqual(1_000);
    expect(backoffMs(3, 1_000, 60_000, () => 1)).toBe(4_000);
    expect(backoffMs(20, 1_000, 60_000, () => 1)).toBe(60_000);
    expect(backoffMs(5, 1_000, 60_000, () => 0)).toBe(0);
  });
});

it('requests go before changes by other programs, except those on the same path', () => {
  const sync = (id: number, path: string): FileEvent => event(id, { type: 'sync', path: at(path), event: 'look' });
  const created = (id: number, path: string): FileEvent =>
    event(id, { type: 'create', kind: 'file', path: at(path), file_id: String(id) });
  const waiting = [sync(1, 'a.md'), sync(2, 'b.md'), created(3, 'a.md'), created(4, 'c.md')];
  expect(selectRequests(waiting, 0, 10).group.map((chosen) => chosen.event.id)).toEqual([4]);
});
