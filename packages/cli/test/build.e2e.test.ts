/** Tests scripts/build.mjs with the fixture and with small programs that the tests create. */
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { programPath } from '../../../scripts/provision/locate.mjs';
import { repositoryRoot, runProcess } from './fixture-process.ts';

const node24 = programPath('node24');

let folder = '';

beforeAll(async () => {
  // The folder is inside the repository, so that the created programs find its packages.
  await mkdir(join(repositoryRoot, '.cache'), { recursive: true });
  folder = await mkdtemp(join(repositoryRoot, '.cache/build-test-'));
  await build('fixture', join(repositoryRoot, 'packages/cli/test/fixture/main.ts'));
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

async function build(name: string, entry: string, node = process.execPath): Promise<string> {
  const script = join(repositoryRoot, 'scripts/build.mjs');
  const { code, stderr } = await runProcess([node, script, '--out', folder, '--command', `${name}=${entry}`]);
  if (code !== 0) throw new Error(stderr);
  return stderr;
}

async function write(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
}

const executable = (name: string) => join(folder, 'bin', name);
const filesOf = (name: string) => readdir(join(folder, 'lib', name));

it.each(['holdfast', 'np', 'ringmaster', 'ut'])('%s has a code cache that V8 accepts', async (name) => {
  // The build removes caches that V8 refuses.
  const files = await readdir(join(repositoryRoot, 'dist/lib', name));
  expect(files.filter((file) => /^main-.*\.cache$/u.test(file))).not.toEqual([]);
});

describe('a built command', () => {
  it('runs by itself, and through a link', async () => {
    expect((await runProcess([executable('fixture'), 't', 'a', '-t', 'Milk'])).stdout.toString()).toBe('Milk\n');
    await symlink(executable('fixture'), join(folder, 'linked'));
    expect((await runProcess([join(folder, 'linked'), '--version'])).stdout.toString()).toBe('fixture 1.2.3\n');
  });

  it('keeps its exit codes and errors', async () => {
    expect(await runProcess([executable('fixture'), 'behave', 'fail', 'conflict'])).toMatchObject({ code: 4 });
    expect((await runProcess([executable('fixture'), 'nonsense'])).stderr).toContain('[UNKNOWN_COMMAND]');
  });

  it('shows where an error happened in the sources when debugging', async () => {
    const words = [executable('fixture'), 'behave', 'fail', 'bug'];
    const { stderr } = await runProcess(words, { env: { HOLDFAST_DEBUG: '1' } });
    expect(stderr).toContain('packages/cli/test/fixture/commands/fail.ts:');
  });

  it.each([
    ['Windows', `'platform', { value: 'win32' }`, /^Holdfast does not run on Windows\. .+\n$/u],
    [
      'Node 18',
      `'versions', { value: { ...process.versions, node: '18.20.4' } }`,
      /^Holdfast needs .+ 18\.20\.4\.\n$/u,
    ],
    ['Node 20.18', `'versions', { value: { ...process.versions, node: '20.18.9' } }`, /^Holdfast needs .+\n$/u],
  ])('refuses %s in one line', async (_, property, line) => {
    await write({ 'other-system.cjs': `Object.defineProperty(process, ${property});` });
    const words = [process.execPath, '--require', join(folder, 'other-system.cjs'), executable('fixture'), '--version'];
    const { code, stdout, stderr } = await runProcess(words);
    expect([code, stdout.toString(), stderr]).toEqual([1, '', expect.stringMatching(line)]);
  });

  it('runs on Node 24, with a code cache of its own once that has built it', async () => {
    const words = [node24, executable('fixture'), 'task', 'show', 'x'];
    expect(await runProcess(words)).toMatchObject({ code: 0, stderr: '' });
    const entry = join(repositoryRoot, 'packages/cli/test/fixture/main.ts');
    expect(await build('fixture', entry, node24)).toMatch(/^fixture: unchanged, code cache for v24/u);
    expect((await filesOf('fixture')).filter((file) => file.endsWith('.cache'))).toHaveLength(2);
    expect(await runProcess(words)).toMatchObject({ code: 0, stderr: '' });
  });

  it('runs without its code cache, and when V8 refuses it', async () => {
    expect(await filesOf('fixture')).toContainEqual(expect.stringMatching(/^main-.*\.cache$/u));
    // Runs Node with flags that differ from those with which the cache was created.
    const refused = [process.execPath, '--no-lazy', '--max-lazy', executable('fixture'), 'task', 'show', 'x'];
    expect(await runProcess(refused)).toMatchObject({ code: 0, stderr: '' });
    for (const file of await filesOf('fixture')) {
      if (file.endsWith('.cache')) await writeFile(join(folder, 'lib/fixture', file), 'not a cache');
    }
    expect(await runProcess([executable('fixture'), 'task'])).toMatchObject({ code: 0, stderr: '' });
    for (const file of await filesOf('fixture')) {
      if (file.endsWith('.cache')) await rm(join(folder, 'lib/fixture', file));
    }
    expect(await runProcess([executable('fixture'), 'task'])).toMatchObject({ code: 0, stderr: '' });
  });
});

describe('the build', () => {
  it('does nothing when nothing has changed, and notices when something has', async () => {
    await write({
      'small.ts': `import { text } from './text.ts'; console.log(text);`,
      'text.ts': `export const text = 'one';`,
    });
    const entry = join(folder, 'small.ts');
    expect(await build('small', entry)).toMatch(/^small: \d.* kB in 1 file, code cache for v/u);
    expect(await build('small', entry)).toBe('small: unchanged\n');
    await write({ 'text.ts': `export const text = 'two';` });
    expect(await build('small', entry)).not.toContain('unchanged');
    // The new source is as long as the old one, but V8 must not use the old compiled code.
    expect((await runProcess([executable('small')])).stdout.toString()).toBe('two\n');
  });

  it('keeps what is large and loaded on demand in a file of its own, with shared modules only once', async () => {
    await write({
      'state.ts': `export const state = { loaded: 0 }; state.loaded += 1;`,
      'heavy.ts': `import { state } from './state.ts';
        export const text = '${'x'.repeat(50_000)}'; export const loaded = () => state.loaded;`,
      'lazy.ts': `import { state } from './state.ts';
        if (process.argv[2] === 'heavy') {
          void import('./heavy.ts').then(({ text, loaded }) => console.log(text.length, loaded(), state.loaded));
        } else console.log('light', state.loaded);`,
    });
    expect(await build('lazy', join(folder, 'lazy.ts'))).toMatch(/kB at start \+ 50\.\d kB on demand in 2 files/u);
    expect((await runProcess([executable('lazy')])).stdout.toString()).toBe('light 1\n');
    expect((await runProcess([executable('lazy'), 'heavy'])).stdout.toString()).toBe('50000 1 1\n');
  });

  it('keeps a part that awaits while it loads as an ES module', async () => {
    await write({
      'shared.ts': `export const shared = { count: 0 }; export function up(): number { return (shared.count += 1); }`,
      'waits.ts': `import { up } from './shared.ts'; import { basename } from 'node:path';
        const value = await Promise.resolve(up()); export const run = () => [value, up(), basename(import.meta.url)];`,
      'outer.ts': `import { run } from './waits.ts'; export const runAll = () => run();`,
      'awaiting.ts': `import { up, shared } from './shared.ts'; up();
        void import('./outer.ts').then(({ runAll }) => console.log(...runAll().slice(0, 2), shared.count));`,
    });
    await build('awaiting', join(folder, 'awaiting.ts'));
    expect((await runProcess([executable('awaiting')])).stdout.toString()).toBe('2 3 3\n');
  });

  it('keeps characters that cannot be escaped', async () => {
    await write({ 'letters.ts': 'console.log(/^[⠀-⣿]é$/u.test("⠿é"), String.raw`é😀`, "é😀");' });
    await build('letters', join(folder, 'letters.ts'));
    const expected = { stdout: Buffer.from('true é😀 é😀\n'), stderr: '' };
    expect(await runProcess([executable('letters')])).toMatchObject(expected);
    expect(await filesOf('letters')).toContainEqual(expect.stringMatching(/\.utf8\.cjs\..*\.cache$/u));
  });

  it('loads slow built-in modules only when they are used, however they are imported', async () => {
    await write({
      'slow.ts': `import { createHash } from 'node:crypto'; import zlib from 'node:zlib'; import * as v8 from 'node:v8';
        import { Socket } from 'node:net'; class Line extends Socket {}
        console.log(createHash('sha1').update('').digest('hex').length, typeof zlib.gzipSync, 'serialize' in v8,
          new Line() instanceof Socket, Object.keys(v8).includes('serialize'));`,
    });
    await build('slow', join(folder, 'slow.ts'));
    expect((await runProcess([executable('slow')])).stdout.toString()).toBe('40 function true true true\n');
    await write({
      'unused.ts': `import { createHash } from 'node:crypto'; console.log(process.argv[2] ? createHash : 'unused');`,
    });
    await build('unused', join(folder, 'unused.ts'));
    const loaded = `process.on('exit', () => console.log(process.moduleLoadList.includes('NativeModule crypto')))`;
    await write({ 'loaded.cjs': loaded });
    const words = [process.execPath, '--require', join(folder, 'loaded.cjs'), executable('unused')];
    expect((await runProcess(words)).stdout.toString()).toBe('unused\nfalse\n');
  });

  it('loads native code from the package that npm installed', async () => {
    await write({
      'native.ts': `import { DatabaseSync } from '@photostructure/sqlite';
        const database = new DatabaseSync(':memory:');
        console.log(database.prepare('SELECT 6 * 7 AS answer').get().answer);`,
    });
    await build('native', join(folder, 'native.ts'));
    const { stdout, stderr } = await runProcess([executable('native')]);
    expect({ stdout: stdout.toString(), stderr }).toEqual({ stdout: '42\n', stderr: '' });
  });

  it('writes files that need no other package', async () => {
    const main = (await filesOf('native')).find((file) => file.endsWith('.cjs') && file.startsWith('main')) ?? '';
    const source = await readFile(join(folder, 'lib/native', main), 'utf8');
    const required = [...source.matchAll(/require\("(?<name>[^"]+)"\)/gu)].map((match) => match.groups?.['name'] ?? '');
    const builtin = process.getBuiltinModule('node:module').builtinModules;
    expect(
      required.filter((name) => !name.startsWith('node:') && !name.startsWith('./') && !builtin.includes(name)),
    ).toEqual([]);
  });
});
