import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

const holdfast = resolve(import.meta.dirname, '../../../../dist/bin/holdfast');

interface Machines {
  readonly remote: string;
  /** Runs a command with the data home of this name; returns everything that it printed. */
  readonly run: (home: string, args: readonly string[], input?: string) => string;
}

function machines(): Machines {
  const base = mkdtempSync(join(tmpdir(), 'holdfast-remotes-e2e-'));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const remote = join(base, 'remote.git');
  spawnSync('git', ['init', '-q', '--bare', '-b', 'main', remote]);
  const run: Machines['run'] = (name, args, input = '') => {
    mkdirSync(join(base, name), { recursive: true, mode: 0o700 });
    const { status, stdout, stderr } = spawnSync(holdfast, ['notebooks', ...args], {
      cwd: base,
      env: { ...process.env, HOLDFAST_HOME: join(base, name), NO_COLOR: '1', USER: name },
      encoding: 'utf8',
      input,
      timeout: 90_000,
    });
    return `${status === 0 ? '' : `exit ${status}\n`}${stdout}${stderr}`;
  };
  return { remote, run };
}

it('two machines exchange notes through a bare repository, with commands alone', () => {
  const { run, remote } = machines();
  for (const name of ['ann', 'bob']) run(name, ['add', 'lab']);
  expect(run('ann', ['remote', 'add', 'origin', remote])).toContain('exit 2');
  for (const name of ['ann', 'bob']) {
    expect(run(name, ['remote', 'add', 'origin', remote, '--allow-path'])).toContain('Added remote origin');
  }
  run('ann', ['write', 'a.md', '--content', 'from ann\n']);
  expect(run('ann', ['remote', 'sync'])).toMatch(/origin +main +0 +0/);
  run('bob', ['remote', 'sync']);
  expect(run('bob', ['cat', 'a.md'])).toContain('from ann');
  run('ann', ['write', 'a.md', '--content', 'ann again\n']);
  run('bob', ['write', 'a.md', '--content', 'bob\n']);
  run('ann', ['remote', 'sync']);
  expect(run('bob', ['remote', 'sync'])).toContain('a.md has a second version: a.conflict-');
  const [copy = ''] = /a\.conflict-\w+\.md/.exec(run('bob', ['conflicts'])) ?? [];
  expect(run('bob', ['status'])).toMatch(/lab: remote origin: synced .* 0 ahead, 0 behind/);
  expect(run('bob', ['resolve', copy, '--keep', 'copy'])).toContain('Resolved; kept a.md');
  run('bob', ['remote', 'sync']);
  run('ann', ['remote', 'sync']);
  expect(run('ann', ['cat', 'a.md'])).toContain('ann again');
  expect(run('ann', ['conflicts'])).toContain('No conflicts');
  expect(run('ann', ['remote', 'remove', 'origin'])).toContain('Removed remote origin');
  expect(run('ann', ['remote', 'list'])).toContain('No remotes');
});

it('a token comes from standard input, and no command shows it', () => {
  const { run } = machines();
  run('ann', ['add', 'lab']);
  const token = 'hunter2-not-a-real-token';
  const said = run('ann', ['remote', 'add', 'web', 'https://localhost:1/x.git', '--token-stdin'], `${token}\n`);
  expect(said).toContain('Added remote web');
  const failed = run('ann', ['remote', 'sync']);
  expect(failed).toContain('REMOTE_UNREACHABLE');
  expect(run('ann', ['remote', 'list', '--json'])).toContain('"credentials":"token"');
  expect(`${said}${failed}${run('ann', ['status'])}`).not.toContain(token);
  expect(run('ann', ['remote', 'add', 'x', 'https://ann:secret@localhost/x.git'])).not.toContain('secret');
});
