import { delay, MINUTE, type ProcessIdentity, SECOND } from '@holdfast/base';

import {
  HELPER_VARIABLE,
  killRun,
  type ProcessEnd,
  RUN_VARIABLE,
  type RunningProcess,
  startProcess,
} from '../../adapters/processes.ts';
import { CappedOutput } from '../../worker/capped-output.ts';
import type { Invocation } from '../../worker/command-shape.ts';
import { type Limits, nextAction, type StopReason, type Watched } from '../../worker/supervision.ts';
import type { Stopper, Supervisor } from './supervisor.ts';

export interface ProcessPlan {
  readonly invocation: Invocation;
  readonly folder: string;
  /** `supervisor.attempt.turn`: a name that identifies the process and all its child processes. */
  readonly runName: string;
  readonly env: Readonly<Record<string, string>>;
  readonly limits: Limits;
  readonly stopper: Stopper;
  readonly append: (text: string) => void;
  readonly onStarted?: (identity: ProcessIdentity, exited: Promise<unknown>) => Promise<void>;
}

export interface SupervisedEnd extends ProcessEnd {
  readonly stopped: StopReason | undefined;
  readonly output: CappedOutput;
}

/** Runs a command until it ends or is stopped; leaves no process behind. */
export async function superviseProcess(supervisor: Supervisor, plan: ProcessPlan): Promise<SupervisedEnd> {
  const { rm, monotonic } = supervisor;
  const capBytes = rm.config.run.output_cap_kb * 1024;
  const output = new CappedOutput({ capBytes, redact: supervisor.newRedactor() });
  let lastOutputAt = monotonic();
  const running = await startProcess({
    ...plan.invocation,
    folder: plan.folder,
    env: { ...supervisor.env, ...plan.env, [RUN_VARIABLE]: plan.runName, [HELPER_VARIABLE]: undefined },
    onOutput(chunk, source) {
      lastOutputAt = monotonic();
      const text = output.push(chunk, source);
      if (text !== '') plan.append(text);
    },
  });
  try {
    const watched = { startedAt: monotonic(), lastOutputAt: () => lastOutputAt };
    const [stopped, end] = await Promise.all([
      enforceLimits(supervisor, plan, running, watched),
      running.exited,
      plan.onStarted?.(running.identity, running.exited),
    ]);
    await endBackgroundProcesses(running, plan);
    plan.append(output.end());
    return { ...end, stopped, output };
  } finally {
    // Kills the process even if ringmaster's own code failed.
    running.signal('SIGKILL');
    running.abandonOutput();
  }
}

interface Since {
  readonly startedAt: number;
  readonly lastOutputAt: () => number;
}

/** Stops the process when a limit is reached or a stop is requested; returns the reason, if any. */
async function enforceLimits(
  { monotonic }: Supervisor,
  { limits, stopper }: ProcessPlan,
  running: RunningProcess,
  { startedAt, lastOutputAt }: Since,
): Promise<StopReason | undefined> {
  const life = { isOver: false, wake: doNothing };
  let stopping: Watched['stopping'];
  stopper.onAsk(() => life.wake());
  const over = running.exited.then(() => {
    life.isOver = true;
    return life.wake();
  });
  while (!life.isOver) {
    const now = monotonic();
    const watched = { startedAt, lastOutputAt: lastOutputAt(), asked: stopper.asked, stopping };
    const action = nextAction(watched, limits, now);
    if (action.kind === 'wait') {
      const woken = new AbortController();
      life.wake = () => woken.abort();
      // Output meanwhile only postpones the deadline, so waking up at the old one is harmless.
      await delay(Math.min(Math.max(action.until - now, 1), MINUTE), woken.signal);
      continue;
    }
    stopping = { reason: action.reason, since: stopping?.since ?? now, isKilled: action.kind === 'kill' };
    running.signal(action.kind === 'kill' ? 'SIGKILL' : 'SIGTERM');
    // A suspended process handles SIGTERM only after SIGCONT.
    if (action.kind === 'terminate') running.signal('SIGCONT');
  }
  await over;
  stopper.onAsk(doNothing);
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
  // Finds processes that left the group by their environment.
  killRun(runName, running.identity.pid);
  if (!isClosed) await Promise.race([running.closed, delay(CLOSE_WAIT, undefined, false)]);
  running.abandonOutput();
}

function doNothing(): void {}
