import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const apps = resolve(import.meta.dirname, '../apps');
const SQL = /\b(?:SELECT|INSERT (?:OR \w+ )?INTO|UPDATE \w+ SET|DELETE FROM|PRAGMA)\b/;

describe('the layers', () => {
  it('have SQL in no other folder than the store, which imports alone cannot tell', () => {
    const sources = readdirSync(apps, { recursive: true, encoding: 'utf8' }).filter((path) =>
      /^[^/]+\/src\/(?!store\/).*(?<!\.test)\.ts$/.test(path),
    );
    expect(sources.length).toBeGreaterThan(500);
    expect(sources.filter((path) => SQL.test(readFileSync(join(apps, path), 'utf8')))).toEqual([]);
  });
});
