import { readFileSync } from 'node:fs';

import { postgresErrors } from './errors.ts';

/** Address of one or more servers. The text form never contains the password. */
export interface Address {
  readonly hosts: readonly { readonly host: string; readonly port: number }[];
  readonly user: string | undefined;
  /** If undefined, the driver uses PGPASSWORD or ~/.pgpass. */
  readonly password: string | undefined;
  readonly database: string;
  /** Separates the spaces of several installations in one database. */
  readonly installation: string | undefined;
  readonly tls: false | { readonly rejectUnauthorized: boolean; readonly ca?: string };
  readonly shown: string;
}

const PATTERN = /^postgres(?:ql)?:\/\/(?:([^:@/]*)(?::([^@/]*))?@)?([^/?#]*)(?:\/([^?#]*))?(?:\?([^#]*))?$/;
const PORT = 5432;

/**
 * Parses `postgres://user@host1:5432,host2:5432/database?sslmode=verify-full`. `?host=` may name the folder of a Unix
 * socket.
 */
export function parseAddress(text: string): Address {
  const match = PATTERN.exec(text);
  if (match === null) throw postgresErrors.STORE_ADDRESS_INVALID('The address must start with postgres://');
  const [, user, password, authority = '', database = '', query = ''] = match;
  const parameters = new URLSearchParams(query);
  for (const name of parameters.keys()) {
    if (!['host', 'installation', 'sslmode', 'sslrootcert'].includes(name)) {
      throw postgresErrors.STORE_ADDRESS_INVALID(`The address has the unknown parameter ${name}`);
    }
  }
  const hosts = (authority === '' ? 'localhost' : authority).split(',').map(parseHost);
  const folder = parameters.get('host');
  const places = folder === null ? hosts : hosts.map(({ port }) => ({ host: folder, port }));
  const name = decode(database) === '' ? 'holdfast' : decode(database);
  const shownHosts = places.map(({ host, port }) => `${host.includes(':') ? `[${host}]` : host}:${port}`).join(',');
  return {
    hosts: places,
    user: user === undefined || user === '' ? undefined : decode(user),
    password: password === undefined ? undefined : decode(password),
    database: name,
    installation: parameters.get('installation') ?? undefined,
    tls: tlsFor(parameters, places),
    shown: `postgres://${user === undefined ? '' : `${user}@`}${shownHosts}/${name}`,
  };
}

function parseHost(text: string): { host: string; port: number } {
  const match = /^(?:\[([^\]]+)\]|([^:[\]]*))(?::(\d{1,5}))?$/.exec(text);
  const host = match?.[1] ?? match?.[2];
  if (match === null || host === undefined || host === '') {
    throw postgresErrors.STORE_ADDRESS_INVALID('The address needs a host, for example postgres://localhost/holdfast');
  }
  return { host, port: match[3] === undefined ? PORT : Number(match[3]) };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw postgresErrors.STORE_ADDRESS_INVALID('A % in the address must be followed by two hexadecimal digits');
  }
}

const LOCAL = /^(localhost|127\.\d+\.\d+\.\d+|::1|\/.*)$/;

/** Without `sslmode`, a connection to another machine is encrypted and the certificate is checked. */
function tlsFor(parameters: URLSearchParams, hosts: Address['hosts']): Address['tls'] {
  const mode = parameters.get('sslmode') ?? (hosts.every(({ host }) => LOCAL.test(host)) ? 'disable' : 'verify-full');
  if (mode === 'disable') return false;
  if (mode !== 'require' && mode !== 'verify-full') {
    throw postgresErrors.STORE_ADDRESS_INVALID('sslmode must be disable, require or verify-full');
  }
  const file = parameters.get('sslrootcert');
  return { rejectUnauthorized: mode === 'verify-full', ...(file === null ? {} : { ca: readFileSync(file, 'utf8') }) };
}
