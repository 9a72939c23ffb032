/** Starts a test lane and reads its results. */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { repositoryFolder } from '../provision/folders.mjs';

const reportFile = (step) => join(repositoryFolder, '.cache', 'test', `${step}.json`);

export function vitestArguments(step, project, { filters, testName }) {
  // A report of an earlier run must never count.
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
    // A filter usually selects a file of one lane; empty lanes are then not a failure.
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
