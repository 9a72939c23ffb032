import { isAbsolute, join } from 'node:path';

import { MINUTE, monotonicClock, SECOND } from '@holdfast/base';

import { requireSandbox } from '../../adapters/sandbox.ts';
import { hasChanges, makeThrowAwayRepository, type ThrowAwayRepository } from '../../adapters/worktree.ts';
import { listWorkers } from '../../store/workers.ts';
import { formatOf, type Invocation, invocationOf } from '../../worker/command-shape.ts';
import { workerEnvironment } from '../../worker/environment.ts';
import { judge } from '../../worker/outcome.ts';
import { redactor } from '../../worker/redact.ts';
import type { Ringmaster } from '../ringmaster.ts';
import { cannotStart, superviseProcess } from './process.ts';
import { isRunnable, requireRunnable, type RunSettings, settingsFor } from './settings.ts';
import { Stopper } from './supervisor.ts';

export interface WorkerCheck {
  readonly worker_id: string;
  readonly type: string;
  readonly command: readonly string[];
  /** `ok`, or the kind of problem. */
  readonly result: string;
  /** Text for people; null if the worker has no problem. */
  readonly problem: string | null;
  readonly seconds: number;
}

const FILE = 'ringmaster-check.txt';
const PROMPT = `Create a file named ${FILE} in the current directory with the word ok in it. Change nothing else and run no
other commands. Then print \`✓ Task complete\` at the beginning of a line.
`;
const TIME_MAX = 5 * MINUTE;

export interface CheckOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  readonly pid: number;
}

/** Checks whether each worker is logged in and can write: gives it a trivial task in a temporary repository. */
export async function checkWorkers(rm: Ringmaster, options: CheckOptions): Promise<readonly WorkerCheck[]> {
  requireRunnable(rm);
  if (rm.config.run.sandbox === 'bwrap') await requireSandbox(options.env);
  const workers = listWorkers(rm.store.reader).filter(isRunnable);
  return Promise.all(workers.map(({ id }) => checkWorker(rm, settingsFor(rm, '', id), options)));
}

async function checkWorker(rm: Ringmaster, settings: RunSettings, options: CheckOptions): Promise<WorkerCheck> {
  const startedAt = monotonicClock();
  const repository = await makeThrowAwayRepository({ name: 'prompt.md', text: PROMPT });
  try {
    const { worker, folder } = settings;
    const isRelative = worker.command.includes('/') && !isAbsolute(worker.command);
    const command = isRelative ? join(folder, worker.command) : worker.command;
    const { args, stdin } = invocationOf(worker, { text: PROMPT, path: join(repository.path, 'prompt.md') });
    const found = await tryWorker(rm, settings, repository, { ...options, invocation: { command, args, stdin } });
    const seconds = Math.round((monotonicClock() - startedAt) / SECOND);
    return { worker_id: worker.id, type: worker.type, command: [command, ...args], ...found, seconds };
  } finally {
    await repository.remove();
  }
}

interface Try extends CheckOptions {
  readonly invocation: Invocation;
}

type Found = Pick<WorkerCheck, 'result' | 'problem'>;

async function tryWorker(
  rm: Ringmaster,
  { worker, timeoutMs, rateLimitPatterns }: RunSettings,
  repository: ThrowAwayRepository,
  { env, signal, pid, invocation }: Try,
): Promise<Found> {
  const { secret_patterns: patterns, secret_env: names, grace_seconds } = rm.config.run;
  const newRedactor = () => redactor({ patterns, names, env });
  const stopper = new Stopper();
  const stop = (): void => stopper.ask('shutdown');
  signal.addEventListener('abort', stop);
  const limit = Math.min(timeoutMs, TIME_MAX);
  try {
    const { output, ...end } = await superviseProcess(
      { rm, env: workerEnvironment(env), newRedactor, monotonic: monotonicClock },
      {
        invocation,
        folder: repository.path,
        worktree: repository,
        runName: `${pid}-check.${worker.id}`,
        env: { RINGMASTER_ROOT: rm.workspace.root },
        limits: { startToCloseMs: limit, silenceMs: limit, deadline: Infinity, graceMs: grace_seconds * SECOND },
        stopper,
        append: () => undefined,
      },
    );
    const verdict = judge({
      ...end,
      lastLines: output.lastLines('out'),
      lastErrors: output.lastLines('err'),
      format: formatOf(worker),
      hasChanged: await hasChanges(repository),
      rateLimitPatterns,
      now: rm.clock(),
    });
    if (verdict.result === 'success' && verdict.note === undefined) return { result: 'ok', problem: null };
    if (verdict.result === 'success' || verdict.result === 'no_change') {
      return { result: 'cannot_write', problem: verdict.failure ?? 'The worker ended without writing a file' };
    }
    return { result: verdict.result, problem: verdict.failure ?? verdict.question ?? null };
  } catch (error) {
    if (!cannotStart(error)) throw error;
    return { result: 'missing', problem: `The command "${invocation.command}" cannot be started: ${String(error)}` };
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
