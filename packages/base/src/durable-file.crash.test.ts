import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { expect, onTestFinished, test } from 'vitest';

import { bundledProgram } from '../test/bundled-program.ts';
import { faultShim } from '../test/fault-shim.ts';

const program = fileURLToPath(new URL('../test/programs/replace-file.ts', import.meta.url));
const EIO = 5;

function replaceWithFailingCall(n: number, kind: string): { said: string; content: string; left: readonly string[] } {
  const control = mkdtempSync(join(tmpdir(), 'holdfast-base-'));
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-base-'));
  onTestFinished(() => [control, folder].forEach((each) => rmSync(each, { recursive: true, force: true })));
  const path = join(folder, 'file');
  writeFileSync(path, 'old');
  writeFileSync(join(control, 'plan'), `1 writes ${n} ${EIO} once ${folder}`);
  const { stdout, stderr } = spawnSync(process.execPath, [bundledProgram(program), path, kind], {
    env: { ...process.env, LD_PRELOAD: faultShim(), HOLDFAST_FAULT_CONTROL: join(control, 'plan') },
    encoding: 'utf8',
    timeout: 30_000,
  });
  expect(stderr).toBe('');
  expect(existsSync(join(control, 'plan.fired'))).toBe(n <= 3);
  return { said: stdout.trim(), content: readFileSync(path, 'utf8'), left: readdirSync(folder) };
}

test.each(['sync', 'async'])('content, file and folder are synced; a failure of any is reported (%s)', (kind) => {
  const left = ['file'];
  expect(replaceWithFailingCall(1, kind)).toEqual({ said: 'EIO', content: 'old', left });
  expect(replaceWithFailingCall(2, kind)).toEqual({ said: 'EIO', content: 'old', left });
  expect(replaceWithFailingCall(3, kind)).toEqual({ said: 'EIO', content: 'new', left });
  expect(replaceWithFailingCall(4, kind)).toEqual({ said: 'written', content: 'new', left });
});
