import { randomBytes } from 'node:crypto';

const ACCEPTABLE = /^[A-Za-z0-9._-]{8,64}$/;

/** Request ids need not be secret. A random part per process plus a counter is unique and cheap. */
const processPart = randomBytes(8).toString('hex');
let count = 0;

/** Returns the id sent with the request if it is safe for logs and headers, else a new one. */
export function requestIdOf(headers: Pick<Headers, 'get'>): string {
  const given = headers.get('x-request-id');
  return given !== null && ACCEPTABLE.test(given) ? given : newRequestId();
}

function newRequestId(): string {
  count += 1;
  return `${processPart}-${count.toString(36).padStart(4, '0')}`;
}
