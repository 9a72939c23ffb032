import { basename } from 'node:path';

import { delay, failpoint, type ProcessIdentity, SECOND, toTimestamp } from '@holdfast/base';

import { inside, pointAt, removeFile, sha256, writeProjection, writeTogether } from '../../adapters/files.ts';
import { type LogFile, openLog } from '../../adapters/log-file.ts';
import { iterationPath } from '../../model/attempt.ts';
import { type AttemptRun, updateRun } from '../../store/attempt-runs.ts';
import { type Attempt, liveAttempt, setProcess } from '../../store/attempts.ts';
import { recordEvent } from '../../store/events.ts';
import { registerFile } from '../../store/files.ts';
import { insertIteration, type Iteration, iterationsOfAttempt, updateIteration } from '../../store/iterations.ts';
import { existingTask, updateTask } from '../../store/tasks.ts';
import { formatOf, invocationOf } from '../../worker/command-shape.ts';
import { logEnd, logHead } from '../../worker/log-format.ts';
import { judge, type Verdict } from '../../worker/outcome.ts';
import { pointAtLatest } from '../projections.ts';
import { type AssembledPrompt, assemblePrompt } from '../prompt/assemble.ts';
import { callOf, type Ringmaster } from '../ringmaster.ts';
import { superviseProcess } from './process.ts';
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
  /** Commits of the new worktree, which the first turn stores. */
  readonly made: Pick<AttemptRun, 'base_commit' | 'head_commit'> | undefined;
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
    log.append(logHead(settings.worker.name, number, startedAt));
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

/** `not_started`: the command could not be started, which says nothing about the task. */
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
  try {
    const end = await superviseProcess(supervisor, {
      invocation: invocationOf(settings.worker, prompt),
      folder,
      runName: `${supervisor.id}.${attempt.id}.${number}`,
      env: turnVariables(working, number),
      limits: limitsOf(working, settings.timeoutMs, settings.silenceMs),
      stopper,
      append: (text) => {
        log.append(text);
        supervisor.tell({ kind: 'output', task: attempt.task_id, attempt: attempt.id, text });
      },
      onStarted: (identity, exited) => recordProcess(working, number, identity, exited),
    });
    const { output, exitCode, signal, stopped } = end;
    const verdict = judge({
      exitCode,
      signal,
      stopped,
      lastLines: output.lastLines('out'),
      lastErrors: output.lastLines('err'),
      format: formatOf(settings.worker),
      rateLimitPatterns: settings.rateLimitPatterns,
      now: rm.clock(),
    });
    return { ...verdict, exitCode, signal, bytes: output.bytesSeen };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const cannotStart = ['ENOENT', 'EACCES', 'ENOEXEC', 'E2BIG', 'ENOTDIR', 'EISDIR', 'PROMPT_TOO_LONG'];
    if (!cannotStart.includes(code ?? '')) throw error;
    const failure = `The worker ${settings.worker.id} cannot be started: ${message}`;
    log.append(`${failure}\n`);
    const none = { costUsd: null, inputTokens: null, outputTokens: null, exitCode: null, signal: null, bytes: 0 };
    return { ...none, result: 'not_started', failure, question: undefined, rateLimitedUntil: undefined };
  } finally {
    working.holdBy(undefined);
    forgetProcess(working);
  }
}

export function turnVariables({ attempt, supervisor }: Working, number: number): Readonly<Record<string, string>> {
  return {
    RINGMASTER_TASK: attempt.task_id,
    RINGMASTER_ATTEMPT: String(attempt.number),
    RINGMASTER_ITERATION: String(number),
    RINGMASTER_ROOT: supervisor.rm.workspace.root,
  };
}

/** Time limits on the monotonic clock. All start now, except the total limit, which starts with the attempt. */
export function limitsOf({ supervisor, attempt }: Working, startToCloseMs: number, silenceMs: number) {
  const { run } = supervisor.rm.config;
  const left = run.total_timeout_seconds * SECOND - (supervisor.rm.clock() - Date.parse(attempt.started_at));
  return {
    startToCloseMs,
    silenceMs,
    deadline: supervisor.monotonic() + left,
    graceMs: run.grace_seconds * SECOND,
  };
}

/** Milliseconds. Shorter processes are not recorded: after a crash they are found by the name of their run. */
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

/** Stores the verdict. The turn stays open if tests or a review are left. */
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
    recordEvent(tx, call, {
      type: 'iteration_ended',
      entity: 'task',
      id: attempt.task_id,
      data: { token: attempt.id, iteration: number, worker_id: attempt.worker_id, result },
    });
  });
}

/** Throws if the lease is lost: the new owner has closed this turn, and its log must not change. */
async function endLog(rm: Ringmaster, attempt: number, log: LogFile, lastLines: string): ReturnType<LogFile['seal']> {
  try {
    liveAttempt(rm.store.reader, attempt);
    log.append(lastLines);
    return await log.seal();
  } finally {
    log.close();
  }
}
