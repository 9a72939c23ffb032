import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';

import { describe, expect, it } from 'vitest';

const site = resolve(import.meta.dirname, '../../../dist/site');
const files = readdirSync(join(site, 'assets'));
const scripts = files.filter((name) => name.endsWith('.js'));
/** Name prefixes of the scripts that pages load on first use. */
const heavy = ['plot-canvas', 'graph-canvas', 'layout.worker', 'note-editor', 'katex'] as const;
/** Prefix of the note editor's language files, and of the code that they share with the editor. */
const EDITOR_PART = 'note-part-';
const isHeavy = (name: string): boolean => [...heavy, EDITOR_PART].some((each) => name.startsWith(each));

function textOf(name: string): string {
  return readFileSync(join(site, 'assets', name), 'utf8');
}

function gzipped(names: Iterable<string>): number {
  return [...names].reduce((sum, name) => sum + gzipSync(textOf(name), { level: 9 }).byteLength, 0);
}

/** A script and its static imports. */
function withImports(names: readonly string[], found: Set<string> = new Set()): ReadonlySet<string> {
  for (const name of names) {
    if (found.has(name)) continue;
    found.add(name);
    const imported = [...textOf(name).matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g)].map(([, each]) => each ?? '');
    withImports(imported, found);
  }
  return found;
}

const index = readFileSync(join(site, 'index.html'), 'utf8');
const first = withImports([...index.matchAll(/assets\/([^"]+\.js)/g)].map(([, name]) => name ?? ''));

describe('the built pages', () => {
  // Users wait for the first load and then for one page at a time, so there is a limit for the first load and one for
  // each page, but not for all pages together.
  it('come one by one, each with at most 50 kB of script with gzip beyond the first load', () => {
    const parts = scripts.filter((name) => !isHeavy(name) && !first.has(name));
    expect(parts.length).toBeGreaterThan(20);
    const own = (name: string): readonly string[] =>
      [...withImports([name])].filter((each) => !first.has(each) && !isHeavy(each));
    const sizes = parts.map((name) => [name, gzipped(own(name))]);
    expect(sizes.filter(([, size]) => Number(size) > 50_000)).toEqual([]);
  });

  it('begin with at most 150 kB', () => {
    expect(first.size).toBeGreaterThan(0);
    expect(gzipped(first)).toBeLessThanOrEqual(150_000);
  });

  it('load what draws only when there is something to draw', () => {
    for (const name of heavy) expect(scripts.filter((each) => each.startsWith(name))).toHaveLength(1);
    const pages = scripts.filter((name) => /-page-/.test(name));
    expect(pages.length).toBeGreaterThan(7);
    expect([...withImports([...first, ...pages])].filter(isHeavy)).toEqual([]);
    for (const sign of ['u-over', 'react-flow__node', 'network-simplex', 'cm-content']) {
      expect(scripts.filter((name) => textOf(name).includes(sign)).every(isHeavy), sign).toBe(true);
    }
  });

  it('hold no script or style that the policy of the page would refuse', () => {
    expect(index).not.toMatch(/<style|style=|<script(?![^>]*\ssrc=)|\son\w+=/);
  });

  it('are compressed already', () => {
    for (const name of scripts.filter((each) => readFileSync(join(site, 'assets', each)).byteLength > 1_000)) {
      const content = readFileSync(join(site, 'assets', name));
      expect(gunzipSync(readFileSync(join(site, 'assets', `${name}.gz`))).equals(content), name).toBe(true);
      expect(brotliDecompressSync(readFileSync(join(site, 'assets', `${name}.br`))).equals(content), name).toBe(true);
    }
  });
});
