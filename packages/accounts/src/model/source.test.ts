import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { cleanSource } from './source.ts';

describe('where a request comes from', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7', '203.0.113.7'],
    ['::1', '::1', '0:0:0:0::/64'],
    ['2001:DB8:1:2:3:4:5:6', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8::5', '2001:db8::5', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80::1', 'fe80:0:0:0::/64'],
    ['256.1.1.1', 'unknown', 'unknown'],
    ['0x7f.1', 'unknown', 'unknown'],
    ['example.org', 'unknown', 'unknown'],
    ['1.2.3.4]:80/[::1', 'unknown', 'unknown'],
    ['', 'unknown', 'unknown'],
  ])('%j is %s, counted as %s', (given, ip, place) => {
    expect(cleanSource({ ip: given })).toMatchObject({ ip, place });
  });

  it('has one name for each address, however it is written', () => {
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        const { ip, place } = cleanSource({ ip: address });
        expect(cleanSource({ ip })).toEqual(cleanSource({ ip: address.toUpperCase() }));
        expect(place).toMatch(/^[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){3}::\/64$|^\d+\.\d+\.\d+\.\d+$/);
      }),
    );
  });

  it('keeps what a browser says of itself short and printable', () => {
    const { userAgent } = cleanSource({ userAgent: `Mozilla\u0000\u202e\n${'😀'.repeat(1_000)}` });
    expect(userAgent).toMatch(/^Mozilla {3}😀+$/u);
    expect(Array.from(userAgent).length).toBeLessThanOrEqual(256);
  });
});
