import { SECOND } from '@holdfast/base';
import { accepted, type Reply } from '@holdfast/http';

import { codexErrors } from '../model/errors.ts';
import type { FileEvent } from '../model/event.ts';
import type { Codex } from '../service/codex.ts';
import { errorOf } from '../service/failed-event.ts';
import { eventsOfBatch, lastEventId } from '../store/events.ts';

const WAIT_SECONDS_DEFAULT = 30;
const WAIT_SECONDS_MAX = 300;

/** Longer than any wait that can be asked for. */
export const waitLimits = { timeoutMs: (WAIT_SECONDS_MAX + 10) * SECOND } as const;

export interface Asked {
  readonly query: { readonly sync?: string | undefined; readonly timeout?: number | undefined };
  readonly request: Request;
  readonly signal: AbortSignal;
}

/** How long the client wants to wait; undefined when it does not. */
export function waitWanted({ query, request }: Asked): number | undefined {
  const preferred = /(?:^|[,;\s])wait(?:\s*=\s*"?(\d{1,4}))?/iu.exec(request.headers.get('prefer') ?? '');
  if (query.sync !== 'true' && preferred === null) return undefined;
  const seconds = query.timeout ?? (preferred?.[1] === undefined ? WAIT_SECONDS_DEFAULT : Number(preferred[1]));
  return Math.min(seconds, WAIT_SECONDS_MAX) * SECOND;
}

/** The event once it is done; undefined when nobody wants to wait or the time is up; throws what made it fail. */
export async function finished(codex: Codex, asked: Asked, event: FileEvent): Promise<FileEvent | undefined> {
  const timeoutMs = waitWanted(asked);
  if (timeoutMs === undefined) return undefined;
  const waited = await codex.wait(event.id, timeoutMs, asked.signal);
  if (waited === undefined || waited.timedOut) return undefined;
  for (const part of partsOf(codex, event)) {
    const end = await codex.wait(part.id, timeoutMs, asked.signal);
    if (end === undefined || end.timedOut) return undefined;
    if (end.event.status === 'failed') throw errorOf(end.event);
  }
  let last = waited.event;
  while (last.status === 'superseded' && last.superseded_by !== null) {
    const next = await codex.wait(last.superseded_by, 0);
    if (next === undefined) break;
    last = next.event;
  }
  if (last.status !== 'completed' && last.status !== 'superseded') throw errorOf(last);
  return last;
}

/** The rest of what one request came to: the file beside another goes along with it. */
function partsOf(codex: Codex, { id, correlation_id }: FileEvent): readonly FileEvent[] {
  if (correlation_id === null) return [];
  return eventsOfBatch(codex.store.reader, correlation_id).filter((each) => each.id !== id);
}

function eventUrl(id: number): string {
  return `/api/codex/events/${id}`;
}

export interface Queued {
  readonly event_id: number;
  readonly status: FileEvent['status'];
  readonly path: string | null;
  readonly file_id: string | null;
  readonly status_url: string;
}

export function queued(event: FileEvent): Queued {
  const { id, status, path, dest_path, file_id, event_type } = event;
  return {
    event_id: id,
    file_id,
    status,
    path: event_type === 'move' ? dest_path : path,
    status_url: eventUrl(id),
  };
}

/** 202: durable in the queue, with where to ask for it. */
export function acceptedEvent<Body extends object>(event: FileEvent, body: Body): Reply<202, Body> {
  return accepted(body, { headers: { location: eventUrl(event.id) } });
}

/** A read that must see what an event did. */
export async function afterEvent(codex: Codex, eventId: number | undefined, signal: AbortSignal): Promise<void> {
  if (eventId === undefined) return;
  const waited = await codex.wait(eventId, WAIT_SECONDS_DEFAULT * SECOND, signal);
  if (waited === undefined) {
    // Only events that are over are ever cleared away.
    if (eventId > 0 && eventId <= lastEventId(codex.store.reader)) return;
    throw codexErrors.EVENT_NOT_FOUND(`There is no event ${eventId}`);
  }
  if (waited.timedOut) throw codexErrors.WAIT_TIMEOUT(`Event ${eventId} is still ${waited.event.status}`);
}
