import { isLeaseFree, type ProcessIdentity } from '@holdfast/base';

import { codexErrors } from '../model/errors.ts';
import type { Transaction } from './open.ts';
import { get, run } from './sql.ts';

export interface LaneRow {
  readonly notebook_id: number;
  readonly owner: string | null;
  readonly pid: number | null;
  readonly pid_start: string | null;
  readonly boot_id: string | null;
  readonly fence: number;
  readonly lease_until: number;
}

export interface Lease {
  readonly notebookId: number;
  readonly owner: string;
  readonly fence: number;
}

export function laneOf(tx: Transaction, notebookId: number): LaneRow | undefined {
  return get<LaneRow>(tx)`SELECT * FROM lanes WHERE notebook_id = ${notebookId}`;
}

export interface LaneRequest {
  readonly notebookId: number;
  readonly owner: string;
  readonly process: ProcessIdentity;
  readonly now: number;
  readonly leaseUntil: number;
}

/**
 * Returns whether `owner` may take the lane: nobody holds it, `owner` already holds it, or the holder's lease or
 * process has ended.
 */
export function isLaneFree(row: LaneRow, owner: string, now: number): boolean {
  const { pid, pid_start: start, boot_id: boot } = row;
  if (row.owner === null || row.owner === owner || pid === null) return true;
  return isLeaseFree(row.lease_until, { pid, start, boot }, now);
}

/** Takes the lane; undefined if another process holds it. Each new owner gets a higher fence. */
export function takeLane(tx: Transaction, request: LaneRequest): Lease | undefined {
  const row = laneOf(tx, request.notebookId);
  if (row === undefined || !isLaneFree(row, request.owner, request.now)) return undefined;
  const fence = row.fence + 1;
  run(tx)`UPDATE lanes SET owner = ${request.owner}, pid = ${request.process.pid}, pid_start =
    ${request.process.start}, boot_id = ${request.process.boot}, fence = ${fence}, lease_until =
    ${request.leaseUntil} WHERE notebook_id = ${request.notebookId}`;
  return { notebookId: request.notebookId, owner: request.owner, fence };
}

/** Called in every write of a lane, because a process that lost its lease must not write. */
export function checkFence(tx: Transaction, { notebookId, fence, owner }: Lease): void {
  const row = laneOf(tx, notebookId);
  if (row?.fence === fence && row.owner === owner) return;
  throw codexErrors.LANE_LOST(`Another process took over notebook ${notebookId}`);
}

export function renewLane(tx: Transaction, lease: Lease, leaseUntil: number): void {
  checkFence(tx, lease);
  run(tx)`UPDATE lanes SET lease_until = ${leaseUntil} WHERE notebook_id = ${lease.notebookId}`;
}

export function freeLane(tx: Transaction, lease: Lease): void {
  run(tx)`UPDATE lanes SET owner = NULL, lease_until = 0 WHERE notebook_id = ${lease.notebookId}
    AND fence = ${lease.fence}`;
}
