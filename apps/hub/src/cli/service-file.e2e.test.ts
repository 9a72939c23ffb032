import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import { launchdAgent, systemUnit, userUnit } from './service-file.ts';

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast service $HOME 100%h '));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

it.each([
  ['a user service', 'user', userUnit],
  ['a system service', 'system', systemUnit],
] as const)('systemd accepts the unit of %s, also with special characters in paths', (_, scope, unitOf) => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'bin'));
  const script = join(folder, 'bin', 'holdfast');
  writeFileSync(script, '#!/bin/sh\n', { mode: 0o755 });
  const unit = join(tmpdir(), `holdfast-${process.pid}-${scope}.service`);
  onTestFinished(() => rmSync(unit, { force: true }));
  writeFileSync(unit, unitOf({ program: [script, script], environment: { HOLDFAST_HOME: folder } }));
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', `--${scope}`, '--man=no', unit], {
    encoding: 'utf8',
    env: { ...process.env, XDG_RUNTIME_DIR: folder },
  });
  const problems = stderr.split('\n').filter((line) => line.includes(unit) || line.includes('holdfast'));
  expect([status, problems]).toEqual([0, []]);
  const words = /^ExecStart="(.*?)" "(.*?)" serve$/mu.exec(readFileSync(unit, 'utf8'))?.slice(1);
  expect(words).toEqual([expect.stringContaining(' $HOME 100%%h '), expect.stringContaining(' $$HOME 100%%h ')]);
});

it('the launchd agent escapes XML and restarts after a failure', () => {
  const agent = launchdAgent({ program: ['/n&de', '/<holdfast>'], environment: { A: '1' } }, 'label', '/log');
  expect(agent).toContain('<string>/n&amp;de</string><string>/&lt;holdfast&gt;</string><string>serve</string>');
  expect(agent).toContain('<key>SuccessfulExit</key><false/>');
});
