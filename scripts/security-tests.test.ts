import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(resolve(root, path), 'utf8');

it('every test that docs/security-tests.md names exists', () => {
  const rows = [...read('docs/security-tests.md').matchAll(/\| `([^`]+\.test\.ts)`: (.+?) *\|$/gmu)];
  expect(rows.length).toBeGreaterThan(45);
  const missing = rows.filter(([, path = '', name = '']) => !read(path).includes(name));
  expect(missing.map(([, path, name]) => `${path}: ${name}`)).toEqual([]);
});

it('Holdfast is installed without libraries that attackers could stop', () => {
  const lock = JSON.parse(read('package-lock.json')) as {
    packages: Record<string, { dev?: boolean; devOptional?: boolean; link?: boolean }>;
  };
  const installed = Object.entries(lock.packages).filter(([, { dev, devOptional }]) => !dev && !devOptional);
  const names = installed.map(([path]) => path.split('node_modules/').at(-1));
  for (const name of ['msgpackr', 'braces', 'micromatch', 'glob-parent', 'music-metadata', 'simple-git']) {
    expect(names).not.toContain(name);
  }
});
