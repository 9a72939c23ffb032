import { createHash } from 'node:crypto';

import { isAlive, SerialQueues } from '@holdfast/base';

import type { LaunchRun } from '../../adapters/launch-run.ts';
import type { Config } from '../../model/config.ts';
import { ringmasterErrors } from '../../model/errors.ts';
import { textList } from '../../model/texts.ts';
import type { RunPrograms, ShownSupervisor } from '../../operations/runs.ts';
import { recordEvent } from '../../store/events.ts';
import { type RegisteredSupervisor, registeredSupervisors, writeSupervisors } from '../../store/meta.ts';
import { listWorkers } from '../../store/workers.ts';
import { callOf, type Ringmaster } from '../ringmaster.ts';
import { isRunnable, requireRunnable } from './settings.ts';
import type { Supervisor } from './supervisor.ts';

/**
 * Supervisors register themselves in the database, so that commands and the server can find them, ask them to stop, and
 * notice if one has died. A request to stop is a commit, because a supervisor may run in another container.
 */

export interface Registration {
  /** Aborts when somebody asks the supervisor to stop. */
  readonly stopped: AbortSignal;
  readonly leave: () => Promise<void>;
}

export async function registerSupervisor({ rm, id, identity }: Supervisor, slots: number): Promise<Registration> {
  const call = callOf(rm);
  await rm.store.write('run begins', (tx) => {
    const own = { id, ...identity, slots, started_at: call.now, started_by: rm.actor.id, stop_requested_at: null };
    writeSupervisors(tx, [...registeredSupervisors(tx).filter((one) => isAlive(one)), own]);
    recordEvent(tx, call, { type: 'run_started', entity: 'store', id: 'run', data: { slots } });
  });
  const stop = new AbortController();
  const stopListening = rm.store.database.onChange(() => {
    const own = registeredSupervisors(rm.store.reader).find((one) => one.id === id);
    if (own !== undefined && own.stop_requested_at !== null) stop.abort();
  });
  return {
    stopped: stop.signal,
    async leave() {
      stopListening();
      await rm.store.write('run ends', (tx) => {
        writeSupervisors(
          tx,
          registeredSupervisors(tx).filter((one) => one.id !== id),
        );
        recordEvent(tx, callOf(rm), { type: 'run_ended', entity: 'store', id: 'run' });
      });
    },
  };
}

/** Returns the registered supervisors. A dead supervisor stays in the list until the next run begins. */
export function allSupervisors({ store }: Ringmaster): readonly ShownSupervisor[] {
  return registeredSupervisors(store.reader).map((one) => ({
    pid: one.pid,
    slots: one.slots,
    started_at: one.started_at,
    started_by: one.started_by,
    state: isAlive(one) ? (one.stop_requested_at === null ? 'running' : 'stopping') : 'died',
  }));
}

/** Asks all supervisors of the workspace to stop: they start nothing new, and running workers get time to finish. */
export async function stopRun(rm: Ringmaster): Promise<{ readonly data: readonly ShownSupervisor[] }> {
  const call = callOf(rm);
  await rm.store.write('run: stop requested', (tx) => {
    const all = registeredSupervisors(tx);
    if (!all.some((one) => isAlive(one))) throw ringmasterErrors.RUN_NOT_ACTIVE('No workers are running');
    writeSupervisors(
      tx,
      all.map((one) => ({ ...one, stop_requested_at: one.stop_requested_at ?? call.now })),
    );
    recordEvent(tx, call, { type: 'run_stop_requested', entity: 'store', id: 'run' });
  });
  return { data: allSupervisors(rm) };
}

/** Identifies the settings that a person has seen, because the repository may change ringmaster.toml at any time. */
function settingsVersion(config: Config): string {
  return createHash('sha256').update(JSON.stringify(config)).digest('hex').slice(0, 16);
}

/** Throws if ringmaster.toml has changed since the person who started the run saw it. */
export function requireSeenSettings({ config }: Ringmaster, seen: string | undefined): void {
  if (seen === undefined || seen === settingsVersion(config)) return;
  throw ringmasterErrors.RUN_SETTINGS_CHANGED('ringmaster.toml has changed since its programs were shown');
}

/** Lists every program that ringmaster.toml makes a run start. */
export function runPrograms({ config, store }: Ringmaster): RunPrograms {
  const { run, summaries, notifications } = config;
  const commands: readonly (readonly [string, readonly string[]])[] = [
    ['Prepares a worktree', run.setup_command],
    ['Tests the work', run.test_command],
    ['Reviews the work', run.review_command],
    ['Writes summaries', summaries.command],
    ['Sends notifications', notifications.command],
  ];
  const workers = listWorkers(store.reader).filter((worker) => isRunnable(worker) && worker.status !== 'offline');
  return {
    settings: settingsVersion(config),
    slots: run.slots,
    drain_seconds: run.drain_seconds,
    programs: [
      ...workers.map(({ name, command, args }) => ({
        purpose: `Worker ${name}`,
        command: [command, ...textList(args)],
      })),
      ...commands.flatMap(([purpose, command]) => (command.length === 0 ? [] : [{ purpose, command: [...command] }])),
    ],
  };
}

/** Context of the operation that starts a run: only the server can start a process that outlives the request. */
export interface Starting {
  readonly rm: Ringmaster;
  readonly launch: LaunchRun;
}

const starting = new SerialQueues();

/** Starts `ringmaster run` as a separate process, which outlives the server, and waits until it has registered. */
export function startRun(
  { rm, launch }: Starting,
  { settings, slots }: { readonly settings: string; readonly slots?: number | undefined },
): Promise<{ readonly data: readonly ShownSupervisor[] }> {
  return starting.run(rm.workspace.root, async () => {
    requireSeenSettings(rm, settings);
    requireRunnable(rm);
    if (registeredSupervisors(rm.store.reader).some((one) => isAlive(one))) {
      throw ringmasterErrors.RUN_ACTIVE('Workers for this workspace are already running');
    }
    const { root } = rm.workspace;
    const launched = launch({ root, actor: rm.actor.id, settings, slots: slots ?? rm.config.run.slots });
    const isOurs = ({ pid }: RegisteredSupervisor): boolean => pid === launched.pid;
    await new Promise<void>((resolve, reject) => {
      const look = (): void => {
        if (!registeredSupervisors(rm.store.reader).some(isOurs)) return;
        stopListening();
        resolve();
      };
      const stopListening = rm.store.database.onChange(look);
      const fail = (why: string): void => {
        stopListening();
        reject(ringmasterErrors.RUN_NOT_STARTED(why));
      };
      void launched.ended.then(fail);
    });
    return { data: allSupervisors(rm) };
  });
}
