import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';

import { describe, expect, it } from 'vitest';

const site = resolve(import.meta.dirname, '../../../dist/site');
const files = readdirSync(join(site, 'assets'));
const scripts = files.filter((name) => name.endsWith('.js'));

function gzipped(name: string): number {
  return gzipSync(readFileSync(join(site, 'assets', name)), { level: 9 }).byteLength;
}

describe('the built pages', () => {
  it('are at most 250 kB of script with gzip, all parts together', () => {
    expect(scripts.length).toBeGreaterThan(5);
    expect(scripts.reduce((sum, name) => sum + gzipped(name), 0)).toBeLessThanOrEqual(250_000);
  });

  it('load what draws plots only when there is one', () => {
    const index = readFileSync(join(site, 'index.html'), 'utf8');
    const first = [...index.matchAll(/assets\/([^"]+\.js)/g)].map(([, name]) => name ?? '');
    expect(first.length).toBeGreaterThan(0);
    expect(first.reduce((sum, name) => sum + gzipped(name), 0)).toBeLessThanOrEqual(150_000);
    expect(first.some((name) => readFileSync(join(site, 'assets', name), 'utf8').includes('u-over'))).toBe(false);
    expect(scripts.some((name) => name.startsWith('plot-canvas'))).toBe(true);
  });

  it('hold no script or style that the policy of the page would refuse', () => {
    const index = readFileSync(join(site, 'index.html'), 'utf8');
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
