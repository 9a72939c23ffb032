import { ulidSource } from '@holdfast/keyspace';
import { systemClock } from '../adapters/clock.ts';
import { openStore, type Store } from '../store/open.ts';

/** What every operation needs: the store, and what is not the same twice. */
export interface Np {
  readonly store: Store;
  readonly now: () => number;
  readonly newSid: () => string;
}

export interface NpOptions {
  /** The database file. */
  readonly path: string;
  readonly create?: boolean;
  readonly now?: () => number;
  readonly newSid?: () => string;
}

export async function openNp({ path, create = true, now = systemClock, newSid }: NpOptions): Promise<Np> {
  const store = await openStore({ path, create });
  return { store, now, newSid: newSid ?? ulidSource() };
}

/** Which session an operation is about: the one of a directory, or one by its id. */
export type Where = { readonly directory: string } | { readonly sid: string };

/** Everything that an operation is told about its caller. */
export interface Call {
  readonly where: Where;
  /** The command line, for the log. */
  readonly cmd: string;
}
