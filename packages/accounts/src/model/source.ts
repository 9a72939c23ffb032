import { codePoints } from './code-points.ts';
import { limits } from './limits.ts';

/** Origin of a request, as the server saw it. */
export interface Source {
  /** The client's address; behind a trusted proxy, the address that the proxy reports. */
  readonly ip?: string | undefined;
  readonly userAgent?: string | undefined;
}

export interface CleanSource {
  readonly ip: string;
  readonly userAgent: string;
  /** Key for counting failures: an IPv4 address, or the IPv6 network of one subscriber. */
  readonly place: string;
}

const UNKNOWN = 'unknown';
const ipv4 = /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/;
const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/;

export function cleanSource(source: Source | undefined): CleanSource {
  const ip = canonicalIp(source?.ip ?? '');
  const userAgent = (source?.userAgent ?? '').slice(0, 2 * limits.userAgentCharacters).toWellFormed();
  const printable = codePoints(userAgent.replaceAll(/\p{C}/gu, ' '));
  return { ip, userAgent: printable.slice(0, limits.userAgentCharacters).join(''), place: placeOf(ip) };
}

function canonicalIp(given: string): string {
  const text = given.replace(/%.*$/s, '');
  if (ipv4.test(text)) return text;
  if (!text.includes(':') || !URL.canParse(`http://[${text}]/`)) return UNKNOWN;
  const canonical = new URL(`http://[${text}]/`).hostname.slice(1, -1);
  const match = mapped.exec(canonical);
  if (match === null) return canonical;
  const bits = Number.parseInt(match[1] as string, 16) * 0x1_0000 + Number.parseInt(match[2] as string, 16);
  return [24, 16, 8, 0].map((shift) => (bits >>> shift) & 255).join('.');
}

/** Counts IPv6 by /64 network: one subscriber has at least a /64 and could change the address for every attempt. */
function placeOf(ip: string): string {
  if (!ip.includes(':')) return ip;
  const [left = '', right] = ip.split('::');
  const before = left === '' ? [] : left.split(':');
  const after = right === undefined || right === '' ? [] : right.split(':');
  const zeros = right === undefined ? [] : Array.from({ length: 8 - before.length - after.length }, () => '0');
  return `${[...before, ...zeros, ...after].slice(0, 4).join(':')}::/64`;
}
