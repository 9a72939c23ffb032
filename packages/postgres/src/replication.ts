import { isHoldfastError } from '@holdfast/base';

import { codeOf } from './errors.ts';
import type { Reader } from './reader.ts';

export interface ReplicationProblem {
  /** `waiting`: the server must wait for a standby, but none is connected, so every commit waits. */
  readonly kind: 'waiting' | 'lagging';
  readonly message: string;
}

/** With a larger lag, a failover takes a long time, or loses a lot of data if replication is asynchronous. */
const LAG_BYTES_MAX = 64 * 1_024 * 1_024;

/**
 * A user without the role `pg_monitor` sees that standbys are connected, but not their state or lag. A standby with
 * unknown state counts as synchronous here.
 */
const STATE = `SELECT current_setting('synchronous_standby_names') <> '',
  count(r.pid) FILTER (WHERE coalesce(r.sync_state, 'sync') IN ('sync', 'quorum'))::int,
  max(pg_wal_lsn_diff(pg_current_wal_lsn(), r.replay_lsn))::float8
  FROM (VALUES (1)) one LEFT JOIN pg_stat_replication r ON true`;

type StateRow = [waits: boolean, synchronous: number, lagBytes: number | null];

/** Returns the problems with the primary's standbys. */
export async function replicationProblems(reader: Reader): Promise<readonly ReplicationProblem[]> {
  const [waits, synchronous, lagBytes] = await stateOf(reader);
  if (waits && synchronous === 0) {
    return [{ kind: 'waiting', message: 'no synchronous standby is connected, so every commit waits' }];
  }
  if (lagBytes === null || lagBytes <= LAG_BYTES_MAX) return [];
  return [{ kind: 'lagging', message: `a standby is ${Math.round(lagBytes / 1_048_576)} MiB behind` }];
}

async function stateOf(reader: Reader): Promise<StateRow> {
  const unknown: StateRow = [false, 0, null];
  try {
    return (await reader.rows<StateRow>(STATE, []))[0] ?? unknown;
  } catch (error) {
    // A compatible database may lack these functions, views or settings.
    const cause = isHoldfastError(error) ? error.cause : error;
    if (/^(42|0A)/.test(codeOf(cause ?? error))) return unknown;
    throw error;
  }
}
