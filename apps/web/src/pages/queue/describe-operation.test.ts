import { describe, expect, it } from 'vitest';

import type { CodexEvent } from '../../api/types.ts';
import { stepsOf } from './describe-operation.ts';

const queued: CodexEvent = {
  id: 1,
  notebook_id: 1,
  event_type: 'update',
  status: 'pending',
  operation: { staged: {} },
  correlation_id: null,
  sequence: 0,
  created_at: '2026-01-01T00:00:00Z',
  started_at: null,
  processed_at: null,
  error_code: null,
  error_message: null,
  retry_count: 0,
  run_at: null,
  path: 'a.md',
  dest_path: null,
  file_id: 'A',
  author: 'ada',
  superseded_by: null,
  result: null,
  commit_sha: null,
};
const at = '2026-01-01T00:00:01Z';
const claimed: CodexEvent = { ...queued, status: 'processing', started_at: at };
const done: CodexEvent = { ...claimed, status: 'completed', processed_at: at, result: {} };

describe('the life of an operation', () => {
  it.each([
    ['waits', queued, ['done', 'now', 'later', 'later', 'later']],
    ['is worked on', claimed, ['done', 'done', 'now', 'later', 'later']],
    ['is saved and not committed', done, ['done', 'done', 'done', 'done', 'now']],
    ['is committed', { ...done, commit_sha: 'c0ffee' }, ['done', 'done', 'done', 'done', 'done']],
    ['changed nothing', { ...done, result: { unchanged: true } }, ['done', 'done', 'done', 'done', 'never']],
    [
      'made an empty folder',
      { ...done, operation: { kind: 'folder' }, result: { path: 'empty' } },
      ['done', 'done', 'done', 'done', 'never'],
    ],
    [
      'moved a folder with a file',
      { ...done, operation: { kind: 'folder' }, result: { file_count: 1 } },
      ['done', 'done', 'done', 'done', 'now'],
    ],
    ['failed', { ...claimed, status: 'failed', processed_at: at }, ['done', 'done', 'failed', 'failed', 'never']],
    [
      'was taken back',
      { ...queued, status: 'cancelled', processed_at: at },
      ['done', 'never', 'never', 'done', 'never'],
    ],
  ] as const)('that %s', (_name, event, states) => {
    expect(stepsOf(event).map(({ state }) => state)).toEqual(states);
  });
});
