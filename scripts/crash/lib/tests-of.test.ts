import { resolve } from 'node:path';

import { expect, it } from 'vitest';

import { TestFinder } from './tests-of.ts';

it('finds the tests that load a file, its own tests first', () => {
  const finder = new TestFinder(resolve(import.meta.dirname, '../../..'));
  const [first, ...others] = finder.testsOf('packages/accounts/src/model/throttle.ts');
  expect(first).toBe('packages/accounts/src/model/throttle.test.ts');
  expect(others).toContain('packages/accounts/src/service/login.test.ts');
  expect(others).not.toContain('packages/accounts/src/model/password.test.ts');
});
