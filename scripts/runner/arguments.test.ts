import { describe, expect, it } from 'vitest';
import { parseOptions, selectSteps } from './arguments.mjs';

const steps = [
  { name: 'install', kind: 'prepare', needs: [] },
  { name: 'build', kind: 'prepare', needs: ['install'] },
  { name: 'types', kind: 'check', needs: ['install'] },
  { name: 'unit', kind: 'tests', needs: ['install'] },
  { name: 'e2e', kind: 'tests', needs: ['install', 'build'] },
] as const;

const chosenBy = (...argv: string[]) => {
  const options = parseOptions(
    argv,
    steps.map(({ name }: { name: string }) => name),
  );
  return selectSteps(steps, options).map(({ name }: { name: string }) => name);
};

describe('the arguments of npm test', () => {
  it('mean everything when there are none', () => {
    expect(chosenBy()).toEqual(['install', 'build', 'types', 'unit', 'e2e']);
  });

  it('choose steps and bring along what these need', () => {
    expect(chosenBy('--only', 'types')).toEqual(['install', 'types']);
    expect(chosenBy('--only=e2e,unit')).toEqual(['install', 'build', 'unit', 'e2e']);
    expect(chosenBy('--only', 'unit', '--only', 'types')).toEqual(['install', 'types', 'unit']);
  });

  it('leave the static checks out when they speak of tests', () => {
    expect(chosenBy('keyspace/src/range')).toEqual(['install', 'build', 'unit', 'e2e']);
    expect(chosenBy('-t', 'survives')).toEqual(['install', 'build', 'unit', 'e2e']);
    expect(chosenBy('keyspace', '--only', 'unit')).toEqual(['install', 'unit']);
  });

  it('are refused when no such step or option exists, instead of running nothing', () => {
    expect(() => chosenBy('--only', 'unti')).toThrow(/unknown step unti \(known: install, build/);
    expect(() => chosenBy('--only', ',')).toThrow(/unknown step/);
    expect(() => chosenBy('--watch')).toThrow(/--watch/);
  });
});
