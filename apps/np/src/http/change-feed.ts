import { isHoldfastError } from '@holdfast/base';
import type { EventFeed, StreamEvent } from '@holdfast/http';
import type { Event } from '../model/event.ts';
import type { Np } from '../service/np.ts';
import { events } from '../store/definitions.ts';

export interface Change {
  readonly revision: number;
  readonly reset: boolean;
  readonly events: readonly { readonly sid: string; readonly event: Event }[];
}

/** Every commit that added events, by any process, numbered by its revision. */
export function changeFeed(np: Np): EventFeed {
  return {
    head: async () => String(await np.store.revision()),
    accepts: (id) => /^\d{1,15}$/u.test(id),
    open: (since, signal) => changes(np, Number(since), signal),
  };
}

async function* changes(np: Np, since: number, signal: AbortSignal): AsyncGenerator<StreamEvent, void, undefined> {
  let last = since;
  while (!signal.aborted) {
    try {
      for await (const commit of np.store.watch(events, {}, { since: last, signal })) {
        last = commit.revision;
        const added = commit.changes.flatMap(({ key, after }) =>
          after === undefined ? [] : [{ sid: String(key['sid']), event: after }],
        );
        yield streamEvent({ revision: last, reset: commit.reset, events: added });
      }
      return;
    } catch (error) {
      // Whoever was away for longer than the journal reaches back reads everything anew, and goes on from now.
      if (!isHoldfastError(error, 'JOURNAL_TRIMMED')) throw error;
      last = await np.store.revision();
      yield streamEvent({ revision: last, reset: true, events: [] });
    }
  }
}

function streamEvent(change: Change): StreamEvent {
  return { id: String(change.revision), event: change.reset ? 'reset' : 'change', data: change };
}
