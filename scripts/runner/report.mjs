/** Starts a test lane and reads its results. */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

import { repositoryFolder } from '../provision/folders.mjs';

const reportFile = (step) => join(repositoryFolder, '.cache', 'test', `${step}.json`);

export function vitestArguments(step, project, { filters, testName }) {
  // Removes the report of an earlier run, so that it cannot count as the result of this run.
  rmSync(reportFile(step), { force: true });
  mkdirSync(dirname(reportFile(step)), { recursive: true });
  const isFiltered = filters.length > 0 || testName !== undefined;
  return [
    join('node_modules', 'vitest', 'vitest.mjs'),
    'run',
    `--project=${project}`,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${reportFile(step)}`,
    // A filter usually selects a file in one lane, so lanes without matching tests must not fail.
    ...(isFiltered ? ['--passWithNoTests'] : []),
    ...(testName === undefined ? [] : [`--testNamePattern=${testName}`]),
    ...filters,
  ];
}

export function countsOf(report) {
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = JSON.parse(report);
  return { passed: numPassedTests, failed: numFailedTests, skipped: numPendingTests + numTodoTests };
}

export function readReport(step) {
  return existsSync(reportFile(step)) ? readFileSync(reportFile(step), 'utf8') : undefined;
}

/** Failed tests run again only if all are in one file (docs/decisions/0019-retrying-page-tests.md). */
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

function detailOf({ counts, detail }) {
  if (counts === undefined) return detail;
  const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : '';
  return [`${counts.passed} passed, ${counts.failed} failed${skipped}`, detail]
    .filter((text) => text !== '')
    .join('; ');
}

export function summaryTable(outcomes) {
  const rows = [
    ['step', 'result', 'seconds', ''],
    ...outcomes.map((outcome) => [outcome.name, outcome.state, outcome.seconds.toFixed(1), detailOf(outcome)]),
  ];
  return rows
    .map(([name = '', state = '', seconds = '', detail = '']) =>
      `${name.padEnd(10)} ${state.padEnd(14)} ${seconds.padStart(7)}  ${detail}`.trimEnd(),
    )
    .join('\n');
}

/** Summarises the run in one line: how many tests passed, or which step failed. */
export function lastLine(outcomes) {
  const failed = outcomes.find((outcome) => outcome.state === 'failed');
  if (failed !== undefined) return `failed: ${failed.name}`;
  const lanes = outcomes.flatMap((outcome) => outcome.counts ?? []);
  if (lanes.length === 0) return 'all checks passed';
  const repeated = outcomes.flatMap((outcome) => outcome.repeated ?? []).length;
  const passed = `${lanes.reduce((sum, lane) => sum + lane.passed, 0)} passed, 0 failed`;
  return repeated === 0 ? passed : `${passed}, ${repeated} of them only at the second attempt`;
}
