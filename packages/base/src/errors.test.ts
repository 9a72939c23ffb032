import { expect, test } from 'vitest';

import { defineErrors, HoldfastError, isHoldfastError } from './errors.ts';

const table = defineErrors({
  DISK_ON_FIRE: { kind: 'unavailable', means: 'The disk burns.', hint: 'Call somebody.' },
  NO_SUCH_DISK: { kind: 'not_found', means: 'There is no disk.', hint: 'Buy one.' },
});

test('an error carries its code, kind and hint from the table', () => {
  const error = table.DISK_ON_FIRE('sda burns');
  expect(error).toBeInstanceOf(HoldfastError);
  expect(error).toBeInstanceOf(Error);
  expect(error).toMatchObject({
    name: 'HoldfastError',
    code: 'DISK_ON_FIRE',
    kind: 'unavailable',
    hint: 'Call somebody.',
    message: 'sda burns',
    details: undefined,
  });
});

test('the place that throws can give a better hint, a cause and details', () => {
  const cause = new Error('smoke');
  const error = table.DISK_ON_FIRE('sda burns', { cause, hint: 'Leave the building.', details: { disk: 'sda' } });
  expect(error.hint).toBe('Leave the building.');
  expect(error.cause).toBe(cause);
  expect(error.details).toEqual({ disk: 'sda' });
});

test('an error without a cause has no cause property, so that nothing is printed for it', () => {
  expect('cause' in table.NO_SUCH_DISK('sdb')).toBe(false);
});

test('the table itself knows its codes and definitions, for the documents made of it', () => {
  expect(Object.keys(table)).toEqual(['DISK_ON_FIRE', 'NO_SUCH_DISK']);
  expect(table.NO_SUCH_DISK.code).toBe('NO_SUCH_DISK');
  expect(table.NO_SUCH_DISK.definition).toEqual({ kind: 'not_found', means: 'There is no disk.', hint: 'Buy one.' });
  expect(Object.isFrozen(table)).toBe(true);
});

test('isHoldfastError tells ours from others, and one code from another', () => {
  const error: unknown = table.DISK_ON_FIRE('sda burns');
  expect(isHoldfastError(error)).toBe(true);
  expect(isHoldfastError(error, 'DISK_ON_FIRE')).toBe(true);
  expect(isHoldfastError(error, 'NO_SUCH_DISK')).toBe(false);
  expect(isHoldfastError(new Error('DISK_ON_FIRE'))).toBe(false);
  expect(isHoldfastError({ code: 'DISK_ON_FIRE' })).toBe(false);
  expect(isHoldfastError(undefined)).toBe(false);
});
