import { join } from 'node:path';

import { systemClock } from '../adapters/clock.ts';
import { configText, loadConfig } from '../adapters/config-file.ts';
import { type KnownPlace, knownPlaces } from '../adapters/known-places.ts';
import { type Place, placeOf } from '../adapters/place.ts';
import { systemRandom } from '../adapters/random.ts';
import type { Config } from '../model/config.ts';
import { ringmasterErrors } from '../model/errors.ts';
import type { Actor } from '../store/events.ts';
import { syncWorkers } from './workers.ts';
import { openRingmaster, type Ringmaster } from './ringmaster.ts';

interface Opened {
  /** The text of the ringmaster.toml that counts for it. */
  readonly settings: string | undefined;
  readonly rm: Promise<Ringmaster>;
}

/** The projects of this machine, each opened when it is first asked for and kept open, with its settings as they are now. */
export class Places {
  readonly #home: string;
  readonly #opened = new Map<string, Opened>();
  /** Of places whose settings have moved their database: somebody may still be reading there. */
  readonly #left: Ringmaster[] = [];

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
    const before = this.#opened.get(id);
    const settings = configText(configPath(place.root));
    const opened =
      before !== undefined && before.settings === settings
        ? before
        : { settings, rm: this.#openAnew(place.root, before) };
    this.#opened.set(id, opened);
    try {
      return { ...(await opened.rm), actor };
    } catch (error) {
      // What was open stays open, and is asked for again when the settings are mended.
      if (this.#opened.get(id) !== opened) throw error;
      if (before === undefined || before === opened) this.#opened.delete(id);
      else this.#opened.set(id, before);
      throw error;
    }
  }

  async #openAnew(root: string, before: Opened | undefined): Promise<Ringmaster> {
    const config = await loadConfig(configPath(root));
    const place = placeOf(root, config);
    const open = await before?.rm.catch(() => undefined);
    const isSame = open?.place.databasePath === place.databasePath;
    const rm = open !== undefined && isSame ? { ...open, config, place } : await openPlace(place, config);
    if (open !== undefined && !isSame) this.#left.push(open);
    if (config.workers.length > 0) await syncWorkers(rm);
    return rm;
  }

  async close(): Promise<void> {
    const opened = await Promise.allSettled([...this.#opened.values()].map(({ rm }) => rm));
    this.#opened.clear();
    for (const { store } of this.#left.splice(0)) await store.close();
    for (const result of opened) if (result.status === 'fulfilled') await result.value.store.close();
  }
}

function openPlace(place: Place, config: Config): Promise<Ringmaster> {
  const actor = { type: 'system', id: 'server' } as const;
  return openRingmaster({ place, config, clock: systemClock, random: systemRandom, actor });
}

function configPath(root: string): string {
  return join(root, 'ringmaster.toml');
}
