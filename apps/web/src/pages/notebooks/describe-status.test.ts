import { expect, it } from 'vitest';

import { describeStatus } from './describe-status.ts';

const watcher = {
  watching: true,
  problem: null,
  comparing: null,
  importing: null,
  echoes: 0,
  queued: 0,
  drift: 0,
  skipped: [],
};
const git = { pending: 0, problem: null, held: [], untracked: [], index_locked: false, last_commit: null };
const well = { pending: 0, paused: null, problem: null, git, watcher, remotes: [], conflicts: [] };

it('does not say that all is well while a part of the notebook cannot be seen', () => {
  expect(describeStatus(well)).toMatchObject({ tone: 'good' });
  const comparing = { ...watcher, watching: false, comparing: 1_200 };
  expect(describeStatus({ ...well, watcher: comparing })).toMatchObject({ tone: 'busy', word: 'Reading' });
  const importing = { total: 11_014, done: 3_044, remaining_seconds: 95 };
  expect(describeStatus({ ...well, pending: 7_970, watcher: { ...watcher, importing } })).toEqual({
    tone: 'busy',
    word: 'Reading',
    says: '3,044 of 11,014 files and folders read, about 1 min left',
  });
  const paused = { reason: 'Paused while a rebase is in progress', is_manual: false };
  expect(describeStatus({ ...well, pending: 2, paused })).toEqual({
    tone: 'warn',
    word: 'Paused',
    says: 'Paused while a rebase is in progress. 2 changes waiting',
  });
  const isPartly = { ...well, watcher: { ...watcher, problem: 'The disk in /lab/usb is not mounted' } };
  expect(describeStatus(isPartly)).toMatchObject({ tone: 'warn', says: expect.stringContaining('/lab/usb') });
});
