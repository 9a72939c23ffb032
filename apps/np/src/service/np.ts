import { systemClock } from '@holdfast/base';
import { ulidSource } from '@holdfast/keyspace';
import { leaveStore, openStore, type Store, type StoreOptions } from '../store/store.ts';

/** The open application: its store, its clock and its source of session ids. */
export interface Np {
  readonly store: Store;
  readonly now: () => number;
  readonly newSid: () => string;
  /** `processIsEnding` is for commands: it saves them some milliseconds. */
  close(options?: { readonly processIsEnding?: boolean }): Promise<void>;
}

export interface NpOptions extends StoreOptions {
  readonly now?: () => number;
  readonly newSid?: () => string;
}

export async function openNp({ now = systemClock, newSid, ...options }: NpOptions): Promise<Np> {
  const store = await openStore(options);
  return {
    store,
    now,
    newSid: newSid ?? ulidSource(),
    close: ({ processIsEnding = false } = {}) => (processIsEnding ? leaveStore(store, options.path) : store.close()),
  };
}

/** A session: the active one of a directory, or one by its id or a part of it. */
export type Where = { readonly directory: string } | { readonly sid: string };

/** An open np, and the session that an operation is about. */
export interface SessionTarget {
  readonly np: Np;
  readonly where: Where;
  /** Directory in which a session is started or imported. */
  readonly directory: string;
}

/** The caller of a service. */
export interface Call {
  readonly where: Where;
  /** The command line, for the log. */
  readonly cmd: string;
}
