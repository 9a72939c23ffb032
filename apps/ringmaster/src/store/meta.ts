import { parseStoredObject } from '@holdfast/base';

import { ringmasterErrors } from '../model/errors.ts';
import type { ReportedFinish } from '../worker/next-step.ts';
import type { Tx } from './open.ts';

export function setMeta(tx: Tx, key: string, value: string | number): void {
  tx.run('INSERT OR REPLACE INTO ringmaster_meta (key, value) VALUES (?, ?)', key, value);
}

export function graphVersion(tx: Tx): number {
  return Number(metaText(tx, 'graph_version'));
}

/** Returns the stored text; empty if it was never set. */
export function metaText(tx: Tx, key: string): string {
  return String(
    tx.get<{ value: number | string }>('SELECT value FROM ringmaster_meta WHERE key = ?', key)?.value ?? '',
  );
}

interface Sighting {
  readonly until: string;
  /** Milliseconds on the machine's monotonic clock, which does not jump when the system time is set. */
  readonly since: number;
}
/** Time at which ringmaster first saw that an attempt's lease had expired, by attempt id. */
export type ExpiredLeases = Map<number, Sighting>;

type Sightings = readonly (readonly [number, Sighting])[];

const LEASES_KEY = 'expired_leases';

/** Returns the expired leases that earlier processes have seen since the machine started. */
export function readExpiredLeases(tx: Tx, boot: string | null): ExpiredLeases {
  const text = metaText(tx, LEASES_KEY);
  if (text === '') return new Map();
  const stored = parseStoredObject(text) as { readonly boot: string | null; readonly seen: Sightings };
  return new Map(stored.boot === boot ? stored.seen : []);
}

export function writeExpiredLeases(tx: Tx, boot: string | null, seen: Sightings): void {
  setMeta(tx, LEASES_KEY, JSON.stringify({ boot, seen }));
}

export interface MaintenanceOwner {
  readonly pid: number;
  readonly start: string | null;
  readonly boot: string | null;
}

const OWNER_KEY = 'maintenance_owner';

export function maintenanceOwner(tx: Tx): MaintenanceOwner | undefined {
  const text = metaText(tx, OWNER_KEY);
  return text === '' ? undefined : (parseStoredObject(text) as MaintenanceOwner);
}

export function claimMaintenance(
  tx: Tx,
  owner: MaintenanceOwner,
  isWorking: (owner: MaintenanceOwner) => boolean,
): void {
  const other = maintenanceOwner(tx);
  if (other !== undefined && other.pid !== owner.pid && isWorking(other)) {
    throw ringmasterErrors.MAINTENANCE_RUNNING(`Process ${other.pid} already runs maintenance on this database`);
  }
  setMeta(tx, OWNER_KEY, JSON.stringify(owner));
}

export function releaseMaintenance(tx: Tx): void {
  setMeta(tx, OWNER_KEY, '');
}

/** A process that runs workers, as it registered itself. */
export interface RegisteredSupervisor extends MaintenanceOwner {
  readonly id: string;
  readonly slots: number;
  readonly started_at: string;
  readonly started_by: string;
  readonly stop_requested_at: string | null;
}

const SUPERVISORS_KEY = 'supervisors';

export function registeredSupervisors(tx: Tx): readonly RegisteredSupervisor[] {
  const text = metaText(tx, SUPERVISORS_KEY);
  return text === '' ? [] : (parseStoredObject(text) as { readonly list: readonly RegisteredSupervisor[] }).list;
}

export function writeSupervisors(tx: Tx, list: readonly RegisteredSupervisor[]): void {
  setMeta(tx, SUPERVISORS_KEY, JSON.stringify({ list }));
}

/** The server whose tasks this workspace's supervisor works on. */
export interface ServerBinding {
  readonly url: string;
  /** Id of the workspace on the server. */
  readonly workspace: string;
  readonly machine: string;
  /** Secret with which the server recognises this machine. */
  readonly key: string;
}

const SERVER_KEY = 'server';

export function serverBinding(tx: Tx): ServerBinding | undefined {
  const text = metaText(tx, SERVER_KEY);
  return text === '' ? undefined : (parseStoredObject(text) as ServerBinding);
}

export function bindServer(tx: Tx, binding: ServerBinding): void {
  setMeta(tx, SERVER_KEY, JSON.stringify(binding));
}

/** A task that this machine has claimed from its server and not reported yet. */
export interface ServerTask {
  readonly token: number;
  readonly task: string;
  readonly branch: string;
  readonly base: string;
  readonly from: string;
  /** Address of the remote repository. */
  readonly url: string;
  readonly leaseSeconds: number;
  /** The report that the server has not accepted yet. */
  readonly report?: ReportedFinish;
  /** Last commit of the reported work; null if there was no worktree. */
  readonly head?: string | null;
}

const SERVER_TASKS_KEY = 'server_tasks';

export function serverTasks(tx: Tx): readonly ServerTask[] {
  const text = metaText(tx, SERVER_TASKS_KEY);
  return text === '' ? [] : (parseStoredObject(text) as { readonly list: readonly ServerTask[] }).list;
}

export function putServerTask(tx: Tx, task: ServerTask): void {
  writeServerTasks(tx, [...serverTasks(tx).filter(({ token }) => token !== task.token), task]);
}

export function removeServerTask(tx: Tx, token: number): void {
  writeServerTasks(
    tx,
    serverTasks(tx).filter((task) => task.token !== token),
  );
}

function writeServerTasks(tx: Tx, list: readonly ServerTask[]): void {
  setMeta(tx, SERVER_TASKS_KEY, JSON.stringify({ list }));
}
