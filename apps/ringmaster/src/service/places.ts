import { join } from 'node:path';

import { systemClock } from '../adapters/clock.ts';
import { loadConfig } from '../adapters/config-file.ts';
import { type KnownPlace, knownPlaces } from '../adapters/known-places.ts';
import { placeOf } from '../adapters/place.ts';
import { systemRandom } from '../adapters/random.ts';
import { ringmasterErrors } from '../model/errors.ts';
import type { Actor } from '../store/events.ts';
import { syncWorkers } from './workers.ts';
import { openRingmaster, type Ringmaster } from './ringmaster.ts';

/** The projects of this machine, each opened when it is first asked for and kept open. */
export class Places {
  readonly #home: string;
  readonly #opened = new Map<string, Promise<Ringmaster>>();

  constructor(home: string) {
    this.#home = home;
  }

  list(): readonly KnownPlace[] {
    return knownPlaces(this.#home);
  }

  /** What is done with it is done in this name. */
  async open(id: string, actor: Actor): Promise<Ringmaster> {
    const place = this.list().find((known) => known.id === id);
    if (place === undefined) throw ringmasterErrors.PLACE_NOT_FOUND(`No project directory is known as ${id}`);
    const opened = this.#opened.get(id) ?? openPlace(place.root);
    this.#opened.set(id, opened);
    try {
      return { ...(await opened), actor };
    } catch (error) {
      this.#opened.delete(id);
      throw error;
    }
  }

  async close(): Promise<void> {
    const opened = await Promise.allSettled(this.#opened.values());
    this.#opened.clear();
    for (const result of opened) if (result.status === 'fulfilled') await result.value.store.close();
  }
}

async function openPlace(root: string): Promise<Ringmaster> {
  const config = await loadConfig(join(root, 'ringmaster.toml'));
  const actor = { type: 'system', id: 'server' } as const;
  const place = placeOf(root, config);
  const rm = await openRingmaster({ place, config, clock: systemClock, random: systemRandom, actor });
  if (config.workers.length > 0) await syncWorkers(rm);
  return rm;
}
