/** Runs steps one after the other and stops at the first that fails. */
import { performance } from 'node:perf_hooks';
import { runChild } from './child.mjs';
import { lastLine, summaryTable } from './summary.mjs';
import { readCounts } from './vitest.mjs';

/** @typedef {import('./arguments.d.mts').Options} Options */
/** @typedef {import('./steps.d.mts').Step} Step */
/** @typedef {import('./summary.d.mts').Outcome} Outcome */

/** @param {Step} step @param {Options} options @returns {Promise<Omit<Outcome, 'name' | 'seconds'>>} */
async function attempt(step, options) {
  const work = step.work(options);
  if ('nothing' in work) {
    step.after?.();
    return { state: 'nothing to do', detail: work.nothing };
  }
  const { exitCode, problem, interrupted } = await runChild(work, step.limitMinutes * 60_000);
  const counts = step.kind === 'tests' ? readCounts(step.name) : undefined;
  const isFiltered = options.filters.length > 0 || options.testName !== undefined;
  const faults = [
    problem,
    exitCode !== 0 && problem === undefined ? `exit code ${exitCode}` : undefined,
    // An empty lane would look exactly like a lane in which all is well.
    step.kind === 'tests' && !isFiltered && (counts?.passed ?? 0) === 0 ? 'no test ran' : undefined,
    (counts?.failed ?? 0) > 0 ? 'tests failed' : undefined,
  ].filter((fault) => fault !== undefined);
  if (faults.length > 0) return { state: 'failed', detail: faults.join(', '), counts, interrupted };
  step.after?.();
  return { state: 'passed', detail: '', counts };
}

/** @param {Step} step @param {Options} options @returns {Promise<Outcome>} */
async function runStep(step, options) {
  console.log(`\n== ${step.name}: ${step.title}`);
  const start = performance.now();
  /** @type {Omit<Outcome, 'name' | 'seconds'>} */
  let outcome;
  try {
    outcome = await attempt(step, options);
  } catch (error) {
    outcome = { state: 'failed', detail: error instanceof Error ? error.message : String(error) };
  }
  const seconds = (performance.now() - start) / 1000;
  console.log(`-- ${step.name}: ${outcome.state}${outcome.detail && ` (${outcome.detail})`}, ${seconds.toFixed(1)} s`);
  return { name: step.name, seconds, ...outcome };
}

/** @param {readonly Step[]} steps @param {Options} options @returns {Promise<number>} the exit code */
export async function runSteps(steps, options) {
  /** @type {Outcome[]} */
  const outcomes = [];
  for (const step of steps) {
    const hasFailed = outcomes.some((outcome) => outcome.state === 'failed');
    outcomes.push(
      hasFailed ? { name: step.name, state: 'not run', detail: '', seconds: 0 } : await runStep(step, options),
    );
  }
  console.log(`\n${summaryTable(outcomes)}\n`);
  const isFiltered = options.filters.length > 0 || options.testName !== undefined;
  const failed = outcomes.find((outcome) => outcome.state === 'failed');
  if (failed === undefined && isFiltered && outcomes.every((outcome) => (outcome.counts?.passed ?? 0) === 0)) {
    console.log('failed: no test matches the filter');
    return 1;
  }
  console.log(lastLine(outcomes));
  return failed === undefined ? 0 : (failed.interrupted ?? 1);
}
