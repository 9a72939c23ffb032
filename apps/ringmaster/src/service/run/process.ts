import { delay, MEBIBYTE, MINUTE, type ProcessIdentity, SECOND, systemErrorCode } from '@holdfast/base';

import {
  HELPER_VARIABLE,
  killRun,
  memoryOfRun,
  type ProcessEnd,
  RUN_VARIABLE,
  type RunningProcess,
  startProcess,
} from '../../adapters/processes.ts';
import { sandboxed } from '../../adapters/sandbox.ts';
import type { WorktreeState } from '../../adapters/worktree.ts';
import { CappedOutput } from '../../worker/capped-output.ts';
import type { Invocation } from '../../worker/command-shape.ts';
import { type Limits, nextAction, type StopReason, type Watched } from '../../worker/supervision.ts';
import type { Stopper, Supervisor } from './supervisor.ts';

export type Supervising = Pick<Supervisor, 'rm' | 'monotonic' | 'env' | 'newRedactor'>;

export interface ProcessPlan {
  readonly invocation: Invocation;
  readonly folder: string;
  /** The worktree that contains `folder`; undefined if `folder` is not in one of ringmaster's worktrees. */
  readonly worktree: Pick<WorktreeState, 'path' | 'repository'> | undefined;
  /** True if the process may use the network even in the sandbox. */
  readonly hasNetwork?: boolean;
  /** `supervisor.attempt.turn`: a name that identifies the process and all its child processes. */
  readonly runName: string;
  readonly env: Readonly<Record<string, string>>;
  readonly limits: TimeLimits;
  readonly stopper: Stopper;
  readonly append: (text: string) => void;
  readonly onStarted?: (identity: ProcessIdentity, exited: Promise<unknown>) => Promise<void>;
}

export type TimeLimits = Omit<Limits, 'memoryBytes' | 'outputBytes'>;

export interface SupervisedEnd extends ProcessEnd {
  readonly stopped: StopReason | undefined;
  readonly output: CappedOutput;
}

const startErrors: ReadonlySet<string> = new Set(['ENOENT', 'EACCES', 'ENOEXEC', 'ENOTDIR', 'EISDIR']);

/** Returns whether the command could not be started at all. Such a failure says nothing about the task. */
export function cannotStart(error: unknown): boolean {
  return startErrors.has(systemErrorCode(error) ?? '');
}

/** Runs a command until it ends or is stopped; leaves no process behind. */
export async function superviseProcess(supervisor: Supervising, plan: ProcessPlan): Promise<SupervisedEnd> {
  const { rm, monotonic } = supervisor;
  const { output_cap_kb, output_limit_mb, memory_limit_mb } = rm.config.run;
  const capBytes = output_cap_kb * 1024;
  const limits = {
    ...plan.limits,
    memoryBytes: memory_limit_mb === 0 ? Infinity : memory_limit_mb * MEBIBYTE,
    outputBytes: output_limit_mb * MEBIBYTE,
  };
  const output = new CappedOutput({ capBytes, redact: supervisor.newRedactor() });
  let lastOutputAt = monotonic();
  let wake = doNothing;
  const running = await startProcess({
    ...plan.invocation,
    ...commandOf(supervisor, plan),
    folder: plan.folder,
    env: { ...supervisor.env, ...plan.env, [RUN_VARIABLE]: plan.runName, [HELPER_VARIABLE]: undefined },
    onOutput(chunk, source) {
      lastOutputAt = monotonic();
      const text = output.push(chunk, source);
      if (text !== '') plan.append(text);
      if (output.bytesSeen <= limits.outputBytes) return;
      wake();
      wake = doNothing;
    },
  });
  try {
    const startedAt = monotonic();
    const usage = (): Usage => ({
      startedAt,
      lastOutputAt,
      outputBytes: output.bytesSeen,
      memoryBytes: memory_limit_mb === 0 ? 0 : memoryOfRun(plan.runName, running.identity.pid),
    });
    const onWake = (call: () => void): void => {
      wake = call;
      plan.stopper.onAsk(call);
    };
    const [stopped, end] = await Promise.all([
      enforceLimits(supervisor, { limits, stopper: plan.stopper, usage, onWake }, running),
      running.exited,
      plan.onStarted?.(running.identity, running.exited),
    ]);
    await endBackgroundProcesses(running, plan);
    plan.append(output.end());
    // A short process may exceed the limit and end before it can be stopped.
    const exceeded = output.bytesSeen > limits.outputBytes ? 'output' : undefined;
    return { ...end, stopped: stopped ?? exceeded, output };
  } finally {
    // Kills the process even if ringmaster's own code failed.
    running.signal('SIGKILL');
    running.abandonOutput();
  }
}

function commandOf({ rm }: Supervising, { invocation, ...plan }: ProcessPlan): Pick<Invocation, 'command' | 'args'> {
  const { command, args } = invocation;
  if (rm.config.run.sandbox === 'none') return { command, args };
  const { folder, worktree, hasNetwork = false } = plan;
  const readable = [rm.workspace.root, rm.workspace.filesPath, worktree?.repository ?? folder];
  return sandboxed({ command, args, folder, worktree: worktree?.path, readable, hasNetwork });
}

type Usage = Omit<Watched, 'asked' | 'stopping'>;

interface Enforcing {
  readonly limits: Limits;
  readonly stopper: Stopper;
  readonly usage: () => Usage;
  /** Sets the function to call when a stop is requested or the output limit is exceeded. */
  readonly onWake: (wake: () => void) => void;
}

/** Interval between memory measurements of a run with a memory limit. */
const MEASURE_EVERY = SECOND;

/** Stops the process when a limit is reached or a stop is requested; returns the reason, if any. */
async function enforceLimits(
  { monotonic }: Supervising,
  { limits, stopper, usage, onWake }: Enforcing,
  running: RunningProcess,
): Promise<StopReason | undefined> {
  const life = { isOver: false, wake: doNothing };
  let stopping: Watched['stopping'];
  const lookEvery = limits.memoryBytes === Infinity ? MINUTE : MEASURE_EVERY;
  onWake(() => life.wake());
  const over = running.exited.then(() => {
    life.isOver = true;
    return life.wake();
  });
  while (!life.isOver) {
    const now = monotonic();
    const watched = { ...usage(), asked: stopper.asked, stopping };
    const action = nextAction(watched, limits, now);
    if (action.kind === 'wait') {
      const woken = new AbortController();
      life.wake = () => woken.abort();
      // New output can only postpone the deadline. So at worst this wakes up too early, which is harmless.
      await delay(Math.min(Math.max(action.until - now, 1), lookEvery), woken.signal);
      continue;
    }
    stopping = { reason: action.reason, since: stopping?.since ?? now, isKilled: action.kind === 'kill' };
    running.signal(action.kind === 'kill' ? 'SIGKILL' : 'SIGTERM');
    // A suspended process handles SIGTERM only after SIGCONT.
    if (action.kind === 'terminate') running.signal('SIGCONT');
  }
  await over;
  onWake(doNothing);
  return stopping?.reason;
}

const CLOSE_WAIT = 2 * SECOND;
const LOOK_EVERY = 20;

/** Ends background processes of a finished command: SIGTERM first, then SIGKILL. */
async function endBackgroundProcesses(running: RunningProcess, { limits, runName }: ProcessPlan): Promise<void> {
  if (running.signal('SIGTERM')) {
    running.signal('SIGCONT');
    for (let waited = 0; waited < limits.graceMs && running.hasGroup(); waited += LOOK_EVERY) await delay(LOOK_EVERY);
    running.signal('SIGKILL');
  }
  const isClosed = await Promise.race([running.closed.then(() => true), delay(0).then(() => false)]);
  // Also kills processes that left the group. Their environment identifies them.
  killRun(runName, running.identity.pid);
  if (!isClosed) await Promise.race([running.closed, delay(CLOSE_WAIT, undefined, false)]);
  running.abandonOutput();
}

function doNothing(): void {}
