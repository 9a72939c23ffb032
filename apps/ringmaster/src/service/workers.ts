import { createHash } from 'node:crypto';

import { ringmasterErrors } from '../model/errors.ts';
import { checkId } from '../model/ids.ts';
import type { WorkerConfig } from '../model/config.ts';
import { recordEvent } from '../store/events.ts';
import { setMeta } from '../store/meta.ts';
import { type WorkerStats, workerStats } from '../store/metrics.ts';
import {
  drainWorker,
  existingWorker,
  listWorkers,
  putWorker,
  stopWorker,
  takeUpWorker,
  wakeWorker,
  type Worker,
  type WorkerSettings,
} from '../store/workers.ts';
import { callOf, type Ringmaster } from './ringmaster.ts';

export interface NewWorker {
  readonly id: string;
  readonly name?: string | undefined;
  readonly type: string;
  readonly command: string;
  readonly args?: readonly string[] | undefined;
  readonly capabilities?: readonly string[] | undefined;
  readonly max_concurrent?: number | undefined;
  readonly timeout_seconds?: number | undefined;
}

const TIMEOUT_SECONDS = 1_800;

export function addWorker(rm: Ringmaster, input: NewWorker): Promise<Worker> {
  const call = callOf(rm);
  const id = checkId(input.id);
  return rm.store.write(`worker add ${id}`, (tx) => {
    if (listWorkers(tx).some((worker) => worker.id === id)) {
      throw ringmasterErrors.WORKER_EXISTS(`There is a worker ${id}`);
    }
    const settings = withVersion({
      id,
      name: input.name ?? id,
      type: input.type,
      command: input.command,
      args: JSON.stringify(input.args ?? []),
      prompt_flag: null,
      working_dir: null,
      timeout_seconds: input.timeout_seconds ?? TIMEOUT_SECONDS,
      max_concurrent: input.max_concurrent ?? 1,
      capabilities: JSON.stringify(input.capabilities ?? []),
      from_config: 0,
    });
    putWorker(tx, settings, call.now);
    recordEvent(tx, call, { type: 'worker_added', entity: 'worker', id, after: settings });
    return existingWorker(tx, id);
  });
}

/** Every worker with its statistics. */
export function allWorkers({ store }: Ringmaster): readonly (Worker & WorkerStats)[] {
  const stats = new Map(workerStats(store.reader).map((each) => [each.worker_id, each]));
  return listWorkers(store.reader).flatMap((worker) => {
    const metrics = stats.get(worker.id);
    return metrics === undefined ? [] : [{ ...worker, ...metrics }];
  });
}

/** When all workers were paused; empty if they are not. */
export const PAUSED = 'run_paused';

/** Supervisors start nothing new while paused; running tasks continue. */
export function pauseAll(rm: Ringmaster, { paused }: { readonly paused: boolean }): Promise<void> {
  const call = callOf(rm);
  return rm.store.write(`run ${paused ? 'paused' : 'resumed'}`, (tx) => {
    setMeta(tx, PAUSED, paused ? call.now : '');
    recordEvent(tx, call, { type: paused ? 'run_paused' : 'run_resumed', entity: 'store', id: 'run' });
  });
}

/** A paused worker gets no new tasks; it finishes what it has. */
export function pauseWorker(
  rm: Ringmaster,
  { worker: id, paused }: { readonly worker: string; readonly paused: boolean },
): Promise<Worker> {
  const isOnline = !paused;
  const call = callOf(rm);
  return rm.store.write(`worker ${isOnline ? 'on' : 'off'} ${id}`, (tx) => {
    const before = existingWorker(tx, id);
    if (isOnline) wakeWorker(tx, id);
    else stopWorker(tx, id, call.now);
    const after = existingWorker(tx, id);
    recordEvent(tx, call, {
      type: isOnline ? 'worker_online' : 'worker_offline',
      entity: 'worker',
      id,
      before: { status: before.status },
      after: { status: after.status, is_draining: after.is_draining },
    });
    return after;
  });
}

/** A worker that a person paused stays paused; one that ringmaster.toml names again must not stay draining. */
function isAwake({ is_draining, paused_at }: Worker): boolean {
  return is_draining === 0 || paused_at !== null;
}

/** Applies ringmaster.toml to the workers it names. A worker it no longer names drains and goes offline. */
export async function syncWorkers(rm: Ringmaster): Promise<void> {
  const wanted = rm.config.workers.map(settingsOf);
  const isCurrent = (): boolean => {
    const known = listWorkers(rm.store.reader).filter((worker) => worker.from_config === 1);
    const versions = new Map(known.map((worker) => [worker.id, isAwake(worker) ? worker.config_version : '']));
    const named = new Set(wanted.map(({ id }) => id));
    return (
      wanted.every(({ id, config_version }) => versions.get(id) === config_version) &&
      known.every((worker) => named.has(worker.id) || worker.is_draining === 1)
    );
  };
  if (isCurrent()) return;
  const call = callOf(rm);
  await rm.store.write('workers of ringmaster.toml', (tx) => {
    for (const settings of wanted) {
      putWorker(tx, settings, call.now);
      takeUpWorker(tx, settings.id);
    }
    for (const worker of listWorkers(tx)) {
      if (worker.from_config !== 1 || wanted.some(({ id }) => id === worker.id)) continue;
      drainWorker(tx, worker.id);
    }
    const after = wanted.map(({ id, config_version }) => ({ id, config_version }));
    recordEvent(tx, call, { type: 'workers_configured', entity: 'store', id: 'ringmaster.toml', after });
  });
}

function settingsOf(worker: WorkerConfig): WorkerSettings {
  return withVersion(
    {
      id: checkId(worker.id === '' ? worker.name : worker.id),
      name: worker.name,
      type: worker.type,
      command: worker.command,
      args: JSON.stringify(worker.args),
      prompt_flag: worker.prompt_flag === '' ? null : worker.prompt_flag,
      working_dir: worker.working_dir === '' ? null : worker.working_dir,
      timeout_seconds: worker.timeout_seconds,
      max_concurrent: worker.max_concurrent,
      capabilities: JSON.stringify(worker.capabilities),
      from_config: 1,
    },
    worker,
  );
}

/** Hashes all settings, including those stored only in ringmaster.toml, so that each attempt records what it ran with. */
function withVersion(settings: Omit<WorkerSettings, 'config_version'>, all: unknown = settings): WorkerSettings {
  const version = createHash('sha256').update(JSON.stringify(all)).digest('hex').slice(0, 16);
  return { ...settings, config_version: version };
}
