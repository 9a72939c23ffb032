/** Decides which failed tests run again and what then counts (docs/decisions/0019-retrying-page-tests.md). */
import { relative } from 'node:path';

/** Failures in several files are not a browser glitch. */
const mostFiles = 1;

export function repeatableFailures(report, repeatable, folder) {
  const { testResults } = JSON.parse(report);
  const failed = testResults.filter(({ status }) => status === 'failed');
  const files = failed.map(({ name }) => relative(folder, name));
  if (files.length === 0 || files.length > mostFiles || !files.every((file) => repeatable.test(file))) return undefined;
  const tests = failed.flatMap(({ name, assertionResults }) => {
    const names = assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName);
    return names.length === 0 ? [`${relative(folder, name)} as a whole`] : names;
  });
  return { files, tests };
}

/** Combines both runs: the last result of each file counts. */
export function countsTogether(first, second) {
  const results = [first, second].flatMap((report) => JSON.parse(report).testResults);
  const last = new Map(results.map((result) => [result.name, result]));
  const states = [...last.values()].flatMap(({ assertionResults }) => assertionResults.map(({ status }) => status));
  const [passed, failed] = ['passed', 'failed'].map((state) => states.filter((each) => each === state).length);
  return { passed: passed ?? 0, failed: failed ?? 0, skipped: states.length - (passed ?? 0) - (failed ?? 0) };
}
