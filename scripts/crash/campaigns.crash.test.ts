import { spawn } from 'node:child_process';
import { join } from 'node:path';

import { expect, test } from 'vitest';

interface Outcome {
  readonly code: number | null;
  readonly results: readonly Record<string, unknown>[];
  readonly said: string;
}

/** Runs `npm run crash` as a person would. */
async function crash(...args: readonly string[]): Promise<Outcome> {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../crash.mjs'), ...args, '--json'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, results: output === '' ? [] : (JSON.parse(output) as Record<string, unknown>[]), said };
}

const SEED = '20261115';

test.each([
  ['store', 40],
  ['backup', 20],
  ['replace', 16],
  ['migrate', 14],
  ['codex', 30],
  ['sync', 6],
  ['night', 12],
  ['power', 5],
  ['remote', 6],
])('a sample of the campaign %s finds nothing lost, phantom or partial', async (name, cycles) => {
  const { code, results, said } = await crash(name, '--cycles', String(cycles), '--seed', SEED);
  expect(results, said).toMatchObject([{ name, cycles, lost: 0, phantom: 0, partial: 0, violations: [] }]);
  expect(results[0]!['kills']).toBeGreaterThan(0);
  expect(results[0]!['acknowledged']).toBeGreaterThan(0);
  expect(code).toBe(0);
});

test('power cuts without root lose nothing that was acknowledged', async () => {
  const { code, results, said } = await crash('power', '--parts', 'plain', '--cycles', '3', '--seed', SEED);
  expect(results, said).toMatchObject([{ name: 'power', cycles: 3, lost: 0, phantom: 0, partial: 0, violations: [] }]);
  expect(results[0]!['acknowledged']).toBeGreaterThan(0);
  expect(code).toBe(0);
});

test('a sample of the campaign move finds nothing lost, whatever step of a move is killed', async () => {
  const { code, results, said } = await crash('move', '--parts', 'small', '--cycles', '11', '--seed', SEED);
  expect(results, said).toMatchObject([{ name: 'move', lost: 0, phantom: 0, partial: 0, violations: [] }]);
  expect(results[0]).toMatchObject({ cycles: 11, kills: 11 });
  expect(code).toBe(0);
});

test('a record that is missing after a move is found out', async () => {
  const { code, results } = await crash('move', '--canary', '--parts', 'small', '--cycles', '1', '--seed', SEED);
  expect(results[0]!['lost']).toBeGreaterThan(0);
  expect(code).toBe(1);
});

test('a sample of the campaign failover finds nothing lost, made twice or stale', async () => {
  const { code, results, said } = await crash('failover', '--cycles', '3', '--seed', SEED);
  expect(results, said).toMatchObject([{ name: 'failover', cycles: 3, violations: [] }]);
  expect(results[0]!['acknowledged']).toBeGreaterThan(0);
  expect(code).toBe(0);
});

test('commits that no standby has are missing after a failover', async () => {
  const { code, results } = await crash('failover', '--canary', '--parts', 'kill', '--cycles', '2', '--seed', SEED);
  expect(results[0]!['lost']).toBeGreaterThan(0);
  expect(code).toBe(1);
});

test('a sample of the campaign damage finds no damage that spreads, hides or cannot be undone', async () => {
  const { code, results, said } = await crash('damage', '--cycles', '12', '--seed', SEED);
  expect(results, said).toMatchObject([{ name: 'damage', cycles: 12, violations: [] }]);
  expect(code).toBe(0);
});

test('damage that nobody repairs is found out', async () => {
  const { code, results } = await crash('damage', '--canary', '--cycles', '6', '--seed', SEED);
  expect(results[0]!['lost']).toBeGreaterThan(0);
  expect(code).toBe(1);
});

test('writers that claim commits before they are made are found out', async () => {
  const { code, results } = await crash('store', '--canary', '--cycles', '4', '--seed', SEED);
  expect(results[0]!['lost']).toBeGreaterThan(0);
  expect(code).toBe(1);
});

test('a sample of the campaign fuzz finds no input that a parser cannot refuse', async () => {
  const { code, results, said } = await crash('fuzz', '--parts', 'toml,note,media', '--cycles', '900', '--seed', SEED);
  expect(results, said).toMatchObject([{ name: 'fuzz', cycles: 900, acknowledged: 900, violations: [] }]);
  expect(code).toBe(0);
});

test('samples of the campaigns requests and soak find no request that fails', async () => {
  const { code, results, said } = await crash('requests', 'soak', '--cycles', '12', '--seed', SEED);
  const clean = { cycles: 12, lost: 0, phantom: 0, partial: 0, violations: [] };
  expect(results, said).toMatchObject([
    { name: 'requests', ...clean },
    { name: 'soak', ...clean },
  ]);
  expect(code).toBe(0);
});

test('a sample of the campaign mutation changes code, and the tests notice', async () => {
  const args = ['--parts', 'packages/accounts/src/model/throttle.ts', '--cycles', '1', '--seed', SEED];
  const { code, results, said } = await crash('mutation', ...args);
  expect(results, said).toMatchObject([{ name: 'mutation', cycles: 1, acknowledged: 1, violations: [] }]);
  expect(code).toBe(0);
});

test('a sample of the campaign linearizability finds one history', async () => {
  const parts = 'ut-counter,ringmaster-lease';
  const { code, results, said } = await crash('linearizability', '--parts', parts, '--cycles', '2', '--seed', SEED);
  expect(results, said).toMatchObject([{ name: 'linearizability', cycles: 2, violations: [] }]);
  expect(results[0]!['kills']).toBeGreaterThan(0);
  expect(code).toBe(0);
});

test('a process that answers reads from its memory is found out', async () => {
  const args = ['--canary', '--parts', 'np-register', '--cycles', '1', '--seed', SEED];
  const { code, results } = await crash('linearizability', ...args);
  expect(results[0]!['phantom']).toBe(1);
  expect(code).toBe(1);
});

test.each(['loop', 'plain'])('unsynced changes are missing after a power cut of a %s disk', async (kind) => {
  const args = ['--canary', '--parts', kind, '--cycles', '2', '--seed', SEED];
  const { code, results } = await crash('power', ...args);
  expect(results[0]!['violations']).not.toEqual([]);
  expect(code).toBe(1);
});

test('work that is missing after a night, and a task that nobody did, are found', async () => {
  const { code, results } = await crash('night', '--canary', '--cycles', '4', '--seed', SEED);
  expect(results[0]).toMatchObject({ lost: 1, phantom: 1, partial: 0 });
  expect(code).toBe(1);
});

test('two workers on the same task at the same time are found', async () => {
  const { code, results } = await crash('remote', '--canary', '--cycles', '2', '--seed', SEED);
  expect(results[0]!['phantom']).toBeGreaterThan(0);
  expect(code).toBe(1);
});

test.each([
  [['no-such-campaign']],
  [['store', '--cycles', 'many']],
  [['store', '--seed', '0']],
  [['store', '--write', '--cycles', '1']],
])('%j is refused with exit code 2', async (args) => {
  expect(await crash(...args)).toMatchObject({ code: 2, results: [] });
});
