import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { campaigns } from './campaigns/index.ts';

const root = join(import.meta.dirname, '../..');

function failpointsIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .flatMap((name) => {
      const text = readFileSync(join(root, folder, name), 'utf8');
      return [...text.matchAll(/failpoint\('([^']+)'\)/gu)].map(([, point]) => point as string);
    });
}

test('every step of the store that must not be torn apart has a campaign that stops there', () => {
  const stopped = new Set(campaigns.flatMap(({ failpoints }) => failpoints));
  const points = [
    'packages/sqlite/src',
    'packages/keyspace/src',
    'packages/postgres/src/move',
    'packages/git/src',
    'apps/codex/src',
  ].flatMap(failpointsIn);
  expect(points.length).toBeGreaterThan(5);
  expect(points.filter((point) => !stopped.has(point))).toEqual([]);
});

test('campaigns have names of their own', () => {
  const names = campaigns.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});
