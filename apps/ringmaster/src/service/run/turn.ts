import { basename } from 'node:path';

import { delay, failpoint, type ProcessIdentity, SECOND, systemErrorCode, toTimestamp } from '@holdfast/base';

import { inside, pointAt, removeFile, sha256, writeProjection, writeTogether } from '../../adapters/files.ts';
import { type LogFile, openLog } from '../../adapters/log-file.ts';
import { hasChanges, stashesOf, type WorktreeState } from '../../adapters/worktree.ts';
import { iterationPath } from '../../model/attempt.ts';
import { hasBudget } from '../../model/budget.ts';
import { type AttemptRun, runOf, updateRun } from '../../store/attempt-runs.ts';
import { type Attempt, liveAttempt, setProcess } from '../../store/attempts.ts';
import { recordEvent } from '../../store/events.ts';
import { registerFile } from '../../store/files.ts';
import { insertIteration, type Iteration, iterationsOfAttempt, updateIteration } from '../../store/iterations.ts';
import { existingTask, updateTask } from '../../store/tasks.ts';
import { formatOf, invocationOf } from '../../worker/command-shape.ts';
import { logEnd, logHead } from '../../worker/log-format.ts';
import { judge, type Verdict } from '../../worker/outcome.ts';
import { ReadableOutput, readTranscript, UsageMeter } from '../../worker/transcript.ts';
import { budgetOfTurn, budgetProblem, reportBudgets } from '../budget.ts';
import { pointAtLatest } from '../projections.ts';
import { type AssembledPrompt, assemblePrompt } from '../prompt/assemble.ts';
import { callOf, type Ringmaster } from '../ringmaster.ts';
import { cannotStart, superviseProcess, type TimeLimits } from './process.ts';
import type { RunSettings } from './settings.ts';
import type { Stopper, Supervisor } from './supervisor.ts';

export interface Working {
  readonly supervisor: Supervisor;
  readonly attempt: Attempt;
  readonly settings: RunSettings;
  readonly folder: string;
  readonly stopper: Stopper;
  /** Sets the process that must be alive for the lease to be renewed; default: the supervisor. */
  readonly holdBy: (identity: ProcessIdentity | undefined) => void;
  /** Base and head commit of the worktree, if this attempt has just created it. The first turn stores both commits. */
  readonly made: Pick<AttemptRun, 'base_commit' | 'head_commit'> | undefined;
  /** Output of setup_command, for the log of the first turn; empty in later turns. */
  readonly setupLog: string;
}

/** Runs one turn of the worker: prompt, process, verdict. Stores the result. */
export async function takeTurn(working: Working, number: number): Promise<void> {
  const { supervisor, attempt, settings } = working;
  const { rm } = supervisor;
  const prompt = await assemblePrompt(rm, attempt.task_id, { purpose: 'run' });
  const files = await writePrompt(working, number, prompt);
  failpoint('ringmaster.run.prompt');
  const startedAt = await beginTurn(working, number, files);
  failpoint('ringmaster.run.begun');
  const log = openTurnLog(working, number);
  try {
    log.append(`${logHead(settings.worker.name, number, startedAt)}${working.setupLog}`);
    for (const name of ['output.log', 'prompt.md', 'context.json'] as const) {
      const kind = name === 'output.log' ? 'log' : name;
      pointAtLatest(rm, attempt.task_id, name, iterationPath(attempt.task_id, number, kind));
    }
    const given = { text: prompt.text, path: inside(rm.workspace.filesPath, files.prompt) };
    const verdict = await work(working, number, given, log);
    failpoint('ringmaster.run.exited');
    await endWork(working, number, verdict, log);
    failpoint('ringmaster.run.worked');
  } finally {
    // Closes the log even if the turn failed, for example because the lease was lost.
    log.close();
  }
}

interface PromptFiles {
  readonly prompt: string;
  readonly context: string;
  readonly stored: readonly { readonly path: string; readonly text: string; readonly kind: 'prompt' | 'context' }[];
  readonly contextHash: string;
}

/** Writes prompt.md and context.json of this turn before any row refers to them. */
async function writePrompt(
  { supervisor, attempt }: Working,
  number: number,
  prompt: AssembledPrompt,
): Promise<PromptFiles> {
  const paths = {
    prompt: iterationPath(attempt.task_id, number, 'prompt.md'),
    context: iterationPath(attempt.task_id, number, 'context.json'),
  };
  const context = {
    task_id: attempt.task_id,
    attempt: attempt.number,
    iteration: number,
    worker_id: attempt.worker_id,
    config_version: attempt.config_version,
    prompt: { path: paths.prompt, bytes: Buffer.byteLength(prompt.text), sha256: prompt.sha256 },
    sources: prompt.considered.flatMap(({ source, name, bytes, sha256: hash }) =>
      hash === null ? [] : [{ name: `${source}: ${name}`, bytes, sha256: hash }],
    ),
  };
  const text = `${JSON.stringify(context, null, 2)}\n`;
  await writeTogether(inside(supervisor.rm.workspace.filesPath, 'tasks', attempt.task_id, 'iterations'), [
    { name: basename(paths.prompt), content: prompt.text },
    { name: basename(paths.context), content: text },
  ]);
  const stored = [
    { path: paths.prompt, text: prompt.text, kind: 'prompt' as const },
    { path: paths.context, text, kind: 'context' as const },
  ];
  return { ...paths, stored, contextHash: sha256(Buffer.from(text)) };
}

async function beginTurn({ supervisor, attempt, made }: Working, number: number, files: PromptFiles): Promise<number> {
  const { rm } = supervisor;
  const { task_id } = attempt;
  const now = await rm.store.write(`run ${task_id}: turn ${number}`, (tx) => {
    const call = callOf(rm);
    liveAttempt(tx, attempt.id);
    if (made !== undefined) updateRun(tx, attempt.id, made);
    for (const { path, text, kind } of files.stored) {
      const bytes = Buffer.from(text);
      registerFile(tx, { path, kind, bytes: bytes.length, sha256: sha256(bytes), created_at: call.now });
    }
    insertIteration(tx, {
      task_id,
      number,
      attempt_id: attempt.id,
      started_at: call.now,
      prompt_path: files.prompt,
      context_path: files.context,
    });
    const isNew = existingTask(tx, task_id).status === 'assigned';
    const status = isNew ? ({ status: 'in_progress' } as const) : {};
    updateTask(tx, task_id, { ...status, prompt_path: files.prompt, context_hash: files.contextHash });
    const data = { token: attempt.id, iteration: number, worker_id: attempt.worker_id };
    if (isNew) recordEvent(tx, call, { type: 'task_started', entity: 'task', id: task_id, data });
    recordEvent(tx, call, { type: 'iteration_started', entity: 'task', id: task_id, data });
    return call.now;
  });
  return Date.parse(now);
}

export function openTurnLog({ supervisor, attempt }: Working, number: number): LogFile {
  return openLog(inside(supervisor.rm.workspace.filesPath, iterationPath(attempt.task_id, number, 'log')));
}

/** `not_started` means that the command could not be started, which says nothing about the task. */
type WorkVerdict = Omit<Verdict, 'result'> & {
  readonly result: Verdict['result'] | 'not_started';
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly bytes: number;
};

async function work(
  working: Working,
  number: number,
  prompt: { readonly text: string; readonly path: string },
  log: LogFile,
): Promise<WorkVerdict> {
  const { supervisor, attempt, settings, folder, stopper } = working;
  const { rm } = supervisor;
  let head = '';
  const meter = new UsageMeter(formatOf(settings.worker));
  const readable = new ReadableOutput(formatOf(settings.worker));
  const left = budgetOfTurn(rm.store.reader, rm, attempt.task_id);
  const stopWatching = watchBudget(working);
  try {
    const end = await superviseProcess(supervisor, {
      invocation: invocationOf(settings.worker, prompt, sessionToResume(working)),
      folder,
      worktree: worktreeOf(working),
      runName: `${supervisor.id}.${attempt.id}.${number}`,
      env: turnVariables(working, number),
      limits: limitsOf(working, settings.timeoutMs, settings.silenceMs),
      stopper,
      append: (text) => {
        if (head.length < HEAD_CHARACTERS) head += text;
        log.append(text);
        meter.read(text);
        if (meter.exceeds(left)) stopper.ask('budget');
        supervisor.tell({ kind: 'output', task: attempt.task_id, attempt: attempt.id, text: readable.read(text) });
      },
      onStarted: (identity, exited) => recordProcess(working, number, identity, exited),
    });
    const { output, exitCode, signal, stopped } = end;
    const worktree = worktreeOf(working);
    const verdict = judge({
      exitCode,
      signal,
      stopped,
      lastLines: output.lastLines('out'),
      lastErrors: output.lastLines('err'),
      format: formatOf(settings.worker),
      hasChanged: worktree === undefined || exitCode !== 0 ? undefined : await hasChanges(worktree),
      rateLimitPatterns: settings.rateLimitPatterns,
      now: rm.clock(),
    });
    const stashes = verdict.result === 'no_change' && worktree !== undefined ? await stashesOf(worktree) : [];
    const failure = stashes.reduce((text, line) => `${text}\nThe worker left a stash: ${line}`, verdict.failure);
    // Some agents print the session id only at the start of the output.
    const session = verdict.session ?? readTranscript(head.split('\n'), formatOf(settings.worker)).session;
    return { ...verdict, ...meter.total(verdict), failure, session, exitCode, signal, bytes: output.bytesSeen };
  } catch (error) {
    const isTooLong = ['E2BIG', 'PROMPT_TOO_LONG'].includes(systemErrorCode(error) ?? '');
    if (!(error instanceof Error) || !(isTooLong || cannotStart(error))) throw error;
    const failure = `The worker ${settings.worker.id} cannot be started: ${error.message}`;
    log.append(`${failure}\n`);
    const none = { costUsd: null, inputTokens: null, outputTokens: null, session: null, exitCode: null, signal: null };
    return {
      ...none,
      question: undefined,
      note: undefined,
      result: isTooLong ? 'failed' : 'not_started',
      failure,
      bytes: 0,
    };
  } finally {
    stopWatching();
    stopper.withdraw('budget');
    working.holdBy(undefined);
    forgetProcess(working);
  }
}

/** Stops the agent when other tasks have used up the project's or the daily budget. */
function watchBudget({ supervisor: { rm }, attempt, stopper }: Working): () => void {
  if (!hasBudget(rm.config.budget)) return () => undefined;
  return rm.store.database.onChange(() => {
    if (budgetProblem(rm.store.reader, rm, attempt.task_id) !== undefined) stopper.ask('budget');
  });
}

const HEAD_CHARACTERS = 16_384;
const sessionLost = /\b(?:no (?:conversation|session|thread|rollout) found|(?:session|thread) .*not found)\b/i;

/** Returns the agent's session from an earlier turn of this attempt. Agents find sessions only in the same folder. */
function sessionToResume({ supervisor, attempt }: Working): string | undefined {
  const turns = iterationsOfAttempt(supervisor.rm.store.reader, attempt.id).filter(({ result }) => result !== null);
  if (sessionLost.test(turns.at(-1)?.failure ?? '')) return undefined;
  return turns.findLast(({ session_id }) => session_id !== null)?.session_id ?? undefined;
}

/** Returns undefined if the folder is not in a repository. */
export function worktreeOf({ supervisor, attempt }: Working): WorktreeState | undefined {
  const run = runOf(supervisor.rm.store.reader, attempt.id);
  if (run === undefined || run.repository === null || run.branch === null || run.base_commit === null) return undefined;
  const { repository, branch, base_commit: base, folder: path } = run;
  return { repository, path, branch, base };
}

export function turnVariables(working: Working, number: number): Readonly<Record<string, string>> {
  return {
    ...attemptVariables(working.supervisor.rm, working.attempt, working.settings),
    RINGMASTER_ITERATION: String(number),
  };
}

export function attemptVariables(
  { store, workspace }: Ringmaster,
  attempt: Attempt,
  { worker }: RunSettings,
): Readonly<Record<string, string>> {
  const run = runOf(store.reader, attempt.id);
  const { port_start: first = null, port_end: last = null } = run ?? {};
  return {
    RINGMASTER_TASK: attempt.task_id,
    RINGMASTER_ATTEMPT: String(attempt.number),
    RINGMASTER_ROOT: workspace.root,
    RINGMASTER_ACTOR: attempt.worker_id,
    ...(worker.model === '' ? {} : { RINGMASTER_MODEL: worker.model }),
    ...(first === null ? {} : { RINGMASTER_PORT: String(first), RINGMASTER_PORT_END: String(last) }),
  };
}

/** Time limits on the monotonic clock. All start now, except the total limit, which starts with the attempt. */
export function limitsOf(
  { supervisor, attempt }: Pick<Working, 'supervisor' | 'attempt'>,
  startToCloseMs: number,
  silenceMs: number,
): TimeLimits {
  const { run } = supervisor.rm.config;
  const left = run.total_timeout_seconds * SECOND - (supervisor.rm.clock() - Date.parse(attempt.started_at));
  return {
    startToCloseMs,
    silenceMs,
    deadline: supervisor.monotonic() + left,
    graceMs: run.grace_seconds * SECOND,
  };
}

/**
 * In milliseconds. Processes that end sooner are not stored; after a crash, recovery finds them by the name of their
 * run.
 */
const RECORDED_AFTER = 50;

async function recordProcess(
  working: Working,
  number: number,
  identity: ProcessIdentity,
  exited: Promise<unknown>,
): Promise<void> {
  const { supervisor, attempt, holdBy } = working;
  failpoint('ringmaster.run.spawned');
  holdBy(identity);
  const ended = new AbortController();
  const isLong = delay(RECORDED_AFTER, ended.signal).then(() => true);
  const isRecorded = await Promise.race([isLong, exited.then(() => false)]);
  ended.abort();
  if (!isRecorded) return;
  const { pid, start, boot } = identity;
  const folder = inside(supervisor.rm.workspace.filesPath, 'workers', attempt.worker_id);
  const logPath = `../../${iterationPath(attempt.task_id, number, 'log')}`;
  writeProjection(inside(folder, 'current.pid'), `${pid} ${start ?? '-'} ${boot ?? '-'}\n`);
  pointAt(inside(folder, 'session.log'), logPath);
  await supervisor.rm.store.write(`run ${attempt.task_id}: process ${pid}`, (tx) => {
    liveAttempt(tx, attempt.id);
    updateIteration(tx, attempt.task_id, number, { pid, pid_start: start, boot_id: boot });
    setProcess(tx, attempt.id, identity);
  });
  failpoint('ringmaster.run.recorded');
}

function forgetProcess({ supervisor, attempt }: Working): void {
  removeFile(inside(supervisor.rm.workspace.filesPath, 'workers', attempt.worker_id, 'current.pid'));
}

/** Stores the verdict. The turn stays open if tests or a review are still to come. */
async function endWork(working: Working, number: number, verdict: WorkVerdict, log: LogFile): Promise<void> {
  const { testCommand, review } = working.settings;
  const isLast = verdict.result !== 'success' || (testCommand.length === 0 && review !== 'command');
  const changes = {
    stage: 'worked',
    result: verdict.result,
    exit_code: verdict.exitCode,
    signal: verdict.signal,
    failure: verdict.failure ?? null,
    question: verdict.question ?? null,
    note: verdict.note ?? null,
    session_id: verdict.session,
    output_bytes: verdict.bytes,
    cost_usd: verdict.costUsd,
    input_tokens: verdict.inputTokens,
    output_tokens: verdict.outputTokens,
  } as const;
  await recordStage(working, number, changes, isLast, log);
}

type StageChanges = Partial<Iteration> & { readonly stage: Iteration['stage']; readonly result: string };

/** Stores a step of the turn. The last step also ends the turn. */
export async function recordStage(
  working: Working,
  number: number,
  changes: StageChanges,
  isLast: boolean,
  log: LogFile = openTurnLog(working, number),
): Promise<void> {
  const { supervisor, attempt } = working;
  const { store } = supervisor.rm;
  if (isLast) {
    const turn = iterationsOfAttempt(store.reader, attempt.id).find((one) => one.number === number);
    const startedAt = Date.parse(turn?.started_at ?? attempt.started_at);
    await closeTurn(working, { number, startedAt, log, changes, result: changes.result });
    return;
  }
  await store.write(`run ${attempt.task_id}: turn ${number} ${changes.stage}`, (tx) => {
    liveAttempt(tx, attempt.id);
    updateIteration(tx, attempt.task_id, number, changes);
    reportBudgets(tx, supervisor.rm, callOf(supervisor.rm), attempt.task_id);
  });
  await log.seal();
}

export interface TurnEnd {
  readonly number: number;
  readonly startedAt: number;
  readonly log: LogFile;
  readonly changes: Partial<Iteration>;
  readonly result: string;
}

export async function closeTurn(
  { supervisor, attempt }: { readonly supervisor: Pick<Supervisor, 'rm'>; readonly attempt: Attempt },
  end: TurnEnd,
): Promise<void> {
  const { rm } = supervisor;
  const { number, startedAt, log, changes, result } = end;
  const now = rm.clock();
  const sealed = await endLog(rm, attempt.id, log, logEnd(result, now - startedAt, now));
  const path = iterationPath(attempt.task_id, number, 'log');
  await rm.store.write(`run ${attempt.task_id}: turn ${number} ended`, (tx) => {
    const call = callOf(rm);
    liveAttempt(tx, attempt.id);
    registerFile(tx, { path, kind: 'iteration', ...sealed, created_at: call.now });
    const ended_at = toTimestamp(Math.max(now, startedAt));
    updateIteration(tx, attempt.task_id, number, { ...changes, result, ended_at, log_path: path });
    reportBudgets(tx, rm, call, attempt.task_id);
    recordEvent(tx, call, {
      type: 'iteration_ended',
      entity: 'task',
      id: attempt.task_id,
      data: { token: attempt.id, iteration: number, worker_id: attempt.worker_id, result },
    });
  });
}

/** Throws if the lease is lost: the new owner has closed this turn, so the turn's log must not change. */
async function endLog(rm: Ringmaster, attempt: number, log: LogFile, lastLines: string): ReturnType<LogFile['seal']> {
  try {
    liveAttempt(rm.store.reader, attempt);
    log.append(lastLines);
    return await log.seal();
  } finally {
    log.close();
  }
}
