import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import { openToken, sealToken } from './sealed-token.ts';

it('each installation has its own private key, and a token opens only in its own place', () => {
  const homes = ['one', 'two'].map((name) => mkdtempSync(join(tmpdir(), `holdfast-${name}-`)));
  onTestFinished(() => homes.forEach((home) => rmSync(home, { recursive: true })));
  const [one = '', two = ''] = homes;
  const sealed = sealToken(one, 'row 1', 'secret');
  sealToken(two, 'row 1', 'secret');
  expect(sealed).not.toContain('secret');
  expect(openToken(one, 'row 1', sealed)).toBe('secret');
  expect(() => openToken(two, 'row 1', sealed)).toThrow(expect.objectContaining({ code: 'REMOTE_KEY_MISSING' }));
  expect(() => openToken(one, 'row 2', sealed)).toThrow(expect.objectContaining({ code: 'REMOTE_KEY_MISSING' }));
  expect(statSync(join(one, 'keys', 'notebooks.key')).mode & 0o777).toBe(0o600);
});
