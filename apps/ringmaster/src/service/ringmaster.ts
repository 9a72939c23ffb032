import { toTimestamp } from '@holdfast/base';

import type { Workspace } from '../adapters/workspace.ts';
import { type Config, defaultConfig } from '../model/config.ts';
import type { Actor, Call } from '../store/events.ts';
import type { Destination } from '../store/notifications.ts';
import { openStore, type Store } from '../store/open.ts';

/** The root object that every service takes: store, settings, clock, randomness and actor. */
export interface Ringmaster {
  readonly store: Store;
  readonly config: Config;
  readonly workspace: Workspace;
  readonly clock: () => number;
  readonly random: () => number;
  readonly actor: Actor;
}

export interface OpenOptions extends Omit<Ringmaster, 'store' | 'config'> {
  readonly config?: Config;
  readonly create?: boolean;
  readonly processIsEnding?: boolean;
}

export async function openRingmaster(options: OpenOptions): Promise<Ringmaster> {
  const { workspace, config = defaultConfig, clock, random, actor } = options;
  const store = await openStore({
    path: workspace.databasePath,
    create: options.create ?? false,
    busyTimeoutMs: config.storage.busy_timeout_ms,
    cacheMb: config.storage.cache_size_mb,
    now: clock,
    processIsEnding: options.processIsEnding ?? false,
  });
  return { store, config, workspace, clock, random, actor };
}

const CORRELATION_RANGE = 2 ** 48;

/** Returns the actor and time for the events of one call, with a new correlation id that they share. */
export function callOf({ actor, clock, random, config }: Ringmaster): Call {
  return {
    actor,
    destinations: destinationsOf(config),
    now: toTimestamp(clock()),
    correlation: Math.floor(random() * CORRELATION_RANGE)
      .toString(36)
      .padStart(10, '0'),
  };
}

export function destinationsOf({ notifications: { command, webhook } }: Config): readonly Destination[] {
  return [...(command.length > 0 ? (['command'] as const) : []), ...(webhook === '' ? [] : (['webhook'] as const))];
}

/**
 * Returns a call with the worker as its actor, no matter who runs the command. A token or a worker id identifies the
 * worker.
 */
export function workerCall(rm: Ringmaster, worker: string): Call {
  return { ...callOf(rm), actor: { type: 'worker', id: worker } };
}
