import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { holdfastHome, rememberStore, storeAddress } from './home.ts';

test('HOLDFAST_HOME comes first, then XDG_DATA_HOME, then the home folder', () => {
  const env = { HOLDFAST_HOME: '/data', XDG_DATA_HOME: '/xdg', HOME: '/home/ada' };
  expect(holdfastHome(env)).toBe('/data');
  expect(holdfastHome({ ...env, HOLDFAST_HOME: '' })).toBe('/xdg/holdfast');
  expect(holdfastHome({ HOME: '/home/ada' })).toBe('/home/ada/.local/share/holdfast');
});

test('a relative XDG_DATA_HOME is ignored, as its specification says', () => {
  expect(holdfastHome({ XDG_DATA_HOME: 'data', HOME: '/home/ada' })).toBe('/home/ada/.local/share/holdfast');
});

test('a database that was moved is where it was moved, whatever HOLDFAST_STORE says', () => {
  const home = mkdtempSync(join(tmpdir(), 'holdfast-home-'));
  const env = { HOLDFAST_STORE: 'postgres://other/x' };
  expect(storeAddress(home, {}, 'np')).toBeUndefined();
  expect(storeAddress(home, { HOLDFAST_STORE: '' }, 'np')).toBeUndefined();
  expect(storeAddress(home, env, 'np')).toBe('postgres://other/x');
  rememberStore(home, 'np', 'postgres://here/x');
  rememberStore(home, 'accounts', undefined);
  expect(storeAddress(home, env, 'np')).toBe('postgres://here/x');
  expect(storeAddress(home, env, 'accounts')).toBeUndefined();
  expect(storeAddress(home, env, '__proto__')).toBe('postgres://other/x');
  for (const text of ['', '{"np":', '{"np":1}', 'null']) {
    writeFileSync(join(home, 'stores.json'), text);
    expect(() => storeAddress(home, {}, 'np')).toThrow(/stores\.json is damaged/);
  }
  rmSync(home, { recursive: true });
});
