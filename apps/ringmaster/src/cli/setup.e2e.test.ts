import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import { run } from '../../test/command.ts';

interface Setup {
  readonly changed: boolean;
  readonly set_up: boolean;
  readonly files: readonly { readonly path: string }[];
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ringmaster-setup-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const agents = ['claude', 'codex', 'copilot', 'cursor', 'gemini', 'vscode', 'windsurf'];

it.each(agents)('connects %s, shows the changes first, and takes them back without a trace', (agent) => {
  const folder = newFolder();
  const setup = (...args: readonly string[]) => run(folder, ['setup', agent, ...args], '', { HOME: folder });
  const data = (...args: readonly string[]): Setup =>
    (JSON.parse(setup(...args, '--json').stdout) as { data: Setup }).data;
  expect(setup('--check').code).toBe(1);
  const planned = data('--dry-run');
  const paths = planned.files.map(({ path }) => path);
  expect([planned.changed, paths.filter((path) => existsSync(path))]).toEqual([false, []]);
  expect(data()).toMatchObject({ changed: true, set_up: true });
  const written = paths.map((path) => readFileSync(path, 'utf8')).join('\n');
  expect(written).toContain('ringmaster prime');
  // Copilot reads only instructions.
  if (agent !== 'copilot') expect(written).toMatch(/\bmcp\b/u);
  expect(setup('--check').code).toBe(0);
  expect(data('--remove')).toMatchObject({ changed: true, set_up: false });
  expect(paths.filter((path) => existsSync(path))).toEqual([]);
});

it('keeps the server of np in the same file', () => {
  const folder = newFolder();
  const file = join(folder, '.mcp.json');
  const others = `${JSON.stringify({ mcpServers: { np: { command: 'np', args: ['mcp'] } } }, null, 2)}\n`;
  writeFileSync(file, others);
  expect(run(folder, ['setup', 'claude']).code).toBe(0);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
    mcpServers: { np: { command: 'np', args: ['mcp'] }, ringmaster: { command: 'ringmaster', args: ['mcp'] } },
  });
  expect(run(folder, ['setup', 'claude', '--remove']).code).toBe(0);
  expect(readFileSync(file, 'utf8')).toBe(others);
});
