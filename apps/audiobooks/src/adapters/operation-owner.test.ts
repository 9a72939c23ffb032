import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { hostname } from 'node:os';

import { delay, identityOf } from '@holdfast/base';
import { expect, it } from 'vitest';

import { isOwnerAlive, ownerOfThisProcess } from './process.ts';

it('this process owns its operations until it ends', () => {
  expect(isOwnerAlive(ownerOfThisProcess())).toBe(true);
});

it('a zombie owns nothing', async () => {
  const parent = spawn('/bin/sh', ['-c', 'sleep 0.2 & echo $!; exec sleep 60'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  try {
    const [text] = (await once(parent.stdout, 'data')) as [Buffer];
    const owner = JSON.stringify({ host: hostname(), ...identityOf(Number(text.toString())) });
    for (let tries = 0; tries < 200 && isOwnerAlive(owner) === true; tries++) await delay(20);
    expect(isOwnerAlive(owner)).toBe(false);
  } finally {
    parent.kill('SIGKILL');
  }
});

it('nobody knows about a process of another machine', () => {
  const owner = JSON.stringify({ host: `not-${hostname()}`, ...identityOf(process.pid) });
  expect(isOwnerAlive(owner)).toBeUndefined();
});

it('a process from before the last boot is gone', () => {
  const owner = JSON.stringify({ host: hostname(), ...identityOf(process.pid), boot: 'earlier' });
  expect(isOwnerAlive(owner)).toBe(false);
});
