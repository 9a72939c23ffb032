export type StopReason =
  | 'timeout'
  | 'silence'
  | 'total_timeout'
  | 'memory'
  | 'output'
  | 'cancelled'
  | 'attached'
  | 'lease_lost'
  | 'shutdown'
  | 'budget';

export interface Limits {
  readonly startToCloseMs: number;
  readonly silenceMs: number;
  /** Time at which the attempt reaches its total time limit. */
  readonly deadline: number;
  readonly graceMs: number;
  readonly memoryBytes: number;
  readonly outputBytes: number;
}

export interface Watched {
  readonly startedAt: number;
  readonly lastOutputAt: number;
  /** Memory of the process and all its child processes. */
  readonly memoryBytes: number;
  readonly outputBytes: number;
  /** Stop requested by a person, a shutdown or a lost lease. */
  readonly asked: StopReason | undefined;
  readonly stopping: { readonly reason: StopReason; readonly since: number; readonly isKilled: boolean } | undefined;
}

export type Action =
  | { readonly kind: 'wait'; readonly until: number }
  | { readonly kind: 'terminate'; readonly reason: StopReason }
  | { readonly kind: 'kill'; readonly reason: StopReason };

export function nextAction(watched: Watched, limits: Limits, now: number): Action {
  const { stopping } = watched;
  if (stopping !== undefined) {
    // After a lost lease, kills the process immediately, because the task already has a new owner.
    const killAt = stopping.since + (stopping.reason === 'lease_lost' ? 0 : limits.graceMs);
    if (stopping.isKilled) return { kind: 'wait', until: Infinity };
    return now >= killAt ? { kind: 'kill', reason: stopping.reason } : { kind: 'wait', until: killAt };
  }
  if (watched.asked !== undefined) return { kind: 'terminate', reason: watched.asked };
  if (watched.memoryBytes > limits.memoryBytes) return { kind: 'terminate', reason: 'memory' };
  if (watched.outputBytes > limits.outputBytes) return { kind: 'terminate', reason: 'output' };
  const ends: readonly (readonly [StopReason, number])[] = [
    ['timeout', watched.startedAt + limits.startToCloseMs],
    ['silence', watched.lastOutputAt + limits.silenceMs],
    ['total_timeout', limits.deadline],
  ];
  const due = ends.find(([, at]) => now >= at);
  if (due !== undefined) return { kind: 'terminate', reason: due[0] };
  return { kind: 'wait', until: Math.min(...ends.map(([, at]) => at)) };
}
