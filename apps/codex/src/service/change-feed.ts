import { follow } from '@holdfast/base';
import type { EventFeed, StreamEvent } from '@holdfast/http';

import type { FileEvent } from '../model/event.ts';
import { changedEvents, lastChange } from '../store/events.ts';
import type { Store } from '../store/open.ts';
import { eventView } from './views.ts';

const PAGE = 200;

/**
 * Feed of changes to events, made by any process. Change numbers are stored, so a listener can resume after the last
 * one it received.
 */
export function changeFeed(store: () => Store): EventFeed {
  return {
    head: () => String(lastChange(store().reader)),
    // After a restore, a client's number may be higher than the last change number. That number is not accepted,
    // because the client would miss events.
    accepts: (id) => /^\d{1,15}$/u.test(id) && Number(id) <= lastChange(store().reader),
    open: (since, signal) => changes(store(), Number(since), signal),
  };
}

async function* changes(
  store: Store,
  since: number,
  signal: AbortSignal,
): AsyncGenerator<StreamEvent, void, undefined> {
  const source = {
    read: (after: number) => changedEvents(store.reader, after, PAGE).map(numbered),
    subscribe: (wake: () => void) => store.onChange(wake),
  };
  for await (const { revision, event } of follow(source, since, signal)) {
    yield { id: String(revision), event: 'event', data: eventView(event) };
  }
}

function numbered(event: FileEvent): { readonly revision: number; readonly event: FileEvent } {
  return { revision: event.change_seq, event };
}
