import { expect, it } from 'vitest';

import { changesOf, textsOf } from './setting-texts.ts';

it('sends only the settings that were written differently, and takes off what was emptied', () => {
  const settings = { repository: '../shop', test_command: ['npm', 'run', 'a b'], auto_merge: true };
  const texts = textsOf(settings);
  expect(texts).toMatchObject({ test_command: 'npm\nrun\na b', auto_merge: 'true', review: '' });
  expect(changesOf(texts, settings)).toEqual({});
  expect(
    changesOf({ repository: ' ', auto_merge: 'false', review: 'person', test_command: 'make\n\n' }, settings),
  ).toEqual({
    repository: null,
    auto_merge: false,
    review: 'person',
    test_command: ['make'],
  });
  expect(changesOf({ worker: 'codex', model: ' ', worker_args: '--search\n' }, { model: 'opus' })).toEqual({
    worker: 'codex',
    model: null,
    worker_args: ['--search'],
  });
  expect(changesOf({ auto_merge: '', test_command: '\n' }, settings)).toEqual({ auto_merge: null, test_command: null });
});
