import { ulidSource } from '@holdfast/keyspace';
import { systemClock } from '../adapters/clock.ts';
import { toTime } from '../model/stored.ts';
import { openStore, type Store, type StoreOptions } from '../store/open.ts';
import type { Maker } from '../store/people.ts';

/** What every service needs: the store, and what is not the same twice. */
export interface Catalogue {
  readonly store: Store;
  readonly now: () => number;
  readonly newId: () => string;
}

export interface CatalogueOptions extends StoreOptions {
  readonly now?: () => number;
  readonly newId?: () => string;
}

export async function openCatalogue({ now = systemClock, newId, ...place }: CatalogueOptions): Promise<Catalogue> {
  return { store: await openStore(place), now, newId: newId ?? ulidSource() };
}

/** The moment of a change, and ids for what it makes. */
export function makerOf({ now, newId }: Catalogue): Maker {
  return { at: toTime(now()), newId };
}
