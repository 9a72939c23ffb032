import { BlockList, isIP } from 'node:net';

import { httpErrors } from '../errors.ts';

/** Proxies whose X-Forwarded-For is trusted: addresses or networks (`10.0.0.0/8`). */
export class TrustedProxies {
  readonly #list = new BlockList();

  readonly isEmpty: boolean;

  constructor(addresses: readonly string[] = []) {
    this.isEmpty = addresses.length === 0;
    for (const address of addresses) this.#add(address);
  }

  has(address: string): boolean {
    const plain = plainAddress(address);
    const family = isIP(plain);
    return family !== 0 && this.#list.check(plain, family === 6 ? 'ipv6' : 'ipv4');
  }

  #add(address: string): void {
    const [network = '', prefix, ...more] = address.split('/');
    const family = isIP(network) === 6 ? 'ipv6' : 'ipv4';
    // An empty prefix must not count as 0, because 0 would trust every machine.
    const isPrefix =
      prefix === undefined || (/^\d{1,3}$/u.test(prefix) && Number(prefix) <= (family === 'ipv6' ? 128 : 32));
    if (isIP(network) === 0 || !isPrefix || more.length > 0) {
      throw httpErrors.ORIGIN_INVALID(`"${address}" is not a valid proxy address`);
    }
    if (prefix === undefined) this.#list.addAddress(network, family);
    else this.#list.addSubnet(network, Number(prefix), family);
  }
}

/**
 * Returns the client's address. Behind a trusted proxy, this is the last address in X-Forwarded-For that is not a
 * trusted proxy, because clients can forge all addresses to the left of it.
 */
export function clientAddress(peer: string, forwardedFor: string | null, proxies: TrustedProxies): string {
  if (forwardedFor === null || !proxies.has(peer)) return plainAddress(peer);
  const chain = forwardedFor.split(',').map((part) => part.trim());
  for (const address of chain.reverse()) {
    if (isIP(plainAddress(address)) === 0) break;
    if (!proxies.has(address)) return plainAddress(address);
  }
  return plainAddress(peer);
}

/**
 * Returns `1.2.3.4` for `::ffff:1.2.3.4`, the form in which dual-stack sockets report IPv4 addresses. So limits count
 * both forms together.
 */
function plainAddress(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice('::ffff:'.length) : address;
}
