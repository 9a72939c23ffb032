import { systemClock } from '@holdfast/base';
import { type Reads, ulidSource } from '@holdfast/keyspace';
import { npErrors } from '../model/errors.ts';
import type { Session, Task } from '../model/plan.ts';
import { sessions, tasks } from '../store/definitions.ts';
import { activeAbove, allSids, readTasksByPrefix, sessionOf } from '../store/queries.ts';
import { leaveStore, openStore, type Store, type StoreOptions } from '../store/store.ts';

/** The open application: its store, its clock and its source of session ids. */
export interface Np {
  readonly store: Store;
  readonly now: () => number;
  readonly newSid: () => string;
  /**
   * With `processIsEnding`, usually skips closing the store, which saves a command 10 to 20 ms; see `leaveStore`.
   */
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
    close: ({ processIsEnding = false } = {}) => (processIsEnding ? leaveStore(store, options) : store.close()),
  };
}

/** Selects a session: a directory's active session, or any session by its id or part of its id. */
export type Where = { readonly directory: string } | { readonly sid: string };

/** An open np, and the session that an operation works on. */
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
  /** The actor that makes the change, if known. */
  readonly actor?: string | undefined;
}

/** Returns the given session, or the active session of the directory or of its nearest parent that has one. */
export async function resolveSession(reads: Reads, where: Where): Promise<Session> {
  if ('sid' in where) return sessionByReference(reads, where.sid.toUpperCase());
  const session = await activeAbove(reads, where.directory);
  if (session === undefined) throw npErrors.NO_SESSION('No active session for this directory.');
  return session;
}

const CANDIDATES_MAX = 10;

/** Finds a session by its whole id, its first characters, or its last characters, which the monitor shows. */
async function sessionByReference(reads: Reads, reference: string): Promise<Session> {
  const exact = await reads.get(sessions, { sid: reference });
  if (exact !== undefined) return exact;
  const matches = (sid: string): boolean => sid.startsWith(reference) || sid.endsWith(reference);
  const candidates = reference === '' ? [] : (await allSids(reads)).filter(matches);
  const [only] = candidates;
  if (only === undefined) throw npErrors.SESSION_NOT_FOUND(`There is no session ${reference || '""'}.`);
  if (candidates.length === 1) return sessionOf(reads, { sid: only });
  throw npErrors.SESSION_AMBIGUOUS(`${candidates.length} sessions have an id that begins or ends with ${reference}.`, {
    hint: `Give more characters of the id: ${listed(candidates)}`,
    details: { candidates },
  });
}

/**
 * Resolves the session once, so that a change and the plan shown after it belong to the same session. After the commit,
 * the directory may already have a different session, or none.
 */
export async function pinSession(np: Np, where: Where): Promise<{ readonly sid: string }> {
  return np.store.snapshot(async (reads) => {
    const { sid } = await resolveSession(reads, where);
    return { sid };
  });
}

/** Finds a task by its whole id, or by a prefix that only one task of the session has. */
export async function resolveTask(reads: Reads, sid: string, typed: string): Promise<Task> {
  const id = typed.toLowerCase();
  const exact = await reads.get(tasks, { sid, id });
  if (exact !== undefined) return exact;
  const found = /^[0-9a-f]+$/u.test(id) ? await readTasksByPrefix(reads, sid, id) : [];
  const [only] = found;
  if (only === undefined) {
    throw npErrors.TASK_NOT_FOUND(`There is no task ${typed} in this session.`, { details: { id: typed } });
  }
  if (found.length === 1) return only;
  const candidates = found.map((task) => task.id);
  throw npErrors.TASK_AMBIGUOUS(`${candidates.length} tasks have an id that begins with ${id}.`, {
    hint: `Give more characters of the id: ${listed(candidates)}`,
    details: { candidates },
  });
}

function listed(candidates: readonly string[]): string {
  const shown = candidates.slice(0, CANDIDATES_MAX).join(', ');
  return candidates.length > CANDIDATES_MAX ? `${shown}, …` : shown;
}
