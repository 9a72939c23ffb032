/** `holdfast codex mcp`, driven by the protocol's own client. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, it, onTestFinished } from 'vitest';

const holdfast = resolve(import.meta.dirname, '../../../../dist/bin/holdfast');

async function connect(base: string): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' });
  const env = { HOLDFAST_HOME: join(base, 'home'), PATH: process.env['PATH'] ?? '', USER: 'agent', HOME: base };
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [holdfast, 'codex', 'mcp'], cwd: base, env }),
  );
  onTestFinished(() => client.close());
  return client;
}

async function call(client: Client, name: string, input: Record<string, unknown> = {}): Promise<[string, boolean]> {
  const { content, isError } = await client.callTool({ name, arguments: input });
  const [first] = content as { text: string }[];
  return [first?.text ?? '', isError === true];
}

it('lets an agent read, write, move and look back, and never overwrite what it has not seen', async () => {
  const base = mkdtempSync(join(tmpdir(), 'holdfast-codex-mcp-'));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  mkdirSync(join(base, 'home'), { mode: 0o700 });
  const folder = join(base, 'lab');
  const run = (...args: string[]): string =>
    spawnSync(holdfast, ['notebooks', ...args], {
      env: { ...process.env, HOLDFAST_HOME: join(base, 'home'), USER: 'ada' },
      encoding: 'utf8',
    }).stdout;
  run('add', 'lab', folder);
  run('write', 'templates/note.md', '--content', '# {{title}} of {{author}}\n');
  expect(run('new', 'First', '--template', 'note').trim()).toBe(join(folder, 'First.md'));
  expect(readFileSync(join(folder, 'First.md'), 'utf8')).toBe('# First of ada\n');
  expect(run('daily', '2026-01-31').trim()).toBe(join(folder, 'daily/2026-01-31.md'));

  run('write', 'l.md', '--content', '[[First]] and [[nowhere]]');
  expect(run('links', 'First.md')).toBe('← l.md:1 [[First]] and [[nowhere]]\n');
  expect(run('unresolved')).toBe('nowhere in l.md:1\n');

  const client = await connect(base);
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual([
    'notebooks',
    'list',
    'read',
    'write',
    'move',
    'search',
    'history',
    'show_commit',
    'wait',
    'remotes',
    'sync',
    'commit',
  ]);
  expect(JSON.stringify(tools).length).toBeLessThan(7_000);
  expect(client.getInstructions()).toContain('Read before you write');

  expect((await call(client, 'list'))[0]).toMatch(/^First\.md \(15 bytes, [^]*\nl\.md [^]*\ntemplates\/note\.md/u);
  expect((await call(client, 'search', { query: 'firs', path: 'F' }))[0]).toMatch(
    /^First\.md\n {2}(?:# )?First of ada/u,
  );
  expect((await call(client, 'search', { query: 'missing' }))[0]).toBe('Nothing found.');
  const [read] = await call(client, 'read', { file: 'First.md' });
  expect(read).toContain('# First of ada');
  const hash = /hash: (\w+)/u.exec(read)?.[1] ?? '';
  expect(await call(client, 'write', { path: 'First.md', content: 'x' })).toEqual([
    expect.stringContaining('FILE_EXISTS'),
    true,
  ]);
  const [written] = await call(client, 'write', { path: 'First.md', content: 'second', base_hash: hash });
  expect(written).toMatch(/First\.md completed\nhash: [0-9a-f]{64}/u);
  expect(await call(client, 'write', { path: 'First.md', content: 'third', base_hash: hash })).toEqual([
    expect.stringContaining('FILE_CHANGED'),
    true,
  ]);
  // Commits first, because git does not recognise a rename if the same commit also rewrites the file.
  await call(client, 'commit');
  expect((await call(client, 'move', { file: 'First.md', dest_path: 'deep/renamed.md' }))[0]).toContain('completed');
  await expect
    .poll(() => readFileSync(join(folder, 'l.md'), 'utf8'), { timeout: 20_000 })
    .toBe('[[renamed]] and [[nowhere]]');
  // A waiting call does not delay other calls.
  const [waited, meanwhile] = await Promise.all([
    call(client, 'commit'),
    call(client, 'write', { path: 'new.md', content: 'made' }),
  ]);
  expect(waited[0]).toMatch(/commit: [0-9a-f]{40}/u);
  expect(meanwhile[1]).toBe(false);
  const [history] = await call(client, 'history', { file: 'deep/renamed.md' });
  expect(history).toContain('agent: ');
  const first =
    history
      .trim()
      .split('\n')
      .findLast((line) => /^[0-9a-f]{10} /u.test(line)) ?? '';
  const [old] = await call(client, 'read', { file: 'deep/renamed.md', commit: first.slice(0, 10) });
  expect(old).toContain('# First of ada');
  expect((await call(client, 'show_commit', { commit: first.slice(0, 10) }))[0]).toContain('+# First of ada');
  expect(await call(client, 'read', { file: '../x' })).toEqual([expect.stringContaining('PATH_INVALID'), true]);
  expect(await call(client, 'read', { file: 1 })).toEqual([expect.stringContaining('INPUT_INVALID: file:'), true]);
  expect(await call(client, 'wait', { id: 999 })).toEqual([expect.stringContaining('EVENT_NOT_FOUND'), true]);
  writeFileSync(join(folder, 'by-hand.md'), 'hello');
  expect(run('reconcile')).toContain('1');
  expect((await call(client, 'read', { file: 'by-hand.md' }))[0]).toContain('hello');
});
