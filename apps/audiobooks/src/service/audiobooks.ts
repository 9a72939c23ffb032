import { dirname, join } from 'node:path';
import { storeAddress, systemClock } from '@holdfast/base';
import { type KeyspaceReader, ulidSource } from '@holdfast/keyspace';
import type { Network } from '../adapters/fetch-public.ts';
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
import { Providers } from './metadata/providers.ts';
import { BackgroundOperations } from './operations/background.ts';

/** The audiobooks in one data home. Every service takes this as its first argument. */
export interface Audiobooks {
  readonly home: string;
  readonly store: Store;
  /**
   * Reads data that people see. Leaves out damaged records and reports each of them once; reads through `store` fail
   * instead. Changes and permission checks use `store`, because they must not treat a damaged record as missing.
   */
  readonly reader: KeyspaceReader;
  /** Reports a damaged record, once. */
  readonly onDamaged: (error: unknown) => void;
  readonly now: () => number;
  readonly newId: () => string;
  readonly engines: Engines;
  /** The full-text index, opened on first use. */
  readonly search: () => Promise<SearchIndex>;
  readonly covers: Covers;
  readonly metadata: Providers;
  readonly accounts: AccountReader;
  readonly background: BackgroundOperations;
  /**
   * True in a server, where long operations run in the background. False for commands and tools, which wait for them.
   */
  readonly inBackground: boolean;
  /** Receives the progress of operations that the caller waits for. */
  readonly onProgress: OperationOptions['onProgress'];
  /** Users with playback events that the statistics may not have counted yet. */
  readonly uncounted: Set<string>;
  /** Aborted when the application starts to close, so that open streams end. */
  readonly closing: AbortSignal;
  close(options?: CloseOptions): Promise<void>;
}

interface CloseOptions {
  readonly processIsEnding?: boolean;
}

export interface AudiobooksOptions extends StoreOptions {
  /** Address of the database server that holds the accounts. If omitted, the accounts are at `address`. */
  readonly accountsAddress?: string | undefined;
  readonly now?: () => number;
  readonly newId?: () => string;
  readonly engines?: Engines;
  readonly inBackground?: boolean;
  /** Network access to metadata providers; tests replace it. */
  readonly network?: Network;
  readonly onProgress?: OperationOptions['onProgress'];
  /** Receives errors from background work, for which no caller waits, and damaged records that are left out. */
  readonly onProblem?: (error: unknown) => void;
}

export async function openAudiobooks(options: AudiobooksOptions): Promise<Audiobooks> {
  const { now = systemClock, newId = ulidSource(), engines = fileEngines, onProblem = () => undefined } = options;
  const home = dirname(options.path);
  const store = await openStore(options);
  const background = new BackgroundOperations(onProblem);
  const closing = new AbortController();
  const onDamaged = onceEach(onProblem);
  const onUnreadable = (_key: string, error: unknown): void => onDamaged(error);
  const reader = store.leavingOut(onUnreadable);
  const accountsAddress = 'accountsAddress' in options ? options.accountsAddress : options.address;
  const accounts = new AccountReader(join(home, 'accounts.db'), onUnreadable, accountsAddress);
  let search: Promise<SearchIndex> | undefined;
  return {
    home,
    store,
    reader,
    onDamaged,
    now,
    newId,
    engines,
    search: () => (search ??= openSearchIndex(options.path.replace(/\.db$/u, '-search.db'))),
    covers: new Covers(reader, home),
    metadata: new Providers({ home, now, closing: closing.signal, network: options.network }),
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

/** Reports each message only once. Messages contain the key of the damaged record. */
function onceEach(report: (error: unknown) => void): (error: unknown) => void {
  const reported = new Set<string>();
  return (error) => {
    if (!reported.has(String(error))) report(error);
    reported.add(String(error));
  };
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the database and key file in a data home. */
export function storeLocation(
  home: string,
  env: Environment,
): Pick<AudiobooksOptions, 'path' | 'address' | 'accountsAddress' | 'secret'> {
  const address = storeAddress(home, env, 'audiobooks');
  const accountsAddress = storeAddress(home, env, 'accounts');
  return { path: join(home, 'audiobooks.db'), address, accountsAddress, secret: () => readKeyFile(keyPath(home, env)) };
}

/** Returns the path of the key file. If the path is outside the data home, backups do not contain the key. */
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

/**
 * Encrypts fields that are already stored; creates the key file if it is missing. Returns the number of encrypted
 * values.
 */
export function encryptFields({ store }: Audiobooks, keyFile: string, names: readonly SealableName[]): Promise<number> {
  return turnOnEncryption(store.engine, readKeyFile(keyFile) ?? makeKeyFile(keyFile), names);
}
