import { expect, it } from 'vitest';

import type { Version } from '../../../api/types.ts';
import { sessionsOf } from './sessions.ts';

function version(sha: string, author: string, at: string): Version {
  return { sha, author, at: `2026-01-31T${at}:00.000Z`, subject: sha } as Version;
}

it('versions of one author within half an hour of each other are one session', () => {
  const versions = [
    version('g', 'Ann', '12:00'),
    version('f', 'Ann', '11:40'),
    version('e', 'Ann', '11:10'),
    version('d', 'Ann', '10:39'),
    version('c', 'Bob', '10:38'),
    version('b', 'Ann', '10:37'),
  ];
  const names = sessionsOf(versions).map(({ newest, earlier }) =>
    [newest.sha, ...earlier.map(({ sha }) => sha)].join(''),
  );
  expect(names).toEqual(['gfe', 'd', 'c', 'b']);
  expect(sessionsOf([])).toEqual([]);
});
