import { describe, expect, it } from 'vitest';
import { countsOf, lastLine, summaryTable } from './report.mjs';

const lane = (name: string, passed: number, skipped = 0) => ({
  name,
  state: 'passed',
  detail: '',
  seconds: 1.25,
  counts: { passed, failed: 0, skipped },
});

describe('the end of a run', () => {
  it('is one line with the tests of all lanes', () => {
    expect(lastLine([lane('unit', 40), lane('e2e', 2)])).toBe('42 passed, 0 failed');
  });

  it('never looks like success after a failure', () => {
    const failed = { name: 'lint', state: 'failed', detail: 'exit code 1', seconds: 2 };
    expect(lastLine([lane('unit', 40), failed])).toBe('failed: lint');
  });

  it('names each step with its result and duration, and skipped tests', () => {
    expect(summaryTable([lane('unit', 40, 1)])).toMatch(/unit +passed +1\.3 +40 passed, 0 failed, 1 skipped/);
  });

  it('counts what the report of the test runner says', () => {
    const report = { numPassedTests: 3, numFailedTests: 2, numPendingTests: 1, numTodoTests: 1 };
    expect(countsOf(JSON.stringify(report))).toEqual({ passed: 3, failed: 2, skipped: 2 });
  });
});
