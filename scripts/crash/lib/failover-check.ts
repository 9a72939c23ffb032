import type { EngineCommit } from '@holdfast/keyspace';

import { type Counts, violate } from './campaign.ts';
import {
  counter,
  findViolation,
  lease,
  type LeaseInput,
  type Model,
  type Operation,
  register,
} from './linearizability.ts';

/**
 * One operation of a client, as `failover-client` prints it. Times are in milliseconds of the system's monotonic clock.
 */
export interface FailoverOperation {
  readonly client: string;
  readonly kind: 'write' | 'read' | 'lease';
  readonly n: number;
  readonly called: number;
  /** Null if the outcome of the operation is in doubt. */
  readonly returned: number | null;
  readonly error?: string;
  readonly revision?: number;
  readonly value?: string;
  readonly count?: number;
  /** The fence of the lease that the client releases; undefined if it acquires the lease. */
  readonly release?: number | undefined;
  readonly fence?: number;
}

/** The commits that a process's watcher has seen since its previous report. */
export interface WatchedCommits {
  readonly client: string;
  readonly kind: 'watch';
  readonly after: number;
  /** The newest revision at the end of the cycle. */
  readonly newest: number;
  readonly revisions: readonly number[];
  readonly error?: string;
}

export function checkWatch({ client, after, newest, revisions, error }: WatchedCommits, counts: Counts): void {
  if (error !== undefined) violate(counts, 'partial', `the watcher of ${client}: ${error}`);
  for (const [index, revision] of revisions.entries()) {
    const expected = after + 1 + index;
    if (revision === expected) continue;
    violate(counts, 'phantom', `the watcher of ${client} saw revision ${revision} instead of ${expected}`);
    return;
  }
  const last = after + revisions.length;
  if (last < newest && error === undefined)
    violate(counts, 'lost', `the watcher of ${client} saw only ${last} of ${newest} commits`);
}

/**
 * Compares the operations of one cycle with the journal of the server that is the primary at the end.
 *
 * - lost: an acknowledged commit is missing
 * - phantom: a commit was applied twice or has another revision, or no order of the operations explains all answers
 * - partial: the journal has a gap, the counter does not match the commits, or a client got an error
 */
export function checkCycle(
  cycle: number,
  operations: readonly FailoverOperation[],
  journal: readonly EngineCommit[],
  counts: Counts,
): void {
  const revisions = new Map<string, number>();
  let counted = 0;
  for (const [index, { revision, changes }] of journal.entries()) {
    if (revision !== journal[0]!.revision + index) violate(counts, 'partial', `revision ${revision} follows a gap`);
    for (const { key, after } of changes) {
      if (key === `counter/${cycle}`) counted = Number(after);
      if (!key.startsWith(`commit/${cycle}/`)) continue;
      if (revisions.has(key)) violate(counts, 'phantom', `${key} was written twice`);
      revisions.set(key, revision);
    }
  }
  if (counted !== revisions.size) violate(counts, 'partial', `${counted} counted, but ${revisions.size} commits`);
  for (const { client, kind, n, revision, error } of operations) {
    if (error !== undefined) violate(counts, 'partial', `client ${client}: ${error}`);
    if (kind !== 'write' || revision === undefined) continue;
    counts.acknowledged += 1;
    const found = revisions.get(`commit/${cycle}/${client}/${n}`);
    if (found === undefined) violate(counts, 'lost', `commit ${n} of client ${client}, revision ${revision}`);
    else if (found !== revision) violate(counts, 'phantom', `revision ${found} was acknowledged as ${revision}`);
  }
  checkHistories(operations, counts);
}

function checkHistories(operations: readonly FailoverOperation[], counts: Counts): void {
  const completed = operations.filter(({ error }) => error === undefined);
  const values = completed.filter(({ kind }) => kind !== 'lease');
  report(counts, 'register', register, values.map(asRegister));
  report(counts, 'counter', counter, values.map(asCounter));
  report(counts, 'lease', lease, completed.filter(({ kind }) => kind === 'lease').map(asLease));
}

function report<State, Input, Output>(
  counts: Counts,
  name: string,
  model: Model<State, Input, Output>,
  history: readonly Operation<Input, Output>[],
): void {
  const stuck = findViolation(model, history);
  if (stuck !== undefined) violate(counts, 'phantom', `the ${name} is not linearizable at ${JSON.stringify(stuck)}`);
}

type Times = Pick<Operation<unknown, unknown>, 'client' | 'called' | 'returned'>;

const timesOf = ({ client, called, returned }: FailoverOperation): Times => ({
  client,
  called,
  returned: returned ?? Infinity,
});

function asRegister(one: FailoverOperation): Operation<{ write?: string }, { value?: string }> {
  const isWrite = one.kind === 'write';
  return {
    ...timesOf(one),
    input: isWrite ? { write: `${one.client}-${one.n}` } : {},
    output: one.returned === null ? undefined : isWrite ? {} : { value: one.value! },
  };
}

function asCounter(one: FailoverOperation): Operation<{ add: number }, { value?: number }> {
  const isWrite = one.kind === 'write';
  return {
    ...timesOf(one),
    input: { add: isWrite ? 1 : 0 },
    output: one.returned === null ? undefined : isWrite ? {} : { value: one.count! },
  };
}

function asLease(one: FailoverOperation): Operation<LeaseInput, { fence: number }> {
  return {
    ...timesOf(one),
    input: one.release === undefined ? { acquire: one.client } : { release: one.release },
    output: one.returned === null ? undefined : { fence: one.fence! },
  };
}
