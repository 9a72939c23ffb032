import { programProblems } from '@holdfast/cli';
import { describe, expect, it } from 'vitest';
import { program } from './program.ts';

describe('the description of np', () => {
  it('has no mistakes that types cannot catch', () => {
    expect(programProblems(program)).toEqual([]);
  });
});
