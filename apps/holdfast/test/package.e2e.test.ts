/** The package as a new user gets it: packed, installed into an empty prefix, used, and removed. */
import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';

import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { programPath } from '../../../scripts/provision/locate.mjs';
import { becomeOwner, openBrowser } from '../../web/test/bare-browser.ts';

const root = resolve(import.meta.dirname, '../../..');
const LARGEST_BYTES = 12_000_000;
/** Time limit of `npm install`, which downloads everything again on a machine without a cache. */
const INSTALL_MS = 240_000;

let folder = '';
let tarball = '';
let prefix = '';
let browser: ReturnType<typeof openBrowser>;
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdfast-package-'));
  browser = openBrowser();
  prefix = join(folder, 'a prefix');
  // Runs the packing commands from the Dockerfile itself, because no test can build its image.
  const [, pack = ''] = /^RUN npm ci && (.* npm pack .*)$/mu.exec(readFileSync(join(root, 'Dockerfile'), 'utf8')) ?? [];
  execFileSync('sh', ['-c', pack.replaceAll('/package', '"$0"'), join(folder, 'package')], {
    cwd: root,
    stdio: 'pipe',
  });
  tarball = join(folder, 'package', `holdfast-${version}.tgz`);
  npm('install', '--global', '--prefix', prefix, '--no-audit', '--no-fund', tarball);
}, INSTALL_MS);

afterAll(async () => {
  await (await browser).close();
  rmSync(folder, { recursive: true, force: true });
});

function npm(...args: readonly string[]): void {
  // vitest.config.ts has moved the value of NODE_EXTRA_CA_CERTS to HOLDFAST_NPM_CA_CERTS.
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: process.env['HOLDFAST_NPM_CA_CERTS'] };
  const { status, stdout, stderr } = spawnSync('npm', args, { cwd: root, env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`npm ${args.join(' ')} ended with ${status}:\n${stdout}${stderr}`);
}

const installed = (): string => join(prefix, 'lib/node_modules/holdfast');

/** Links count as files. */
function filesBelow(directory: string): readonly string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Returns a user with an empty home. The shebang line of the commands finds this `node`. */
function userOf(node: string): { readonly env: NodeJS.ProcessEnv; readonly home: string } {
  const home = mkdtempSync(join(folder, 'home-'));
  const path = [join(prefix, 'bin'), dirname(node), process.env['PATH'] ?? ''].join(delimiter);
  const { HOLDFAST_HOME: _, ...inherited } = process.env;
  return { home, env: { ...inherited, PATH: path, HOME: home, NO_COLOR: '1' } };
}

/**
 * Starts `holdfast serve` on a free port. `program` and `words` are the command that runs `holdfast`. Stops the server
 * when the test has finished.
 */
async function startServer(program: string, words: readonly string[], env: NodeJS.ProcessEnv) {
  const args = [...words, 'serve', '--port', '0', '--json'];
  const server = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(async () => {
    const ended = new Promise((done) => server.once('close', done));
    server.kill('SIGTERM');
    await ended;
  });
  const line = await new Promise<string>((done) => server.stdout.setEncoding('utf8').once('data', done));
  const { url, setup_url: setupUrl } = JSON.parse(line.split('\n', 1)[0] ?? '') as { url: string; setup_url: string };
  return { url, setupUrl, pid: server.pid };
}

describe('the tarball', () => {
  it('is small and holds neither sources nor source maps nor paths of the machine that built it', () => {
    expect(statSync(tarball).size).toBeLessThan(LARGEST_BYTES);
    const ours = filesBelow(installed()).filter((path) => !path.includes('/node_modules/holdfast/node_modules/'));
    expect(ours.filter((path) => /\.(?:ts|map|cache)$/u.test(path))).toEqual([]);
    expect(ours.filter((path) => readFileSync(path).includes(`${root}/`))).toEqual([]);
  });

  it('loads the library for agents only in commands that need it', () => {
    for (const name of ['holdfast', 'np', 'ringmaster', 'ut']) {
      const library = join(installed(), 'dist/lib', name);
      const files = readdirSync(library).filter((file) => readFileSync(join(library, file)).includes('jsonrpc'));
      expect(files.length).toBeGreaterThan(0);
      expect(files.filter((file) => file.startsWith('main-'))).toEqual([]);
    }
  });

  it('names the licence of every bundled package and bundles none that must stay replaceable', () => {
    const licences = readFileSync(join(installed(), 'dist/THIRD_PARTY_LICENSES'), 'utf8');
    for (const name of ['hono', 'pino', 'react', '@codemirror/view', '@fontsource-variable/inter']) {
      expect(licences).toMatch(new RegExp(`^${name} \\d`, 'mu'));
    }
    expect(licences).not.toMatch(/^(?:sharp|node-taglib-sharp) \d/mu);
    expect(existsSync(join(installed(), 'node_modules/node-taglib-sharp/package.json'))).toBe(true);
  });

  it('contains a man page for each command, and npm links it', () => {
    const start = {
      holdfast: '.TH HOLDFAST',
      np: '.TH NP',
      nasin: '.so man1/np.1',
      ringmaster: '.TH RING',
      ut: '.TH UT',
    };
    for (const [name, text] of Object.entries(start)) {
      const page = join(prefix, 'share/man/man1', `${name}.1`);
      const found = [lstatSync(page).isSymbolicLink(), readFileSync(page, 'utf8').includes(text)];
      expect([name, ...found]).toEqual([name, true, true]);
    }
  });

  it('has native parts only in four dependencies, which support every platform that the guide names', () => {
    const modules = join(installed(), 'node_modules');
    const optionalOf = (name: string): readonly string[] => {
      const text = readFileSync(join(modules, name, 'package.json'), 'utf8');
      return Object.keys((JSON.parse(text) as { optionalDependencies?: object }).optionalDependencies ?? {});
    };
    const platforms = ['linux-x64-gnu', 'linux-x64-musl', 'linux-arm64-gnu', 'linux-arm64-musl'];
    for (const name of ['@node-rs/argon2', '@node-rs/bcrypt']) {
      const wanted = [...platforms, 'darwin-x64', 'darwin-arm64'].map((platform) => `${name}-${platform}`);
      expect(optionalOf(name)).toEqual(expect.arrayContaining(wanted));
    }
    const pictures = ['linux-x64', 'linuxmusl-x64', 'linux-arm64', 'linuxmusl-arm64', 'darwin-x64', 'darwin-arm64'];
    expect(optionalOf('sharp')).toEqual(expect.arrayContaining(pictures.map((platform) => `@img/sharp-${platform}`)));
    const drivers = ['linux-x64', 'linux-arm64'].flatMap((platform) => [`${platform} glibc`, `${platform} musl`]);
    for (const [platform, library] of [...drivers, 'darwin-x64 glibc', 'darwin-arm64 glibc'].map((each) =>
      each.split(' '),
    )) {
      const driver = `@photostructure/sqlite/prebuilds/${platform}/@photostructure+sqlite.${library}.node`;
      expect([driver, existsSync(join(modules, driver))]).toEqual([driver, true]);
    }
    const native = filesBelow(modules).filter((path) => path.endsWith('.node'));
    expect(native).not.toEqual([]);
    expect(
      native.filter((path) => !/\/(?:@node-rs\/(?:argon2|bcrypt)|@img\/sharp|@photostructure\/sqlite)/u.test(path)),
    ).toEqual([]);
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
    for (const [name, wanted] of Object.entries({ ...dependencies, ...optionalDependencies })) {
      expect(tested[name]).toBe(wanted);
    }
  });
});

const versions = [
  ['Node 20', () => process.execPath, { hasCompileCache: false, hasSqlite: false }],
  ['Node 22', () => programPath('node22'), { hasCompileCache: true, hasSqlite: false }],
  ['Node 24', () => programPath('node24'), { hasCompileCache: true, hasSqlite: true }],
  ['Node 26', () => programPath('node26'), { hasCompileCache: true, hasSqlite: true }],
] as const;

describe.each(versions)('installed on %s', (_, node, { hasCompileCache, hasSqlite }) => {
  it('runs every command through its link in a new home', () => {
    const { env, home } = userOf(node());
    const run = (command: string, ...args: readonly string[]): string => {
      const { status, stdout, stderr } = spawnSync(command, args, { env, cwd: home, encoding: 'utf8' });
      expect({ command, args, status, stderr }).toEqual({ command, args, status: 0, stderr: '' });
      return stdout;
    };
    for (const name of ['holdfast', 'np', 'ringmaster', 'ut'])
      expect(run(name, '--version')).toBe(`${name} ${version}\n`);
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
      data: {
        checks: expect.arrayContaining([expect.objectContaining({ name: 'SQLite', reason: driver })]) as unknown,
      },
    });
    expect(run('holdfast', 'verify', 'np')).not.toBe('');
    expect(existsSync(join(home, '.local/share/holdfast/cache'))).toBe(hasCompileCache);
  });

  it('shows the whole dashboard in a browser, and loads native SQLite code only if Node has none', async () => {
    const { url, setupUrl, pid } = await startServer('holdfast', [], userOf(node()).env);
    expect(readFileSync(`/proc/${pid}/maps`, 'utf8').includes('@photostructure/sqlite')).toBe(!hasSqlite);
    const page = await (await browser).newPage();
    onTestFinished(() => page.close());
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('response', (response) => {
      if (response.status() >= 400) complaints.push(`${response.status()} ${response.url()}`);
    });
    await becomeOwner(page, setupUrl);
    for (const path of ['plans', 'tasks', 'notebooks', 'books', 'ringmaster', 'system']) {
      await page.goto(`${url}/${path}`);
      await page.getByRole('heading', { level: 1 }).first().waitFor();
    }
    expect(complaints).toEqual([]);
  });
});

describe('on a system without /proc, such as macOS', () => {
  /**
   * Answers the installed program's calls to `ps`. Without /proc, Linux's `ps` does not work. So a replacement in the
   * program's PATH asks this process, which still sees /proc.
   */
  function psElsewhere(): Promise<string> {
    const bin = mkdtempSync(join(folder, 'ps-'));
    const socket = join(bin, 'socket');
    const client = `#!/usr/bin/env node
      const socket = require('node:net').connect(${JSON.stringify(socket)}, () => {
        socket.write(JSON.stringify(process.argv.slice(2)) + '\\n');
      });
      socket.pipe(process.stdout);
    `;
    writeFileSync(join(bin, 'ps'), client, { mode: 0o755 });
    const server = createServer((connection) => {
      connection.setEncoding('utf8').once('data', (line: string) => {
        const env = { ...process.env, LC_ALL: 'C', TZ: 'UTC' };
        execFile('ps', JSON.parse(line) as string[], { env }, (_, stdout) => connection.end(stdout));
      });
    });
    onTestFinished(() => void server.close());
    return new Promise((done) => server.listen(socket, () => done(bin)));
  }

  it.each(versions)('%s runs the commands and the server, and knows which processes live', async (_, node) => {
    const { env, home } = userOf(node());
    const path = [await psElsewhere(), env['PATH']].join(delimiter);
    // Uses a separate temporary folder. In the shared one, other programs leave folders named after their process ids,
    // and each id would be looked up with `ps`.
    const hidden = { ...env, PATH: path, TMPDIR: mkdtempSync(join(folder, 'tmp-')) };
    const run = (...words: readonly string[]): Promise<string> =>
      new Promise((done, fail) => {
        const args = ['--dev-bind', '/', '/', '--tmpfs', '/proc', '--chdir', home, ...words];
        execFile('bwrap', args, { env: hidden }, (error, stdout, stderr) =>
          error === null ? done(stdout) : fail(new Error(`${words.join(' ')}: ${stderr}`)),
        );
      });
    await run('np', 's');
    expect(await run('np', 't', 'a', '-t', 'Without proc')).toContain('Without proc');
    await run('ut', 'add', 'Milk');
    mkdirSync(join(home, 'lab'));
    writeFileSync(join(home, 'lab', 'water.md'), '# Water');
    await run('holdfast', 'notebooks', 'add', 'lab', join(home, 'lab'));
    // This command may take the notebook's lane only if the process that holds the lane has ended, so it looks for that
    // process.
    expect(await run('holdfast', 'notebooks', 'search', 'water', '--notebook', 'lab')).toContain('water.md');
    await run('ringmaster', 'init');
    expect(await run('ringmaster', 'status')).not.toBe('');
    expect(await run('holdfast', 'doctor')).toContain('Node.js');
    const withoutProc = ['--dev-bind', '/', '/', '--tmpfs', '/proc', '--die-with-parent', 'holdfast'];
    const { url } = await startServer('bwrap', withoutProc, hidden);
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
  });
});

/**
 * Databases that version 0.1.0 wrote, with one plan, task, user, notebook, book and task graph. Later versions must
 * open them; add the databases of each released version here.
 */
describe('databases of other versions', () => {
  function earlier(): { readonly env: NodeJS.ProcessEnv; readonly home: string; readonly shop: string } {
    const { env, home: place } = userOf(process.execPath);
    execFileSync('tar', ['-xzf', join(import.meta.dirname, 'databases/0.1.0.tar.gz'), '-C', place]);
    const home = join(place, 'home');
    return { env: { ...env, HOLDFAST_HOME: home }, home, shop: join(place, 'shop') };
  }

  it('of 0.1.0 are opened with all their data', () => {
    const { env, shop } = earlier();
    const run = (command: string, ...args: readonly string[]): string =>
      execFileSync(command, args, { env, cwd: shop, encoding: 'utf8' });
    expect(run('np', 'sessions')).toContain('Ship the shop');
    expect(run('ut', 'ls')).toContain('Call Ada');
    expect(run('holdfast', 'user', 'list')).toMatch(/ada +viewer/u);
    expect(run('holdfast', 'notebooks', 'list')).toContain('lab');
    expect(run('holdfast', 'audiobooks', 'list')).toContain('Small Book');
    expect(run('ringmaster', 'task', 'list')).toContain('Sign in with a token');
    for (const name of ['np', 'utask', 'accounts', 'codex', 'audiobooks']) {
      expect(run('holdfast', 'verify', name)).toContain('sound');
    }
  });

  it('of a later version are refused and not changed', () => {
    const { env, home, shop } = earlier();
    const ringmaster = join(shop, '.ringmaster/ringmaster.db');
    const raise = (file: string, sql: string): void => void execFileSync('sqlite3', [file, sql]);
    const contentOf = (file: string): string => execFileSync('sqlite3', [file, '.dump'], { encoding: 'utf8' });
    raise(join(home, 'np.db'), "UPDATE keyspace SET value = '99' WHERE key = 'meta/schema_version'");
    raise(join(home, 'accounts.db'), "UPDATE keyspace SET value = '99' WHERE key = 'meta:version'");
    raise(join(home, 'audiobooks.db'), "UPDATE keyspace SET value = '99' WHERE key = 'meta:version'");
    raise(join(home, 'codex.db'), "INSERT INTO holdfast_migrations VALUES ('codex', 99, 'later', '2027-01-01', 1)");
    raise(ringmaster, "INSERT INTO holdfast_migrations VALUES ('ringmaster', 99, 'later', '2027-01-01', 1)");
    const commands: readonly (readonly [string, string, ...string[]])[] = [
      [join(home, 'np.db'), 'np', 'sessions'],
      [join(home, 'accounts.db'), 'holdfast', 'user', 'list'],
      [join(home, 'audiobooks.db'), 'holdfast', 'audiobooks', 'list'],
      [join(home, 'codex.db'), 'holdfast', 'notebooks', 'list'],
      [ringmaster, 'ringmaster', 'task', 'list'],
    ];
    for (const [file, command, ...args] of commands) {
      const before = contentOf(file);
      const { status, stderr } = spawnSync(command, [...args, '--json'], { env, cwd: shop, encoding: 'utf8' });
      expect([command, status, stderr]).toEqual([command, 5, expect.stringContaining('"SCHEMA_NEWER"')]);
      expect(contentOf(file)).toBe(before);
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
