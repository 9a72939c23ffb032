import { describe, expect, it } from 'vitest';

import type { PlanEvent } from '../../api/types.ts';
import { appendEvents } from './append-events.ts';

const event = (seq: number): PlanEvent => ({
  seq,
  at: '2026-01-01T00:00:00.000Z',
  type: 'session_archived',
  reason: null,
  cmd: 'np a',
  payload: { sid: 's', dir_path: '/', archived_at: '2026-01-01T00:00:00.000Z' },
});

const log = (...pages: readonly (readonly number[])[]) => ({
  pages: pages.map((seqs) => ({ data: seqs.map(event), next_cursor: null })),
  pageParams: pages.map(() => undefined),
});

const numbers = (pages: ReturnType<typeof appendEvents>) => pages?.pages.map(({ data }) => data.map(({ seq }) => seq));

describe('events that arrive', () => {
  it('come first, in order, each once, and leave older pages alone', () => {
    const known = log([5, 4], [3, 2]);
    expect(numbers(appendEvents(known, [event(7), event(5), event(6)]))).toEqual([
      [7, 6, 5, 4],
      [3, 2],
    ]);
    expect(numbers(appendEvents(known, [event(4)]))).toEqual([
      [5, 4],
      [3, 2],
    ]);
  });

  it('are not shown beside a gap: then the log is read again', () => {
    expect(appendEvents(log([5, 4]), [event(8)])).toBeUndefined();
    expect(appendEvents(log(), [event(0)])).toBeUndefined();
  });
});
