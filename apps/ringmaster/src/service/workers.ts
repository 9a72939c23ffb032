import { createHash } from 'node:crypto';

import { closest, isHoldfastError, SECOND, toTimestamp } from '@holdfast/base';

import { type ParkKind, retryDelaySeconds } from '../model/attempt.ts';
import { idOf, type WorkerConfig } from '../model/config.ts';
import { ringmasterErrors } from '../model/errors.ts';
import { checkId } from '../model/ids.ts';
import { textList } from '../model/texts.ts';
import type { NewWorker, ParkedWorker, ShownWorker } from '../operations/workers.ts';
import { type Call, recordEvent } from '../store/events.ts';
import { setMeta } from '../store/meta.ts';
import type { Tx } from '../store/open.ts';
import * as workerStore from '../store/workers.ts';
import { resetTime } from '../worker/service-problem.ts';
import { callOf, type Ringmaster, workerCall } from './ringmaster.ts';

const TIMEOUT_SECONDS = 1_800;

export function addWorker(rm: Ringmaster, input: NewWorker): Promise<ShownWorker> {
  return addWorkerAs(rm, callOf(rm), input);
}

async function addWorkerAs(rm: Ringmaster, call: Call, input: NewWorker): Promise<ShownWorker> {
  const id = checkId(input.worker);
  await rm.store.write(`worker add ${id}`, (tx) => {
    if (workerStore.listWorkers(tx).some((worker) => worker.id === id)) {
      throw ringmasterErrors.WORKER_EXISTS(`A worker ${id} already exists`);
    }
    const settings = newSettings({ ...input, worker: id });
    workerStore.putWorker(tx, settings, call.now);
    recordEvent(tx, call, { type: 'worker_added', entity: 'worker', id, after: settings });
  });
  const added = allWorkers(rm).find((one) => one.id === id);
  if (added === undefined) throw ringmasterErrors.WORKER_NOT_FOUND(`There is no worker ${id}`);
  return added;
}

/** Refuses an unknown worker: a task that requires a misspelt worker would wait forever. */
export function knownWorker(tx: Tx, wanted: string | null | undefined): string | null | undefined {
  if (wanted === undefined || wanted === null) return wanted;
  const names = workerStore.listWorkers(tx).flatMap(({ id, type }) => [id, type]);
  if (names.includes(wanted)) return wanted;
  const meant = closest(wanted, names);
  const suggestion = meant === undefined ? '' : `. Did you mean ${meant}?`;
  throw ringmasterErrors.WORKER_NOT_FOUND(`No worker has the id or type ${wanted}${suggestion}`);
}

/** Adds or updates a worker of another machine. The worker has no command here, because its machine starts it. */
export async function putWorkerOfMachine(
  rm: Ringmaster,
  id: string,
  { type, capabilities, max_concurrent }: Pick<NewWorker, 'type' | 'capabilities' | 'max_concurrent'>,
): Promise<void> {
  const settings = newSettings({ worker: id, type, capabilities, max_concurrent });
  if (workerStore.findWorker(rm.store.reader, id)?.config_version === settings.config_version) return;
  await rm.store.write(`worker ${id}`, (tx) => {
    const call = workerCall(rm, id);
    const isNew = workerStore.findWorker(tx, id) === undefined;
    workerStore.putWorker(tx, settings, call.now);
    const event = isNew ? 'worker_added' : 'workers_configured';
    recordEvent(tx, call, { type: event, entity: 'worker', id, after: settings });
  });
}

function newSettings(input: NewWorker): workerStore.WorkerSettings {
  return withVersion({
    id: input.worker,
    name: input.name ?? input.worker,
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
}

/** Adds an unknown worker on its first claim, so that an agent needs no setup. */
export async function registerWorker(rm: Ringmaster, id: string): Promise<void> {
  if (workerStore.findWorker(rm.store.reader, id) !== undefined) return;
  try {
    await addWorkerAs(rm, workerCall(rm, id), { worker: id });
  } catch (error) {
    if (!isHoldfastError(error, 'WORKER_EXISTS')) throw error;
  }
}

export function allWorkers({ store }: Ringmaster): readonly ShownWorker[] {
  const workers = new Map(workerStore.listWorkers(store.reader).map((worker) => [worker.id, worker]));
  return workerStore.workerStats(store.reader).flatMap((stats) => {
    const worker = workers.get(stats.worker_id);
    return worker === undefined ? [] : [{ ...worker, ...stats, capabilities: textList(worker.capabilities) }];
  });
}

/** Meta key for the time at which all workers were paused; empty if they are not paused. */
export const PAUSED = 'run_paused';

export interface Paused {
  readonly worker_id: string | null;
  readonly status: string | null;
  readonly paused_at: string | null;
}

/**
 * Pauses a worker: it gets no new tasks, and its running tasks continue. Pauses all supervisors if no worker is named.
 */
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

interface Park {
  readonly kind: ParkKind;
  /** The error message of the worker, which may say when the problem ends. */
  readonly reason: string;
}

/**
 * Parks a worker: it gets no tasks until the time in its error message, or for a delay that doubles each time. Records
 * an event only for a new problem, so that people are notified once.
 */
export function parkWorker(tx: Tx, rm: Ringmaster, call: Call, id: string, { kind, reason }: Park): void {
  const before = workerStore.existingWorker(tx, id);
  const now = Date.parse(call.now);
  const isRepeated = workerStore.isParked(before, call.now);
  const count = isRepeated ? Math.max(before.park_count, 1) : before.park_count + 1;
  const { rate_limit_seconds, retry_max_seconds } = rm.config.queue;
  const named = resetTime(reason, now);
  // A service may repeat "try again in 20 s" for hours, so the delay grows even if the message contains a time.
  const retry_base_seconds = Math.min(rate_limit_seconds, ((named ?? Infinity) - now) / SECOND);
  const waitSeconds = retryDelaySeconds(count, { retry_base_seconds, retry_max_seconds }, rm.random);
  const isNamed = named !== undefined && (count === 1 || named >= now + waitSeconds * SECOND);
  const until = toTimestamp(isNamed ? named + SECOND : now + waitSeconds * SECOND);
  // If several attempts of the worker failed with the same problem, the latest `parked_until` counts.
  if (isRepeated && before.parked_kind === kind && (before.parked_until ?? '') >= until) return;
  const parking = { parked_until: until, parked_kind: kind, parked_reason: reason, park_count: count };
  workerStore.setParking(tx, id, parking);
  if (before.park_count > 0 && before.parked_kind === kind) return;
  recordEvent(tx, call, {
    type: 'worker_parked',
    entity: 'worker',
    id,
    data: { kind, until, reason },
    notify: { situation: 'worker_parked', text: `Worker ${id} is parked until ${until}: ${reason}`, worker: id },
  });
}

/** Unparks a worker that works again. */
export function unparkWorker(tx: Tx, call: Call, id: string): void {
  const { park_count, parked_kind: kind } = workerStore.existingWorker(tx, id);
  if (park_count === 0) return;
  workerStore.setParking(tx, id, workerStore.notParked);
  recordEvent(tx, call, { type: 'worker_recovered', entity: 'worker', id, data: { kind } });
}

/** Returns parked workers, and workers that have not succeeded since they were parked. */
export function parkedWorkers({ store }: Ringmaster): readonly ParkedWorker[] {
  return workerStore
    .listWorkers(store.reader)
    .flatMap(({ id, parked_kind: kind, parked_until: until, parked_reason }) =>
      kind === null || until === null ? [] : [{ id, kind, until, reason: parked_reason ?? '' }],
    );
}

/** Returns false for a worker that must be reactivated: it is draining, and no person paused it. */
function isAwake({ is_draining, paused_at }: workerStore.Worker): boolean {
  return is_draining === 0 || paused_at !== null;
}

/**
 * Applies ringmaster.toml to the workers that it names. A worker that is no longer in the file drains and goes offline.
 */
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
    const versions = new Map(workerStore.listWorkers(tx).map(({ id, config_version: version }) => [id, version]));
    for (const settings of wanted) {
      workerStore.putWorker(tx, settings, call.now);
      // New settings may have solved the problem.
      if (versions.get(settings.id) !== settings.config_version) unparkWorker(tx, call, settings.id);
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
      id: checkId(idOf(worker)),
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

/**
 * Adds a hash of all settings, including those that only ringmaster.toml has. Attempts record the hash to identify the
 * settings they ran with.
 */
function withVersion(
  settings: Omit<workerStore.WorkerSettings, 'config_version'>,
  all: unknown = settings,
): workerStore.WorkerSettings {
  const version = createHash('sha256').update(JSON.stringify(all)).digest('hex').slice(0, 16);
  return { ...settings, config_version: version };
}
