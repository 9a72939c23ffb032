import { describe, expect, it } from 'vitest';

import { argon2Hasher } from '../adapters/argon2.ts';
import { systemRandom } from '../adapters/random.ts';
import { decoyHash, defaultHashPolicy, isMadeBy, parseHashPolicy, policyOf } from './hash-policy.ts';

const cheap = { memory_kib: 8, iterations: 1, parallelism: 1, version: 1 } as const;

describe('the policy of password hashes', () => {
  it('is 64 MiB, three passes and one lane, and the library makes Argon2id hashes of it', async () => {
    expect(defaultHashPolicy).toEqual({ memory_kib: 65_536, iterations: 3, parallelism: 1, version: 1 });
    const hash = await argon2Hasher.hash('correct horse battery', defaultHashPolicy);
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=65536,t=3,p=1\$/);
    expect(isMadeBy(hash, defaultHashPolicy)).toBe(true);
    expect(await argon2Hasher.verify(hash, 'correct horse battery')).toBe(true);
    expect(await argon2Hasher.verify(hash, 'correct horse batterz')).toBe(false);
  });

  it('is read from the hash itself, and a hash of another cost is recognised', async () => {
    const hash = await argon2Hasher.hash('x', { ...cheap, iterations: 2 });
    expect(policyOf(hash)).toEqual({ ...cheap, iterations: 2 });
    expect(isMadeBy(hash, cheap)).toBe(false);
  });

  it('gives each hash a salt of its own', async () => {
    expect(await argon2Hasher.hash('x', cheap)).not.toBe(await argon2Hasher.hash('x', cheap));
  });

  it('makes decoys that cost the same and fit no password', async () => {
    const decoy = decoyHash(cheap, (count) => systemRandom.bytes(count));
    expect(policyOf(decoy)).toEqual(cheap);
    expect(await argon2Hasher.verify(decoy, '')).toBe(false);
  });

  it.each([
    '',
    '$argon2i$v=19$m=8,t=1,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
    '$argon2id$v=19$m=4294967295,t=1,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
    '$argon2id$v=19$m=8,t=1,p=1$AAAAAAAAAAAAAAAAAAAAAA$',
  ])('does not compute %j', (hash) => {
    expect(policyOf(hash)).toBeUndefined();
  });

  it('cannot be set below what OWASP asks for', () => {
    const minimum = { memory_kib: 19_456, iterations: 2, parallelism: 1, version: 1 } as const;
    expect(parseHashPolicy(minimum)).toEqual(minimum);
    for (const weaker of [{ memory_kib: 19_455 }, { iterations: 1 }, { parallelism: 0 }, { memory_kib: 2 ** 40 }]) {
      expect(() => parseHashPolicy({ ...minimum, ...weaker })).toThrow(/parameters/);
    }
  });
});
