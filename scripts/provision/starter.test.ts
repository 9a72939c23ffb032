import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { starterScript } from './provision.mjs';

const component = {
  name: 'thing',
  binary: 'thing',
  versionArgs: [],
  neededFor: 'this test',
  debianPackages: ['thing'],
  unpacked: { args: ['--base={root}/a b'], environment: { THING_HOME: '{root}/home' } },
};

it('starts the unpacked program with its libraries and settings, also after the folder was moved', () => {
  const base = mkdtempSync(join(tmpdir(), 'holdfast starter-'));
  try {
    mkdirSync(join(base, 'old', 'bin'), { recursive: true });
    mkdirSync(join(base, 'old', 'root'));
    const script = '#!/bin/sh\nprintf "%s\\n" "$THING_HOME" "$LD_LIBRARY_PATH" "$@"\n';
    writeFileSync(join(base, 'old', 'root', 'thing'), script);
    writeFileSync(join(base, 'old', 'bin', 'thing'), starterScript(component, '{root}/thing', ['lib', 'usr/lib']));
    for (const file of ['root/thing', 'bin/thing']) chmodSync(join(base, 'old', file), 0o755);
    renameSync(join(base, 'old'), join(base, 'new'));

    const root = join(base, 'new', 'bin') + '/../root';
    const output = execFileSync(join(base, 'new', 'bin', 'thing'), ['one two'], {
      encoding: 'utf8',
      env: { LD_LIBRARY_PATH: '/before' },
    });
    expect(output.trim().split('\n')).toEqual([
      `${root}/home`,
      `${root}/lib:${root}/usr/lib:/before`,
      `--base=${root}/a b`,
      'one two',
    ]);
  } finally {
    rmSync(base, { recursive: true });
  }
});
