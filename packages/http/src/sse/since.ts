import { httpErrors } from '../errors.ts';
import type { EventFeed } from './feed.ts';

const POSITION = /^[\x20-\x7e]{1,512}$/;

/** Where a listener wants to go on: `Last-Event-ID` is newer than the address, which a browser keeps as it was. */
export function sinceOf(request: Request, feed: EventFeed): string | undefined {
  const header = request.headers.get('last-event-id');
  const since = header !== null && header !== '' ? header : new URL(request.url).searchParams.get('since');
  if (since === null || since === '') return undefined;
  if (POSITION.test(since) && (feed.accepts?.(since) ?? true)) return since;
  throw httpErrors.VALIDATION_FAILED('The position to go on from is not one that this server gave', {
    details: { errors: [{ in: 'query', path: '/since', code: 'invalid_format', message: 'Not a position' }] },
  });
}
