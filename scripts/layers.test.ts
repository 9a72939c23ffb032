import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

import { describe, expect, it } from 'vitest';

const apps = resolve(import.meta.dirname, '../apps');
const SQL = new RegExp(
  [
    'SELECT|(?:INSERT|REPLACE)(?: OR \\w+)? INTO|UPDATE(?: OR \\w+)? \\w+ SET|DELETE FROM|WITH (?:RECURSIVE )?\\w+ AS',
    '(?:CREATE|DROP|ALTER)(?: TEMP| TEMPORARY| UNIQUE| VIRTUAL)? (?:TABLE|INDEX|TRIGGER|VIEW)',
    'BEGIN(?: (?:DEFERRED|IMMEDIATE|EXCLUSIVE)|[\'"`;])|(?<=[\'"`])COMMIT[\'"`;]|ROLLBACK(?: TO|[\'"`;])|SAVEPOINT|RELEASE \\w',
    'PRAGMA|VACUUM|(?:ATTACH|DETACH) DATABASE|REINDEX|EXPLAIN QUERY|ANALYZE[\'"`;]',
  ]
    .map((part) => `\\b(?:${part})`)
    .join('|'),
);
/** Matches uses of time, randomness and persistent state, which can change the output for the same input. */
const IMPURE =
  /\bDate\.now\b|\bnew Date\(\)|\bperformance\.now\b|\bMath\.random\b|\brandom(?:UUID|Bytes|Int|FillSync)\b|\bsystemClock\b|\bmonotonicClock\b/;
const MODULE_STATE =
  /^(?:export )?(?:let |var |const \w+(?:: (?:Weak)?(?:Map|Set)<[^=]*)? = new (?:Map|Set|WeakMap|WeakSet)\b)/m;
const IMPORT = /^(?:import|export)\s(?!type\b)(?:[^;']*?\sfrom\s)?'(\.[^']+)'/gm;

/** Source files below `apps`, without tests: `np/src/service/np.ts`. */
const sources = readdirSync(apps, { recursive: true, encoding: 'utf8' }).filter(
  (path) => /^[^/]+\/src\/.*\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path),
);
const textOf = (path: string): string => readFileSync(join(apps, path), 'utf8');

describe('the layers', () => {
  it('have SQL in no other folder than the store', () => {
    const elsewhere = sources.filter((path) => !/^[^/]+\/src\/store\//.test(path));
    expect(elsewhere.length).toBeGreaterThan(250);
    expect(elsewhere.filter((path) => SQL.test(textOf(path)))).toEqual([]);
  });

  it('find every statement of SQL', () => {
    const statements = ['SELECT 1', 'INSERT OR IGNORE INTO a', 'UPDATE a SET b', 'DELETE FROM a', 'SAVEPOINT a'];
    const others = [
      "'BEGIN'",
      'BEGIN IMMEDIATE',
      'RELEASE a',
      "'COMMIT'",
      "'ROLLBACK'",
      'CREATE UNIQUE INDEX',
      'VACUUM',
    ];
    expect([...statements, ...others, 'DROP TABLE a'].filter((text) => !SQL.test(text))).toEqual([]);
  });

  it('keep time, randomness and lasting state out of the model', () => {
    const model = sources.filter((path) => /^[^/]+\/src\/model\//.test(path));
    expect(model.length).toBeGreaterThan(40);
    expect(model.filter((path) => IMPURE.test(textOf(path)))).toEqual([]);
    expect(model.filter((path) => MODULE_STATE.test(textOf(path)))).toEqual([]);
  });

  it.each(['audiobooks', 'codex', 'hub', 'np', 'ringmaster', 'utask'])('have no cycle of folders in %s', (app) => {
    const edges = new Map<string, Set<string>>();
    for (const path of sources.filter((each) => each.startsWith(`${app}/src/`))) {
      const from = folderOf(path);
      for (const [, target] of textOf(path).matchAll(IMPORT)) {
        const to = folderOf(relative(apps, resolve(apps, dirname(path), target ?? '')));
        if (to !== from) edges.set(from, (edges.get(from) ?? new Set()).add(to));
      }
    }
    expect(cycleIn(edges)).toEqual([]);
  });
});

/** Returns the name of the folder directly below `src`. Files in `src` itself may combine the folders. */
function folderOf(path: string): string {
  const [, , folder, ...rest] = path.split('/');
  return rest.length === 0 ? `src/${folder}` : (folder ?? '');
}

function cycleIn(edges: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] {
  const done = new Set<string>();
  const visit = (folder: string, path: readonly string[]): readonly string[] => {
    if (path.includes(folder)) return [...path.slice(path.indexOf(folder)), folder];
    if (done.has(folder)) return [];
    for (const next of edges.get(folder) ?? []) {
      const cycle = visit(next, [...path, folder]);
      if (cycle.length > 0) return cycle;
    }
    done.add(folder);
    return [];
  };
  for (const folder of edges.keys()) {
    const cycle = visit(folder, []);
    if (cycle.length > 0) return cycle;
  }
  return [];
}
