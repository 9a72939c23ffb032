import { describe, expect, it } from 'vitest';
import { countsTogether, lastLine, repeatableFailures } from './report.mjs';

type Tests = Readonly<Record<string, string>>;

const file = (name: string, tests: Tests, status?: string) => ({
  name: `/house/${name}`,
  status: status ?? (Object.values(tests).includes('failed') ? 'failed' : 'passed'),
  assertionResults: Object.entries(tests).map(([fullName, each]) => ({ fullName, status: each })),
});
const report = (...testResults: readonly object[]): string => JSON.stringify({ testResults });
const failuresOf = (text: string) => repeatableFailures(text, /^web\//, '/house');

const command = file('command/run.ts', { 'is told': 'passed', 'is asked': 'skipped' });
const page = file('web/page.ts', { 'is drawn': 'failed', 'is left': 'passed' });

describe('a second attempt', () => {
  it('is given to one file of pages, and names its tests', () => {
    expect(failuresOf(report(command, page))).toEqual({ files: ['web/page.ts'], tests: ['is drawn'] });
  });

  it('is given to a file that did not come to its tests', () => {
    const unready = file('web/page.ts', { 'is drawn': 'skipped' }, 'failed');
    expect(failuresOf(report(unready))).toEqual({ files: ['web/page.ts'], tests: ['web/page.ts as a whole'] });
  });

  it('is given to nothing else: not to commands, not to two files, not to a run in which no test failed', () => {
    expect(failuresOf(report(file('command/run.ts', { 'is told': 'failed' })))).toBeUndefined();
    expect(failuresOf(report(page, file('command/run.ts', { 'is told': 'failed' })))).toBeUndefined();
    expect(failuresOf(report(page, file('web/other.ts', { 'is drawn': 'failed' })))).toBeUndefined();
    expect(failuresOf(report(command))).toBeUndefined();
  });

  it('counts for the file that it ran, and a file that it did not run has still failed', () => {
    const drawn = file('web/page.ts', { 'is drawn': 'passed', 'is left': 'passed' });
    expect(countsTogether(report(command, page), report(drawn))).toEqual({ passed: 3, failed: 0, skipped: 1 });
    expect(countsTogether(report(command, page), report())).toEqual({ passed: 2, failed: 1, skipped: 1 });
  });

  it('is said in the last line', () => {
    const counts = { passed: 3, failed: 0, skipped: 0 };
    const outcome = { name: 'e2e', state: 'passed', detail: '', seconds: 1, counts, repeated: ['is drawn'] } as const;
    expect(lastLine([outcome])).toBe('3 passed, 0 failed, 1 of them only at the second attempt');
  });
});
