import { describe, expect, it } from 'vitest';

import { codeOf, open, openWithOwner, PASSWORD, storedKeys, testClock } from '../test/open.ts';
import { startProgram } from '../test/program.ts';

describe('several processes', () => {
  it('never give one name to two users', async () => {
    const { path, keyspace } = await openWithOwner();
    const programs = [1, 2, 3].map(() => startProgram(path));
    await Promise.all(programs.map((program) => program.line('ready')));
    const inputs = Array.from({ length: 40 }, (_, index) => ({ username: `name${index}` }));
    for (const program of programs) program.say({ method: 'createUser', inputs });
    const ended = await Promise.all(
      programs.map(async (program) => JSON.parse(await program.line('ended ')) as string[]),
    );
    for (const [index] of inputs.entries()) {
      const outcomes = ended.map((codes) => codes[index]!);
      expect(outcomes.toSorted((left, right) => left.localeCompare(right))).toEqual([
        'done',
        'USERNAME_TAKEN',
        'USERNAME_TAKEN',
      ]);
    }
    expect(Object.keys(await storedKeys(keyspace, 'u:'))).toHaveLength(41);
    expect((await keyspace.verify()).problems).toEqual([]);
  });

  it('make one owner of one link', async () => {
    const { path, accounts, keyspace } = await open({ clock: testClock(Date.now()) });
    const { secret } = await accounts.createSetupLink();
    const programs = ['ada', 'eve', 'bob'].map((username) => ({ username, program: startProgram(path) }));
    await Promise.all(programs.map(({ program }) => program.line('ready')));
    for (const { username, program } of programs) {
      program.say({ method: 'redeemSetupLink', inputs: [{ secret, username, password: PASSWORD }] });
    }
    const ended = await Promise.all(programs.map(({ program }) => program.line('ended ')));
    expect(ended.toSorted()).toEqual(['["SETUP_LINK_INVALID"]', '["SETUP_LINK_INVALID"]', '["done"]']);
    expect(Object.keys(await storedKeys(keyspace, 'u:'))).toHaveLength(1);
  });
});

describe('a process that is killed', () => {
  it('while it checks a password has counted the attempt', async () => {
    const { path, accounts, keyspace } = await openWithOwner();
    const program = startProgram(path, { HOLDFAST_FAILPOINT: 'accounts.attempt.counted:6' });
    await program.line('ready');
    const guess = { name: 'ada', password: 'wrong password', source: { ip: '203.0.113.7' } };
    program.say({ method: 'login', inputs: Array.from({ length: 10 }, () => guess) });
    expect(await program.ended).toBe('SIGKILL');
    const counters = Object.values(await storedKeys(keyspace, 'thr:')).map((value) => JSON.parse(value as string));
    expect(counters.map(({ kind, failures }) => [kind, failures])).toEqual([
      ['pair', 6],
      ['source', 6],
    ]);
    expect((await accounts.listAudit()).items.filter(({ type }) => type === 'login_failed')).toHaveLength(5);
  });

  it('while it makes the owner leaves the link as it was', async () => {
    const { path, accounts, keyspace } = await open({ clock: testClock(Date.now()) });
    const { secret } = await accounts.createSetupLink();
    const program = startProgram(path, { HOLDFAST_FAILPOINT: 'accounts.setup.hashed:1' });
    await program.line('ready');
    const input = { secret, username: 'ada', password: PASSWORD };
    program.say({ method: 'redeemSetupLink', inputs: [input] });
    expect(await program.ended).toBe('SIGKILL');
    expect(await storedKeys(keyspace, 'u:')).toEqual({});
    expect(await codeOf(accounts.redeemSetupLink(input))).toBe('done');
  });
});
