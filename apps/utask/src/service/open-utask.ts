import { systemClock } from '@holdfast/base';
import type { Configuration } from '../adapters/configuration.ts';
import { jitteredPause, nonce } from '../adapters/random.ts';
import type { Buckets } from '../store/bucket.ts';
import type { StoreOptions } from '../store/tag-index.ts';
import { Utask } from './utask.ts';

export type StoreLocation = Pick<Configuration, 'databasePath' | 'url'> & Partial<Configuration>;

/** Opens the configured task list. Loads NATS or SQLite, never both. */
export async function openUtask(location: StoreLocation, options: OwnOptions = {}): Promise<Utask> {
  return utaskOn(await openBuckets(location, options), options);
}

type OwnOptions = Pick<StoreOptions, 'shardSize' | 'onUnreadable'>;

export function utaskOn(buckets: Buckets, options: OwnOptions = {}): Utask {
  return new Utask(buckets, { clock: systemClock, nonce, pause: jitteredPause, ...options });
}

async function openBuckets(location: StoreLocation, { onUnreadable }: OwnOptions): Promise<Buckets> {
  const { url, databasePath, profile } = location;
  if (url === undefined) {
    const { openEmbedded } = await import('../store/embedded.ts');
    return openEmbedded({ path: databasePath, profile, now: systemClock, onUnreadable });
  }
  const { openNats } = await import('../adapters/nats/open.ts');
  const { credentials, tlsCa, tlsCert, tlsKey, nkey, replicas } = location;
  return openNats({ url, profile, credentials, tlsCa, tlsCert, tlsKey, nkey, replicas });
}

export type OpenUtask = () => Promise<Utask>;

/**
 * Opens a task list on first use and retries after a failure. Concurrent callers share one
 * attempt.
 */
export class LazyUtask {
  readonly #open: OpenUtask;
  #opening: Promise<Utask> | undefined;

  constructor(open: OpenUtask) {
    this.#open = open;
  }

  readonly get: OpenUtask = () => {
    this.#opening ??= this.#open().catch((error: unknown) => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  };

  async close(): Promise<void> {
    const utask = await this.#opening?.catch(() => undefined);
    await utask?.close();
  }
}
