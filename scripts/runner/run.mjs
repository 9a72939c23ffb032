/** Runs steps in order, but checks in parallel. Stops after the first failure. */
import { availableParallelism } from 'node:os';
import { performance } from 'node:perf_hooks';
import { repositoryFolder } from '../provision/folders.mjs';
import { runChild } from './child.mjs';
import { countsOf, countsTogether, lastLine, readReport, repeatableFailures, summaryTable } from './report.mjs';

const isFilter = ({ filters, testName }) => filters.length > 0 || testName !== undefined;

async function attemptOnce(step, options, onOutput) {
  const work = step.work(options);
  if ('nothing' in work) {
    step.after?.();
    return { state: 'nothing to do', detail: work.nothing };
  }
  const { exitCode, problem, interrupted } = await runChild(work, step.limitMinutes * 60_000, onOutput);
  const report = step.kind === 'tests' ? readReport(step.name) : undefined;
  const counts = report === undefined ? undefined : countsOf(report);
  const faults = [
    problem,
    exitCode !== 0 && problem === undefined ? `exit code ${exitCode}` : undefined,
    // A lane without tests must fail; otherwise it would look successful.
    step.kind === 'tests' && !isFilter(options) && (counts?.passed ?? 0) === 0 ? 'no test ran' : undefined,
    (counts?.failed ?? 0) > 0 ? 'tests failed' : undefined,
  ].filter((fault) => fault !== undefined);
  if (faults.length > 0) return { state: 'failed', detail: faults.join(', '), counts, interrupted };
  step.after?.();
  return { state: 'passed', detail: '', counts };
}

async function attempt(step, options, onOutput) {
  const first = await attemptOnce(step, options, onOutput);
  if (first.state !== 'failed' || first.interrupted !== undefined || isFilter(options)) return first;
  const before = step.secondAttempt && readReport(step.name);
  const failures = before && repeatableFailures(before, step.secondAttempt, repositoryFolder);
  if (!before || !failures) return first;
  console.log(`\n-- ${step.name}: once more, ${failures.files.join(', ')}`);
  const second = await attemptOnce(step, { ...options, filters: failures.files }, onOutput);
  const counts = countsTogether(before, readReport(step.name) ?? before);
  if (second.state === 'failed' || counts.failed > 0) return { ...first, detail: `${first.detail}, twice`, counts };
  const { tests } = failures;
  return { ...second, counts, repeated: tests, detail: `only at the second attempt: ${tests.join('; ')}` };
}

async function timed(step, options, onOutput) {
  const start = performance.now();
  let outcome;
  try {
    outcome = await attempt(step, options, onOutput);
  } catch (error) {
    outcome = { state: 'failed', detail: error instanceof Error ? error.message : String(error) };
  }
  return { name: step.name, seconds: (performance.now() - start) / 1000, ...outcome };
}

const begin = (step) => console.log(`\n== ${step.name}: ${step.title}`);

function end({ name, state, detail, seconds }) {
  console.log(`-- ${name}: ${state}${detail && ` (${detail})`}, ${seconds.toFixed(1)} s`);
}

async function runStep(step, options) {
  begin(step);
  const outcome = await timed(step, options);
  end(outcome);
  return outcome;
}

/** Runs one step per core at a time. Prints the output of a step when it ends, so that outputs do not mix. */
async function runSideBySide(group, options) {
  const waiting = [...group.entries()];
  const outcomes = [];
  const lane = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [place, step] = next;
      const printed = [];
      const outcome = await timed(step, options, (chunk) => printed.push(chunk));
      begin(step);
      process.stdout.write(Buffer.concat(printed));
      end(outcome);
      outcomes[place] = outcome;
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, lane));
  return outcomes;
}

const notRun = ({ name }) => ({ name, state: 'not run', detail: '', seconds: 0 });

/** Groups consecutive checks, which are independent and can run in parallel. */
function groupsOf(steps) {
  const groups = [];
  for (const step of steps) {
    const last = groups.at(-1);
    if (step.kind === 'check' && last?.[0]?.kind === 'check') last.push(step);
    else groups.push([step]);
  }
  return groups;
}

export async function runSteps(steps, options) {
  const outcomes = [];
  for (const group of groupsOf(steps)) {
    const [first] = group;
    if (outcomes.some((outcome) => outcome.state === 'failed')) outcomes.push(...group.map(notRun));
    else if (first !== undefined && group.length === 1) outcomes.push(await runStep(first, options));
    else outcomes.push(...(await runSideBySide(group, options)));
  }
  console.log(`\n${summaryTable(outcomes)}\n`);
  const failed = outcomes.find((outcome) => outcome.state === 'failed');
  if (failed === undefined && isFilter(options) && outcomes.every((outcome) => (outcome.counts?.passed ?? 0) === 0)) {
    console.log('failed: no test matches the filter');
    return 1;
  }
  console.log(lastLine(outcomes));
  return failed === undefined ? 0 : (failed.interrupted ?? 1);
}
