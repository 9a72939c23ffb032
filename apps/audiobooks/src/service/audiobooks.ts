import { dirname, join } from 'node:path';
import { systemClock } from '@holdfast/base';
import { ulidSource } from '@holdfast/keyspace';
import { makeKeyFile, readKeyFile } from '../adapters/secrets.ts';
import { createMergeEngine } from '../merge/engine.ts';
import { createTagEngine } from '../merge/tag-engine.ts';
import type { Engines } from '../model/engines.ts';
import type { OperationOptions } from '../model/operation.ts';
import { toTime } from '../model/stored.ts';
import { createOrganiseEngine } from '../organise/engine.ts';
import { createScanEngine } from '../scan/engine.ts';
import { AccountReader } from '../store/accounts.ts';
import type { Stamp } from '../store/books.ts';
import { type SealableName, turnOnEncryption } from '../store/encryption.ts';
import { openStore, type Store, type StoreOptions } from '../store/open.ts';
import { openSearchIndex, type SearchIndex } from '../store/search.ts';
import { Covers } from './covers.ts';
import { BackgroundOperations } from './operations/background.ts';

/** The audiobooks of one data home. Every service takes this as its first argument. */
export interface Audiobooks {
  readonly home: string;
  readonly store: Store;
  readonly now: () => number;
  readonly newId: () => string;
  readonly engines: Engines;
  /** The full-text index, opened on first use. */
  readonly search: () => Promise<SearchIndex>;
  readonly covers: Covers;
  readonly accounts: AccountReader;
  readonly background: BackgroundOperations;
  /** Whether long operations run in the background (server) or the caller waits for them (commands, tools). */
  readonly inBackground: boolean;
  /** Receives the progress of operations that the caller waits for. */
  readonly onProgress: OperationOptions['onProgress'];
  /** Users with playback events that the statistics may not include yet. */
  readonly uncounted: Set<string>;
  /** Aborted when the application starts to close, so that open streams end. */
  readonly closing: AbortSignal;
  close(options?: CloseOptions): Promise<void>;
}

interface CloseOptions {
  readonly processIsEnding?: boolean;
}

export interface AudiobooksOptions extends StoreOptions {
  readonly now?: () => number;
  readonly newId?: () => string;
  readonly engines?: Engines;
  readonly inBackground?: boolean;
  readonly onProgress?: OperationOptions['onProgress'];
  /** Receives errors of background work, for which no caller waits. */
  readonly onProblem?: (error: unknown) => void;
}

export async function openAudiobooks(options: AudiobooksOptions): Promise<Audiobooks> {
  const { now = systemClock, newId = ulidSource(), engines = fileEngines, onProblem = () => undefined } = options;
  const home = dirname(options.path);
  const store = await openStore(options);
  const accounts = new AccountReader(join(home, 'accounts.db'));
  const background = new BackgroundOperations(onProblem);
  const closing = new AbortController();
  let search: Promise<SearchIndex> | undefined;
  return {
    home,
    store,
    now,
    newId,
    engines,
    search: () => (search ??= openSearchIndex(options.path.replace(/\.db$/u, '-search.db'))),
    covers: new Covers(store, home),
    accounts,
    background,
    inBackground: options.inBackground ?? false,
    onProgress: options.onProgress,
    uncounted: new Set(),
    closing: closing.signal,
    async close(closeOptions) {
      closing.abort();
      await background.close();
      await accounts.close();
      const opened = await search?.catch(() => undefined);
      await opened?.database.close(closeOptions);
      await store.close(closeOptions);
    },
  };
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the database and key file of a data home. */
export function storeLocation(home: string, env: Environment): Pick<StoreOptions, 'path' | 'secret'> {
  return { path: join(home, 'audiobooks.db'), secret: () => readKeyFile(keyPath(home, env)) };
}

/** Returns the path of the key file. A path outside the data home keeps the key out of backups. */
export function keyPath(home: string, env: Environment): string {
  return env['HOLDFAST_AUDIOBOOKS_KEY_FILE'] ?? join(home, 'keys', 'audiobooks.key');
}

export function stampFor({ now, newId }: Audiobooks): Stamp {
  return { at: toTime(now()), newId };
}

export const fileEngines: Engines = {
  scan: createScanEngine(),
  organise: createOrganiseEngine(),
  merge: createMergeEngine(),
  tags: createTagEngine(),
};

/** Encrypts fields in place, creating the key file if it is missing. Returns the number of encrypted values. */
export function encryptFields({ store }: Audiobooks, keyFile: string, names: readonly SealableName[]): Promise<number> {
  return turnOnEncryption(store.engine, readKeyFile(keyFile) ?? makeKeyFile(keyFile), names);
}
