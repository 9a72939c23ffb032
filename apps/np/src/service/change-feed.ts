import { isHoldfastError } from '@holdfast/base';
import type { Event } from '../model/event.ts';
import { events } from '../store/definitions.ts';
import type { Np } from './np.ts';

/** The events that one commit added. After a `reset`, read everything again. */
export interface Change {
  readonly revision: number;
  readonly reset: boolean;
  readonly events: readonly { readonly sid: string; readonly event: Event }[];
}

interface WatchOptions {
  readonly since: number;
  readonly signal: AbortSignal;
}

export function currentRevision(np: Np): Promise<number> {
  return np.store.revision();
}

/** Every commit that adds events to any session, from any process, without gaps or repetitions. */
export async function* watchChanges(np: Np, { since, signal }: WatchOptions): AsyncGenerator<Change, void, undefined> {
  let last = since;
  while (!signal.aborted) {
    try {
      for await (const commit of np.store.watch(events, {}, { since: last, signal })) {
        last = commit.revision;
        const added = commit.changes.flatMap(({ key, after }) =>
          after === undefined ? [] : [{ sid: String(key['sid']), event: after }],
        );
        yield { revision: last, reset: commit.reset, events: added };
      }
      return;
    } catch (error) {
      if (!isHoldfastError(error, 'JOURNAL_TRIMMED')) throw error;
      last = await np.store.revision();
      yield { revision: last, reset: true, events: [] };
    }
  }
}

/** Wakes the reader after each commit that touches the session, or after any commit when no session is given. */
export async function* watchSession(
  np: Np,
  sid: string | undefined,
  options: WatchOptions,
): AsyncGenerator<void, void, undefined> {
  for await (const _ of np.store.watchPrefix(sid === undefined ? '' : `s/${sid}/`, options)) yield;
}
