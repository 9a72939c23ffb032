import { createHash } from 'node:crypto';

import type { WorkerConfig } from '../model/config.ts';
import { ringmasterErrors } from '../model/errors.ts';
import { checkId } from '../model/ids.ts';
import { textList } from '../model/texts.ts';
import type { NewWorker, ShownWorker } from '../operations/workers.ts';
import { type Call, recordEvent } from '../store/events.ts';
import { setMeta } from '../store/meta.ts';
import type { Tx } from '../store/open.ts';
import * as workerStore from '../store/workers.ts';
import { callOf, type Ringmaster } from './ringmaster.ts';

const TIMEOUT_SECONDS = 1_800;

export async function addWorker(rm: Ringmaster, input: NewWorker): Promise<ShownWorker> {
  const call = callOf(rm);
  const id = checkId(input.worker);
  await rm.store.write(`worker add ${id}`, (tx) => {
    if (workerStore.listWorkers(tx).some((worker) => worker.id === id)) {
      throw ringmasterErrors.WORKER_EXISTS(`A worker ${id} already exists`);
    }
    const settings = withVersion({
      id,
      name: input.name ?? id,
      type: input.type ?? 'manual',
      command: input.command ?? '',
      args: '[]',
      prompt_flag: null,
      working_dir: null,
      timeout_seconds: input.timeout_seconds ?? TIMEOUT_SECONDS,
      max_concurrent: input.max_concurrent ?? 1,
      capabilities: JSON.stringify(input.capabilities ?? []),
      from_config: 0,
    });
    workerStore.putWorker(tx, settings, call.now);
    recordEvent(tx, call, { type: 'worker_added', entity: 'worker', id, after: settings });
  });
  const added = allWorkers(rm).find((one) => one.id === id);
  if (added === undefined) throw ringmasterErrors.WORKER_NOT_FOUND(`There is no worker ${id}`);
  return added;
}

export function allWorkers({ store }: Ringmaster): readonly ShownWorker[] {
  const workers = new Map(workerStore.listWorkers(store.reader).map((worker) => [worker.id, worker]));
  return workerStore.workerStats(store.reader).flatMap((stats) => {
    const worker = workers.get(stats.worker_id);
    return worker === undefined ? [] : [{ ...worker, ...stats, capabilities: textList(worker.capabilities) }];
  });
}

/** Meta key of the time when all workers were paused; empty if they are not. */
export const PAUSED = 'run_paused';

export interface Paused {
  readonly worker_id: string | null;
  readonly status: string | null;
  readonly paused_at: string | null;
}

/** A paused worker gets no new tasks; its running tasks continue. Without a worker, pauses all supervisors. */
export function pauseWorkers(
  rm: Ringmaster,
  { worker: id, paused }: { readonly worker?: string | undefined; readonly paused: boolean },
): Promise<Paused> {
  const call = callOf(rm);
  const note = id === undefined ? `run ${paused ? 'paused' : 'resumed'}` : `worker ${paused ? 'off' : 'on'} ${id}`;
  return rm.store.write(note, (tx) => (id === undefined ? pauseAll(tx, call, paused) : pauseOne(tx, call, id, paused)));
}

function pauseAll(tx: Tx, call: Call, paused: boolean): Paused {
  setMeta(tx, PAUSED, paused ? call.now : '');
  recordEvent(tx, call, { type: paused ? 'run_paused' : 'run_resumed', entity: 'store', id: 'run' });
  return { worker_id: null, status: null, paused_at: paused ? call.now : null };
}

function pauseOne(tx: Tx, call: Call, id: string, paused: boolean): Paused {
  const before = workerStore.existingWorker(tx, id);
  if (paused) workerStore.pauseWorker(tx, id, call.now);
  else workerStore.resumeWorker(tx, id);
  const { status, is_draining, paused_at } = workerStore.existingWorker(tx, id);
  recordEvent(tx, call, {
    type: paused ? 'worker_offline' : 'worker_online',
    entity: 'worker',
    id,
    before: { status: before.status },
    after: { status, is_draining },
  });
  return { worker_id: id, status, paused_at };
}

/** False for a worker that must be reactivated: it is draining, and no person paused it. */
function isAwake({ is_draining, paused_at }: workerStore.Worker): boolean {
  return is_draining === 0 || paused_at !== null;
}

/** Applies ringmaster.toml to the workers that it names. A worker that it no longer names drains and goes offline. */
export async function syncWorkers(rm: Ringmaster): Promise<void> {
  const wanted = rm.config.workers.map(settingsOf);
  const isCurrent = (): boolean => {
    const known = workerStore.listWorkers(rm.store.reader).filter((worker) => worker.from_config === 1);
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
      workerStore.putWorker(tx, settings, call.now);
      workerStore.reactivateWorker(tx, settings.id);
    }
    for (const worker of workerStore.listWorkers(tx)) {
      if (worker.from_config !== 1 || wanted.some(({ id }) => id === worker.id)) continue;
      workerStore.drainWorker(tx, worker.id);
    }
    const after = wanted.map(({ id, config_version }) => ({ id, config_version }));
    recordEvent(tx, call, { type: 'workers_configured', entity: 'store', id: 'ringmaster.toml', after });
  });
}

function settingsOf(worker: WorkerConfig): workerStore.WorkerSettings {
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

/** Adds a hash of all settings, including those only in ringmaster.toml, so that attempts record their settings. */
function withVersion(
  settings: Omit<workerStore.WorkerSettings, 'config_version'>,
  all: unknown = settings,
): workerStore.WorkerSettings {
  const version = createHash('sha256').update(JSON.stringify(all)).digest('hex').slice(0, 16);
  return { ...settings, config_version: version };
}
