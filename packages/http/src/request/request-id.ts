import { randomUUID } from 'node:crypto';

const ACCEPTABLE = /^[A-Za-z0-9._-]{8,64}$/;

/** The id that came with the request, if it is one that can stand in a log line and a header, else a new one. */
export function requestIdOf(headers: Pick<Headers, 'get'>): string {
  const given = headers.get('x-request-id');
  return given !== null && ACCEPTABLE.test(given) ? given : randomUUID();
}
