import { describe, expect, it } from 'vitest';

import { settingsFrom } from './settings.ts';

describe('settings', () => {
  it('have the defaults of the design', () => {
    expect(settingsFrom({})).toMatchObject({
      worker_batch_size: 50,
      git_commit_interval: 5,
      git_commit_max_files: 100,
      max_retries: 3,
      retry_backoff: 1,
      completed_event_retention: 86_400,
      failed_event_retention: 604_800,
    });
  });

  it('come from the environment, each under its own name', () => {
    const env = {
      HOLDFAST_CODEX_GIT_COMMIT_INTERVAL: '0.5',
      HOLDFAST_CODEX_MAX_PENDING: '7',
      HOLDFAST_CODEX_WATCH: 'off',
    };
    expect(settingsFrom(env)).toMatchObject({ git_commit_interval: 0.5, max_pending: 7, watch: false });
  });

  it.each([
    ['HOLDFAST_CODEX_MAX_RETRIES', 'three'],
    ['HOLDFAST_CODEX_MAX_PENDING', '0'],
    ['HOLDFAST_CODEX_LEASE', '-1'],
    ['HOLDFAST_CODEX_WATCH', 'maybe'],
  ])('refuse %s=%s, and name it', (name, value) => {
    expect(() => settingsFrom({ [name]: value })).toThrow(name);
  });
});
