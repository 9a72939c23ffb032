import { isIP } from 'node:net';

import { httpErrors } from '../errors.ts';
import type { Server } from './server.ts';

const WILDCARDS: ReadonlySet<string> = new Set(['0.0.0.0', '::', '']);

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

/** Plain HTTP is only allowed on loopback or for a trusted proxy, which is then the only client accepted. */
export function refuseUnprotected(server: Server, host: string, hasTls: boolean): void {
  if (isLoopback(host)) return;
  if (!hasTls && server.proxies.isEmpty) {
    throw httpErrors.LISTEN_UNPROTECTED(`${host || 'every address'} can be reached from other machines, in the clear`);
  }
  if (WILDCARDS.has(host) && server.origins.all.length === 0) {
    throw httpErrors.ORIGIN_INVALID('Listening on every address needs to know under which origin it is reached');
  }
}

/** Returns the origins implied by the address. Loopback names also work when listening on all addresses. */
export function ownOrigins(host: string, port: number, hasTls: boolean): readonly string[] {
  const names = isLoopback(host) || WILDCARDS.has(host) ? ['127.0.0.1', 'localhost', '[::1]'] : [];
  if (!WILDCARDS.has(host)) names.unshift(bracketed(host));
  return [...new Set(names)].map((name) => new URL(`${hasTls ? 'https' : 'http'}://${name}:${port}`).origin);
}

function bracketed(host: string): string {
  return isIP(host) === 6 ? `[${host}]` : host;
}

export function listenError(error: NodeJS.ErrnoException, host: string, port: number): Error {
  if (error.code === 'EADDRINUSE') return httpErrors.PORT_TAKEN(`Port ${port} of ${host} is taken`, { cause: error });
  if (error.code === 'EACCES') return httpErrors.PORT_FORBIDDEN(`Port ${port} may not be used`, { cause: error });
  return httpErrors.ADDRESS_UNAVAILABLE(`Cannot listen on ${host}, port ${port}`, { cause: error });
}
