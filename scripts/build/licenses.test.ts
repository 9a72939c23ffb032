import { expect, it } from 'vitest';

import { licenseIn, mayShip } from './licenses.mjs';

it('a bundle may contain packages with permissive licences, and no copyleft', () => {
  const licences = ['MIT', 'Apache-2.0', '(MIT OR GPL-3.0-or-later)', 'MIT AND ISC', 'OFL-1.1'];
  expect(licences.filter((licence) => !mayShip(licence))).toEqual([]);
  const others = [
    'LGPL-2.1-or-later',
    'GPL-3.0',
    'MIT AND LGPL-3.0',
    'MPL-2.0',
    'SEE LICENSE IN LICENSE',
    'UNLICENSED',
  ];
  expect(others.filter((licence) => mayShip(licence))).toEqual([]);
});

it('a package without a named licence is judged by its licence text', () => {
  expect(licenseIn('The MIT License (MIT)\n\nCopyright (c) 2019')).toBe('MIT');
  expect([licenseIn('All rights reserved.'), licenseIn(undefined)].some(mayShip)).toBe(false);
});
