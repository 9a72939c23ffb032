import type { NetworkInterfaceInfo } from 'node:os';

import jsQR from 'jsqr';
import { expect, it } from 'vitest';

import { lanAddress, lanName, qrCode } from './lan.ts';

const at = (address: string, internal = false) => [{ address, internal } as NetworkInterfaceInfo];

it('finds the address in the local network, not that of the internet, of containers or of a VPN', () => {
  const interfaces = {
    lo: at('127.0.0.1', true),
    docker0: at('172.17.0.1'),
    wg0: at('10.8.0.2'),
    eth0: at('203.0.113.7'),
    enp3s0: [...at('fe80::1'), ...at('192.168.1.20')],
  };
  expect(lanAddress(interfaces)).toBe('192.168.1.20');
  const { enp3s0: _, ...without } = interfaces;
  expect(() => lanAddress(without)).toThrow(expect.objectContaining({ code: 'LAN_ADDRESS_MISSING' }) as Error);
});

it('without a certificate, the hint has the command that creates one for this address', () => {
  expect(() => lanName('192.168.1.20', undefined)).toThrow(
    expect.objectContaining({ code: 'LISTEN_UNPROTECTED', hint: expect.stringContaining('192.168.1.20') }) as Error,
  );
});

it.each(['https://192.168.1.20:4870', 'https://holdfast.home.example:4870'])('a scanner reads %s', (url) => {
  const lines = qrCode(url);
  expect(read(lines)).toBe(url);
});

/** Draws the code as a terminal does, light on dark, and reads it with a scanner. */
function read(lines: readonly string[]): string | undefined {
  const scale = 4;
  const rows = lines.flatMap((line) => [
    line.split('').map((block) => block === '█' || block === '▀'),
    line.split('').map((block) => block === '█' || block === '▄'),
  ]);
  const [width, height] = [(rows[0]?.length ?? 0) * scale, rows.length * scale];
  const pixels = new Uint8ClampedArray(width * height * 4).fill(255);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const isLight = rows[Math.floor(y / scale)]?.[Math.floor(x / scale)] === true;
      pixels.fill(isLight ? 255 : 0, (y * width + x) * 4, (y * width + x) * 4 + 3);
    }
  }
  const scan = jsQR as unknown as typeof jsQR.default;
  return scan(pixels, width, height)?.data;
}
