import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { encodeSecret, hashSecret, recognisablePart, secretKind } from './secret.ts';

const bytes = fc.uint8Array({ minLength: 32, maxLength: 32 });
const kinds = ['session', 'token', 'setup', 'device'] as const;

describe('a secret', () => {
  it('says what it is, carries all 256 bits, and can be selected with a double click', () => {
    fc.assert(
      fc.property(bytes, bytes, fc.constantFrom(...kinds), (left, right, kind) => {
        const secret = encodeSecret(kind, left);
        expect(secret).toMatch(/^hf[sod]?_[0-9A-Za-z]{49}$/);
        expect(secretKind(secret)).toBe(kind);
        if (Buffer.compare(left, right) !== 0) expect(encodeSecret(kind, right)).not.toBe(secret);
      }),
    );
  });

  it('that was mistyped is recognised without asking the database', () => {
    fc.assert(
      fc.property(bytes, fc.nat(51), fc.constantFrom('0', 'a', 'Z', '_', '-', ' '), (random, at, typed) => {
        const secret = encodeSecret('token', random);
        const wrong = secret.slice(0, at) + typed + secret.slice(at + 1);
        if (wrong !== secret) expect(secretKind(wrong)).toBeUndefined();
        expect(secretKind(secret.slice(0, at))).toBeUndefined();
      }),
    );
  });

  it('of one kind cannot pass for another', () => {
    const secret = encodeSecret('device', new Uint8Array(32).fill(7));
    expect(secretKind(secret.replace('hfd_', 'hfs_'))).toBeUndefined();
  });

  it('is kept as its SHA-256', () => {
    expect(hashSecret('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });

  it('shows four characters in lists', () => {
    const secret = encodeSecret('token', new Uint8Array(32).fill(255));
    expect(recognisablePart(secret)).toBe(secret.slice(0, 7));
  });

  it('needs all of its bytes', () => {
    expect(() => encodeSecret('token', new Uint8Array(16))).toThrow(TypeError);
  });
});
