import { expect, test } from 'vitest';

import { holdfastHome } from './home.ts';

test('HOLDFAST_HOME comes first, then XDG_DATA_HOME, then the home folder', () => {
  const env = { HOLDFAST_HOME: '/data', XDG_DATA_HOME: '/xdg', HOME: '/home/ada' };
  expect(holdfastHome(env)).toBe('/data');
  expect(holdfastHome({ ...env, HOLDFAST_HOME: '' })).toBe('/xdg/holdfast');
  expect(holdfastHome({ HOME: '/home/ada' })).toBe('/home/ada/.local/share/holdfast');
});

test('a relative XDG_DATA_HOME is ignored, as its specification says', () => {
  expect(holdfastHome({ XDG_DATA_HOME: 'data', HOME: '/home/ada' })).toBe('/home/ada/.local/share/holdfast');
});
