import { X509Certificate } from 'node:crypto';
import { BlockList, isIPv4 } from 'node:net';
import type { NetworkInterfaceInfo } from 'node:os';

import { httpErrors } from '@holdfast/http';
import { renderUnicodeCompact } from 'uqr';

type Interfaces = Readonly<Record<string, readonly NetworkInterfaceInfo[] | undefined>>;

/** Local network addresses, which cannot be reached from the internet. */
const localNetworks = new BlockList();
for (const [network, prefix] of [
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const) {
  localNetworks.addSubnet(network, prefix);
}

/** Networks of containers and virtual machines, which phones cannot reach. */
const VIRTUAL = /^(?:docker|br-|veth|virbr|vmnet|vboxnet|tun|utun|tap|wg|tailscale|zt)/u;

/** Returns this machine's address in the local network. */
export function lanAddress(interfaces: Interfaces): string {
  const found = Object.entries(interfaces)
    .filter(([name]) => !VIRTUAL.test(name))
    .flatMap(([, infos = []]) => infos)
    .find(({ address, internal }) => !internal && isIPv4(address) && localNetworks.check(address));
  if (found !== undefined) return found.address;
  throw httpErrors.LAN_ADDRESS_MISSING('This machine has no local network address');
}

/**
 * Returns the name or address at which phones reach the server: the address if the certificate covers it, otherwise the
 * first name in the certificate. Other URLs would show a warning on every device.
 */
export function lanName(address: string, certificate: Buffer | string | undefined): string {
  if (certificate === undefined) {
    throw httpErrors.LISTEN_UNPROTECTED('--lan requires a TLS certificate that the phones trust', {
      hint:
        `Create one: mkcert -cert-file holdfast.pem -key-file holdfast.key ${address}. Then pass --tls-cert ` +
        'holdfast.pem --tls-key holdfast.key. docs/server.md describes how phones trust it.',
    });
  }
  const parsed = new X509Certificate(certificate);
  if (parsed.checkIP(address) !== undefined) return address;
  const names = [...(parsed.subjectAltName ?? '').matchAll(/DNS:([^,\s]+)/gu)].map(([, name]) => name ?? '');
  const name = names.find((each) => !each.includes('*'));
  if (name !== undefined) return name;
  throw httpErrors.TLS_FILE_INVALID(`The certificate covers neither ${address} nor a name`);
}

/** Returns the lines of a QR code with the margin that scanners need. */
export function qrCode(text: string): readonly string[] {
  return renderUnicodeCompact(text, { border: 2 }).split('\n');
}
