import { expect, it } from 'vitest';

import { failureOf } from './failure.ts';

it('a folder that disappeared is a passing failure, and its message has no internal path', () => {
  const message = "ENOENT: no such file or directory, link '/proc/self/fd/31/event-4' -> '/proc/self/fd/33/a.md'";
  const failure = failureOf(Object.assign(new Error(message), { code: 'ENOENT' }));
  expect(failure).toMatchObject({ message: 'ENOENT: no such file or directory', isTransient: true });
});
