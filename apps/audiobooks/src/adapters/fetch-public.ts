import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import type { IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { isHoldfastError, systemErrorCode } from '@holdfast/base';
import { audiobookErrors } from '../model/errors.ts';

/** Resolves host names and decides which addresses may be reached. Tests replace both functions. */
export interface Network {
  readonly lookup: (host: string) => Promise<readonly LookupAddress[]>;
  readonly isAllowed: (address: string) => boolean;
  readonly port?: number;
  /** An additional certificate authority. */
  readonly ca?: string;
}

export const publicNetwork: Network = {
  lookup: (host) => promisify(systemLookup)(host, { all: true }),
  isAllowed: isPublicAddress,
};

export interface PublicRequest {
  readonly url: string;
  /**
   * Hosts that requests and redirects may reach. `*.example.org` allows all subdomains, but not `example.org` itself.
   */
  readonly hosts: readonly string[];
  readonly limitBytes: number;
  readonly signal: AbortSignal;
}

const REDIRECTS_MAX = 3;
const AGENT = 'Holdfast (audiobook library)';

/**
 * Fetches a public HTTPS URL; returns undefined on status 404. Every request, even after a redirect, uses HTTPS, an
 * allowed host and a public address. The host name is resolved once, and the connection uses the address that was
 * checked, so a second DNS response cannot lead elsewhere.
 */
export async function fetchPublic(request: PublicRequest, network: Network): Promise<Uint8Array | undefined> {
  let url = request.url;
  for (let redirects = 0; ; redirects++) {
    const target = checkedUrl(url, request.hosts);
    const answer = await ask(target, request, network);
    const { statusCode: status = 0, headers } = answer;
    if (status === 200) return read(answer, request.limitBytes, target.hostname);
    answer.destroy();
    if (status === 404) return undefined;
    const isRedirect = status >= 300 && status < 400 && headers.location !== undefined;
    if (isRedirect && redirects < REDIRECTS_MAX) url = new URL(headers.location ?? '', target).href;
    else if (isRedirect) throw audiobookErrors.PROVIDER_INVALID(`${target.hostname} redirects too often.`);
    else throw refusal(target.hostname, status, headers['retry-after']);
  }
}

/**
 * Returns the error for an unsuccessful response. For status 429, its details contain the number of seconds from the
 * `Retry-After` header, or 60 without this header.
 */
function refusal(host: string, status: number, retryAfter: string | undefined): Error {
  const seconds = status === 429 ? Number(retryAfter ?? 60) : Number.NaN;
  return audiobookErrors.PROVIDER_UNAVAILABLE(`${host} answered with status ${status}.`, {
    details: { status, ...(Number.isFinite(seconds) ? { retry_after_seconds: seconds } : {}) },
  });
}

function checkedUrl(given: string, hosts: readonly string[]): URL {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  const refused = (reason: string): Error =>
    audiobookErrors.PROVIDER_INVALID(`The address ${url?.host ?? '(invalid)'} ${reason}.`);
  if (url?.protocol !== 'https:') throw refused('does not use HTTPS');
  if (url.port !== '' || url.username !== '' || url.password !== '') throw refused('has a port or a password');
  const isAllowed = hosts.some((host) =>
    host.startsWith('*.') ? url.hostname.endsWith(host.slice(1)) : url.hostname === host,
  );
  if (!isAllowed) throw refused('is not on the list of allowed hosts');
  return url;
}

async function ask(url: URL, { signal }: PublicRequest, network: Network): Promise<IncomingMessage> {
  const lookup = await checkedLookup(url.hostname, network);
  return new Promise<IncomingMessage>((resolve, reject) => {
    const { port, ca } = network;
    const request = httpsRequest(url, {
      signal,
      lookup,
      headers: { 'user-agent': AGENT, accept: '*/*', 'accept-encoding': 'gzip' },
      // Uses no shared agent, so that no connection stays open after the response.
      agent: false,
      ...(port === undefined ? {} : { port }),
      ...(ca === undefined ? {} : { ca }),
    });
    request.on('response', resolve).on('error', (error) => reject(unavailable(url.hostname, error)));
    request.end();
  });
}

/**
 * Resolves a host name and checks its addresses. Returns a lookup function that gives the connection exactly these
 * addresses.
 */
async function checkedLookup(host: string, { lookup, isAllowed }: Network): Promise<LookupFunction> {
  const addresses = await lookup(host).catch((error: unknown) => {
    throw unavailable(host, error);
  });
  const [first] = addresses;
  if (first === undefined || !addresses.every(({ address }) => isAllowed(address))) {
    throw audiobookErrors.PROVIDER_INVALID(`${host} has an address that is not public.`);
  }
  return (_host, options, callback) => {
    if (options.all === true) callback(null, [...addresses]);
    else callback(null, first.address, first.family);
  };
}

function unavailable(host: string, error: unknown): Error {
  if (isHoldfastError(error)) return error;
  const isLate = error instanceof Error && error.name === 'AbortError';
  const reason = isLate
    ? 'did not answer in time'
    : `could not be reached: ${systemErrorCode(error) ?? 'no connection'}`;
  return audiobookErrors.PROVIDER_UNAVAILABLE(`${host} ${reason}.`, { cause: error });
}

const unzip = promisify(gunzip);

/** Reads the body; neither the body nor its decompressed form may be larger than the limit. */
async function read(answer: IncomingMessage, limitBytes: number, host: string): Promise<Uint8Array> {
  const tooLarge = (): Error =>
    audiobookErrors.PROVIDER_INVALID(`The response from ${host} is larger than ${limitBytes} bytes.`);
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      size += chunk.byteLength;
      if (size > limitBytes) throw tooLarge();
      chunks.push(chunk);
    }
  } catch (error) {
    throw unavailable(host, error);
  }
  const body = Buffer.concat(chunks);
  const encoding = answer.headers['content-encoding'] ?? 'identity';
  if (encoding === 'identity') return body;
  if (encoding !== 'gzip') throw audiobookErrors.PROVIDER_INVALID(`${host} answered with the encoding ${encoding}.`);
  try {
    return await unzip(body, { maxOutputLength: limitBytes });
  } catch (error) {
    if (systemErrorCode(error) === 'ERR_BUFFER_TOO_LARGE') throw tooLarge();
    throw audiobookErrors.PROVIDER_INVALID(`${host} answered with damaged data.`, { cause: error });
  }
}

const SPECIAL_IPV4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const;
/** Ranges within 2000::/3, the public IPv6 range, that are not public or whose addresses contain an IPv4 address. */
const SPECIAL_IPV6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const;

const special = new BlockList();
for (const [network, prefix] of SPECIAL_IPV4) special.addSubnet(network, prefix, 'ipv4');
for (const [network, prefix] of SPECIAL_IPV6) special.addSubnet(network, prefix, 'ipv6');
const unicast = new BlockList();
unicast.addSubnet('2000::', 3, 'ipv6');

/**
 * Returns whether an address is reachable from the whole internet, that is, outside this machine, local networks and
 * special-purpose ranges.
 */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address);
  if (version === 4) return !special.check(address, 'ipv4');
  return version === 6 && unicast.check(address, 'ipv6') && !special.check(address, 'ipv6');
}
