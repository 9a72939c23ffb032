import { randomBytes } from 'node:crypto';

const ACCEPTABLE = /^[A-Za-z0-9._-]{8,64}$/;

/** Ids name requests, they protect nothing: one random part for the process and a number are unique and cost little. */
const processPart = randomBytes(8).toString('hex');
let count = 0;

/** The id that came with the request, if it is one that can stand in a log line and a header, else a new one. */
export function requestIdOf(headers: Pick<Headers, 'get'>): string {
  const given = headers.get('x-request-id');
  return given !== null && ACCEPTABLE.test(given) ? given : newRequestId();
}

function newRequestId(): string {
  count += 1;
  return `${processPart}-${count.toString(36).padStart(4, '0')}`;
}
