import { nowMs, timestamp } from '../adapters/clock.ts';
import type { Configuration } from '../adapters/configuration.ts';
import { jitteredPause, nonce } from '../adapters/random.ts';
import type { Buckets } from '../store/bucket.ts';
import type { StoreOptions } from '../store/parts.ts';
import { Store } from '../store/store.ts';

export type Place = Pick<Configuration, 'databasePath' | 'url'> & Partial<Configuration>;

/** The task list that the configuration means. Only what it needs is loaded: NATS or SQLite, never both. */
export async function openStore(place: Place, options: OwnOptions = {}): Promise<Store> {
  return storeOn(await openBuckets(place), options);
}

type OwnOptions = Pick<StoreOptions, 'shardSize' | 'onUnreadable'>;

export function storeOn(buckets: Buckets, options: OwnOptions = {}): Store {
  return new Store(buckets, { timestamp, nowMs, nonce, pause: jitteredPause, ...options });
}

async function openBuckets(place: Place): Promise<Buckets> {
  const { url, databasePath, profile } = place;
  if (url === undefined) {
    const { openEmbedded } = await import('../store/open-embedded.ts');
    return openEmbedded({ path: databasePath, profile, now: nowMs });
  }
  const { openNats } = await import('../adapters/nats/open.ts');
  const { credentials, tlsCa, tlsCert, tlsKey } = place;
  return openNats({ url, profile, credentials, tlsCa, tlsCert, tlsKey });
}
