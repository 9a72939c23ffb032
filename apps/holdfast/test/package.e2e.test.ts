/** The package as a new user gets it: packed, installed into an empty prefix, used, and removed. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { nodePath } from '../../../scripts/provision/locate.mjs';
import { becomeOwner, openBrowser } from '../../web/test/bare-browser.ts';

const root = resolve(import.meta.dirname, '../../..');
const LARGEST_BYTES = 12_000_000;
/** Everything that `npm install` downloads again on a machine without a cache. */
const INSTALL_MS = 240_000;

let folder = '';
let tarball = '';
let prefix = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdfast-package-'));
  prefix = join(folder, 'a prefix');
  npm('pack', '--silent', '--pack-destination', folder);
  tarball = join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? 'missing');
  npm('install', '--global', '--prefix', prefix, '--no-audit', '--no-fund', tarball);
}, INSTALL_MS);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function npm(...args: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync('npm', args, { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(`npm ${args.join(' ')} ended with ${status}:\n${stdout}${stderr}`);
}

const installed = (): string => join(prefix, 'lib/node_modules/holdfast');

function filesBelow(directory: string): readonly string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** A user with an empty home; `node` is the one that the commands' first line finds. */
function userOf(node: string): { readonly env: NodeJS.ProcessEnv; readonly home: string } {
  const home = mkdtempSync(join(folder, 'home-'));
  const path = [join(prefix, 'bin'), dirname(node), process.env['PATH'] ?? ''].join(delimiter);
  const { HOLDFAST_HOME: _, ...inherited } = process.env;
  return { home, env: { ...inherited, PATH: path, HOME: home, NO_COLOR: '1' } };
}

describe('the tarball', () => {
  it('is small and holds neither sources nor source maps nor paths of the machine that built it', () => {
    expect(statSync(tarball).size).toBeLessThan(LARGEST_BYTES);
    const ours = filesBelow(installed()).filter((path) => !path.includes('/node_modules/holdfast/node_modules/'));
    expect(ours.filter((path) => /\.(?:ts|map|cache)$/u.test(path))).toEqual([]);
    expect(ours.filter((path) => readFileSync(path).includes(`${root}/`))).toEqual([]);
  });

  it('names the licence of every bundled package and bundles none that must stay replaceable', () => {
    const licences = readFileSync(join(installed(), 'dist/THIRD_PARTY_LICENSES'), 'utf8');
    for (const name of ['hono', 'pino', 'react', '@codemirror/view', '@fontsource-variable/inter']) {
      expect(licences).toMatch(new RegExp(`^${name} \\d`, 'mu'));
    }
    expect(licences).not.toMatch(/^(?:sharp|node-taglib-sharp) \d/mu);
    expect(existsSync(join(installed(), 'node_modules/node-taglib-sharp/package.json'))).toBe(true);
  });

  it('asks npm for the versions that the applications are tested with', () => {
    const manifestOf = (path: string) =>
      JSON.parse(readFileSync(join(root, path), 'utf8')) as Record<
        string,
        Readonly<Record<string, string>> | undefined
      >;
    const { dependencies, optionalDependencies } = manifestOf('package.json');
    const tested = Object.assign(
      {},
      ...['packages/accounts', 'packages/sqlite', 'apps/audiobooks'].map(
        (path) => manifestOf(`${path}/package.json`)['dependencies'],
      ),
    ) as Record<string, string>;
    for (const [name, version] of Object.entries({ ...dependencies, ...optionalDependencies })) {
      expect(tested[name]).toBe(version);
    }
  });
});

const versions = [
  ['Node 20', () => process.execPath, { hasCompileCache: false, hasSqlite: false }],
  ['Node 22', () => nodePath('node22'), { hasCompileCache: true, hasSqlite: false }],
  ['Node 24', () => nodePath('node24'), { hasCompileCache: true, hasSqlite: true }],
  ['Node 26', () => nodePath('node26'), { hasCompileCache: true, hasSqlite: true }],
] as const;

describe.each(versions)('installed on %s', (_, node, { hasCompileCache, hasSqlite }) => {
  it('runs every command through its link in a new home', () => {
    const { env, home } = userOf(node());
    const run = (command: string, ...args: readonly string[]): string => {
      const { status, stdout, stderr } = spawnSync(command, args, { env, cwd: home, encoding: 'utf8' });
      expect({ command, args, status, stderr }).toEqual({ command, args, status: 0, stderr: '' });
      return stdout;
    };
    expect(run('holdfast', '--version')).toMatch(/^holdfast \d/u);
    expect(run('nasin', '--version')).toBe(run('np', '--version'));
    run('np', 's');
    run('np', 'g', 's', '-t', 'Ship it', '-d', 'The package works');
    run('np', 't', 'a', '-t', 'Pack', '-d', 'npm pack');
    expect(run('np', 'p')).toContain('Pack');
    run('ut', 'add', 'Milk');
    expect(run('ut', 'ls')).toContain('Milk');
    run('ringmaster', 'init');
    expect(run('ringmaster', 'status')).not.toBe('');
    const driver = expect.stringContaining(hasSqlite ? 'built into Node' : 'photostructure') as string;
    expect(JSON.parse(run('holdfast', 'doctor', '--json'))).toMatchObject({
      data: { checks: expect.arrayContaining([{ name: 'SQLite', ok: true, detail: driver }]) as unknown },
    });
    expect(run('holdfast', 'verify', 'np')).not.toBe('');
    expect(existsSync(join(home, '.local/share/holdfast/cache'))).toBe(hasCompileCache);
  });
});

describe('the installed server', () => {
  it('shows the whole dashboard in a browser', async () => {
    const { env } = userOf(process.execPath);
    const server = spawn('holdfast', ['serve', '--port', '0', '--json'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    const browser = await openBrowser();
    try {
      const line = await new Promise<string>((done) => server.stdout.setEncoding('utf8').once('data', done));
      const { setup_url: setupUrl, url } = JSON.parse(line.split('\n', 1)[0] ?? '') as Record<string, string>;
      const page = await browser.newPage();
      await becomeOwner(page, setupUrl ?? null);
      const complaints: string[] = [];
      page.on('pageerror', (error) => complaints.push(String(error)));
      for (const path of ['plans', 'tasks', 'notebooks', 'books', 'ringmaster', 'system']) {
        await page.goto(`${url}/${path}`);
        await page.getByRole('heading', { level: 1 }).first().waitFor();
      }
      expect(complaints).toEqual([]);
    } finally {
      await browser.close();
      const ended = new Promise((done) => server.once('close', done));
      server.kill('SIGTERM');
      await ended;
    }
  });
});

describe('uninstalling', () => {
  it('removes the program and keeps the data', () => {
    const { env, home } = userOf(process.execPath);
    spawnSync('ut', ['add', 'Kept'], { env, cwd: home });
    npm('uninstall', '--global', '--prefix', prefix, 'holdfast');
    expect(filesBelow(prefix)).toEqual([]);
    expect(filesBelow(home).some((path) => path.endsWith('.db'))).toBe(true);
  });
});
