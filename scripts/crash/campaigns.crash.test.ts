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
  ['store', 60],
  ['backup', 30],
  ['replace', 24],
  ['migrate', 14],
  ['codex', 30],
])('a sample of the campaign %s finds nothing lost, phantom or partial', async (name, cycles) => {
  const { code, results, said } = await crash(name, '--cycles', String(cycles), '--seed', SEED);
  expect(results, said).toMatchObject([{ name, cycles, lost: 0, phantom: 0, partial: 0, violations: [] }]);
  expect(results[0]!['kills']).toBeGreaterThan(0);
  expect(results[0]!['acknowledged']).toBeGreaterThan(0);
  expect(code).toBe(0);
});

test('writers that claim commits before they are made are found out', async () => {
  const { code, results } = await crash('store', '--canary', '--cycles', '4', '--seed', SEED);
  expect(results[0]!['lost']).toBeGreaterThan(0);
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
