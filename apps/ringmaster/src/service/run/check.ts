import { failpoint } from '@holdfast/base';

import { changesSince } from '../../adapters/worktree.ts';
import { logSection } from '../../worker/log-format.ts';
import { judge, lastOf, stopText, withTail } from '../../worker/outcome.ts';
import { type SupervisedEnd, superviseProcess } from './process.ts';
import { limitsOf, openTurnLog, recordStage, turnVariables, type Working, worktreeOf } from './turn.ts';

/** Runs the project's tests in the attempt's folder, as a step of the turn. The output goes into the turn's log. */
export async function runTests(working: Working, number: number): Promise<void> {
  const { settings, supervisor } = working;
  const seconds = supervisor.rm.config.run.test_timeout_seconds;
  const plan = { title: `Tests: ${settings.testCommand.join(' ')}`, command: settings.testCommand, seconds };
  const end = await check(working, number, { ...plan, stdin: undefined });
  failpoint('ringmaster.run.tests');
  const isGood = end.stopped === undefined && end.exitCode === 0;
  const result = isGood ? 'success' : stopResult(end, 'tests_failed');
  const failure = isGood ? null : failureText(end);
  await recordStage(working, number, { stage: 'tested', result, failure }, !isGood || settings.review !== 'command');
  failpoint('ringmaster.run.tested');
}

/** Runs the review command with the changes on standard input. Exit code 0 approves. */
export async function runReview(working: Working, number: number): Promise<void> {
  const { settings, supervisor } = working;
  const seconds = supervisor.rm.config.run.review_timeout_seconds;
  const plan = { title: `Review: ${settings.reviewCommand.join(' ')}`, command: settings.reviewCommand, seconds };
  const end = await check(working, number, { ...plan, stdin: await changes(working) });
  failpoint('ringmaster.run.review');
  const verdict = judge({
    ...end,
    lastLines: end.output.lastLines('out'),
    lastErrors: end.output.lastLines('err'),
    format: 'text',
    rateLimitPatterns: settings.rateLimitPatterns,
    now: supervisor.rm.clock(),
  });
  const isGood = verdict.result === 'success';
  const result = isGood
    ? 'success'
    : verdict.result === 'question'
      ? 'review_question'
      : stopResult(end, 'review_rejected');
  const failure = isGood ? null : (verdict.failure ?? null);
  await recordStage(working, number, { stage: 'reviewed', result, failure, question: verdict.question ?? null }, true);
  failpoint('ringmaster.run.reviewed');
}

interface Check {
  readonly title: string;
  readonly command: readonly string[];
  readonly seconds: number;
  readonly stdin: string | undefined;
}

async function check(
  working: Working,
  number: number,
  { title, command, seconds, stdin }: Check,
): Promise<SupervisedEnd> {
  const { supervisor, attempt, folder, stopper } = working;
  const { rm, tell } = supervisor;
  const [program = '', ...args] = command;
  const log = openTurnLog(working, number);
  log.append(logSection(title, rm.clock()));
  tell({ kind: 'checking', task: attempt.task_id, attempt: attempt.id, iteration: number, text: title });
  try {
    return await superviseProcess(supervisor, {
      invocation: { command: program, args, stdin },
      folder,
      worktree: worktreeOf(working),
      runName: `${supervisor.id}.${attempt.id}.${number}`,
      env: turnVariables(working, number),
      limits: limitsOf(working, seconds * 1_000, seconds * 1_000),
      stopper,
      append: log.append,
    });
  } finally {
    await log.seal();
  }
}

/** Returns all changes since the start of the attempt, including uncommitted ones. */
async function changes(working: Working): Promise<string> {
  const worktree = worktreeOf(working);
  return worktree === undefined ? '' : changesSince(worktree.path, worktree.base);
}

function failureText(end: SupervisedEnd): string {
  const why = end.stopped === undefined ? 'The tests fail' : stopText('The test command', end.stopped);
  return withTail(why, [...lastOf(end.output.lastLines('err')), ...lastOf(end.output.lastLines('out'))]);
}

const saysNothing: ReadonlySet<string | undefined> = new Set(['cancelled', 'attached', 'shutdown', 'total_timeout']);

/** A check that was stopped by a person, a shutdown or the total time limit says nothing about the work. */
function stopResult({ stopped }: SupervisedEnd, otherwise: string): string {
  return stopped !== undefined && saysNothing.has(stopped) ? stopped : otherwise;
}
