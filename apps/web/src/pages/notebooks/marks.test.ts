import { describe, expect, it } from 'vitest';

import type { CodexEvent } from '../../api/types.ts';
import { marksOf } from './marks.ts';
import { recentChanges } from './notebook-overview.tsx';

function event(id: number, change: Partial<CodexEvent>): CodexEvent {
  return {
    id,
    notebook_id: 1,
    event_type: 'update',
    status: 'completed',
    operation: {},
    correlation_id: null,
    sequence: 0,
    created_at: '2026-01-01T00:00:00Z',
    started_at: null,
    processed_at: `2026-01-01T00:00:0${id}Z`,
    error_code: null,
    error_message: null,
    retry_count: 0,
    run_at: null,
    path: 'a.md',
    dest_path: null,
    file_id: 'A',
    author: 'ada',
    superseded_by: null,
    result: {},
    commit_sha: 'c0ffee',
    ...change,
  };
}

describe('what is said of a file', () => {
  it('is that of its newest operation', () => {
    const kind = (...events: readonly CodexEvent[]) => marksOf(events).get('a.md')?.kind;
    expect(kind(event(1, {}))).toBeUndefined();
    expect(kind(event(1, { commit_sha: null }))).toBe('uncommitted');
    expect(kind(event(1, {}), event(2, { status: 'pending', commit_sha: null }))).toBe('waiting');
    expect(kind(event(1, { status: 'failed', commit_sha: null }), event(2, {}))).toBeUndefined();
    expect(kind(event(2, { status: 'failed', commit_sha: null }), event(1, {}))).toBe('failed');
  });

  it('is not changed by looks that found nothing, nor by what was given up', () => {
    const before = event(1, { commit_sha: null });
    const after = [
      event(2, { event_type: 'sync', result: { unchanged: true }, commit_sha: null }),
      event(3, { status: 'discarded', commit_sha: null }),
    ];
    const folder = { operation: { kind: 'folder' }, result: { file_count: 0 }, commit_sha: null };
    expect(marksOf([event(4, folder)]).size).toBe(0);
    expect(marksOf([before, ...after]).get('a.md')?.kind).toBe('uncommitted');
  });

  it('goes along when it is moved', () => {
    expect(marksOf([event(1, { event_type: 'move', dest_path: 'b.md', commit_sha: null })]).has('b.md')).toBe(true);
  });
});

describe('files that changed lately', () => {
  it('come once each, with their last name, without those that are gone', () => {
    const events = [
      event(1, { event_type: 'create' }),
      event(2, { event_type: 'move', dest_path: 'b.md' }),
      event(3, { event_type: 'create', file_id: 'C', path: 'c.md' }),
      event(4, { event_type: 'delete', file_id: 'C', path: 'c.md' }),
    ];
    expect(recentChanges(events).map(({ path }) => path)).toEqual(['b.md']);
  });
});
