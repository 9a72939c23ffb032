import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

import { describe, expect, it } from 'vitest';

const apps = resolve(import.meta.dirname, '../apps');
const SQL =
  /\b(?:SELECT|INSERT (?:OR \w+ )?INTO|UPDATE \w+ SET|DELETE FROM|PRAGMA|SAVEPOINT|BEGIN IMMEDIATE|ROLLBACK TO)\b/;
const IMPORT = /^(?:import|export)\s(?!type\b)(?:[^;']*?\sfrom\s)?'(\.[^']+)'/gm;

/** Source files below `apps`, without tests: `np/src/service/np.ts`. */
const sources = readdirSync(apps, { recursive: true, encoding: 'utf8' }).filter(
  (path) => /^[^/]+\/src\/.*\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path),
);
const textOf = (path: string): string => readFileSync(join(apps, path), 'utf8');

describe('the layers', () => {
  it('have SQL in no other folder than the store', () => {
    const elsewhere = sources.filter((path) => !/^[^/]+\/src\/store\//.test(path));
    expect(elsewhere.length).toBeGreaterThan(500);
    expect(elsewhere.filter((path) => SQL.test(textOf(path)))).toEqual([]);
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

/** The folder directly below `src`; files of `src` itself compose the others and have none below them. */
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
