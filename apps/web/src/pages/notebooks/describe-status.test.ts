import { expect, it } from 'vitest';

import { describeStatus } from './describe-status.ts';

const watcher = { watching: true, problem: null, echoes: 0, queued: 0, drift: 0, skipped: [] };
const git = { pending: 0, problem: null, held: [], index_locked: false, last_commit: null };
const well = { pending: 0, problem: null, git, watcher };

it('does not say that all is well while a part of the notebook cannot be seen', () => {
  expect(describeStatus(well)).toMatchObject({ tone: 'good' });
  const isPartly = { ...well, watcher: { ...watcher, problem: 'The disk in /lab/usb is not mounted' } };
  expect(describeStatus(isPartly)).toMatchObject({ tone: 'warn', says: expect.stringContaining('/lab/usb') });
});
