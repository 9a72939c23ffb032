import { describe, expect, it } from 'vitest';
import { fixtureCommand, runFixture, runInBash, runProcess } from './fixture-process.ts';

const FIVE_MEGABYTES = 5_000_000;

describe('output', () => {
  it('arrives whole through a pipe, however large', async () => {
    const { code, stdout } = await runFixture(['behave', 'print', String(FIVE_MEGABYTES), '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout.toString())).toEqual({ schema_version: 1, data: 'x'.repeat(FIVE_MEGABYTES) });
  });

  it('arrives whole even if the reader is slow and the pipe does not block', async () => {
    const unblock = 'import os, sys; os.set_blocking(1, False); os.execv(sys.argv[1], sys.argv[1:])';
    const command = [...fixtureCommand, 'behave', 'print', String(FIVE_MEGABYTES)].map((word) => `'${word}'`).join(' ');
    const { stdout, stderr } = await runProcess([
      'bash',
      '-c',
      `python3 -c '${unblock}' ${command} | (sleep 1; wc -c)`,
    ]);
    expect(stderr).toBe('');
    expect(Number(stdout)).toBe(FIVE_MEGABYTES + 1);
  });

  it('that nobody reads any more ends the command quietly', async () => {
    const script = `fixture behave print 1000000000 --lines | head -n 2 | wc -l; echo "\${PIPESTATUS[0]}"`;
    const { stdout, stderr } = await runInBash(script);
    expect(stderr).toBe('');
    expect(stdout.toString().trim().split(/\s+/u)).toEqual(['2', '0']);
  });

  it('that cannot be written is an error', async () => {
    const { code, stderr } = await runInBash('fixture behave print 10 > /dev/full');
    expect(code).toBe(1);
    expect(stderr).toContain('[OUTPUT_FAILED]');
  });

  it('works with closed streams', async () => {
    expect((await runInBash('fixture task add -t x 2>&-')).code).toBe(0);
    expect((await runInBash('fixture task add -t x <&-')).code).toBe(0);
    expect((await runInBash('fixture task add -t x >&-')).code).not.toBeNull();
  });
});

describe('input', () => {
  it('comes from standard input when asked for', async () => {
    const { stdout } = await runFixture(['behave', 'count', '-'], { input: 'one\ntwo' });
    expect(stdout.toString()).toBe('7 characters, 2 lines\n');
  });
});

describe('exit codes', () => {
  it.each([
    [['task'], 0],
    [['behave', 'fail', 'failed'], 1],
    [['behave', 'fail', 'bug'], 1],
    [['behave', 'fail', 'late'], 1],
    [['nonsense'], 2],
    [['behave', 'fail', 'not_found'], 3],
    [['behave', 'fail', 'conflict'], 4],
    [['behave', 'fail', 'unavailable'], 5],
  ])('of %s is %i', async (words, code) => {
    expect((await runFixture(words)).code).toBe(code);
  });

  it('and messages are the same for mistakes that happen behind the back of a command', async () => {
    const { stderr } = await runFixture(['behave', 'fail', 'late', '--json']);
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'INTERNAL', message: 'Unexpected error: too late' } });
  });
});

const interruptedBy = (signal: NodeJS.Signals, then: string) => {
  let isSent = false;
  return runFixture(['behave', 'wait', then], {
    onStderr: (text, child) => {
      if (!isSent && text.includes('waiting')) isSent = child.kill(signal);
    },
  });
};

describe('signals', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)('%s kills a command that does not care', async (signal) => {
    expect(await interruptedBy(signal, 'die')).toMatchObject({ code: null, signal, stderr: 'waiting\n' });
  });

  it.each(['SIGINT', 'SIGTERM'] as const)(
    '%s lets one that does put things in order before it dies',
    async (signal) => {
      const stderr = 'waiting\nputting things in order\n';
      expect(await interruptedBy(signal, 'throw')).toMatchObject({ code: null, signal, stderr });
    },
  );

  it('are the normal end of a command that returns', async () => {
    expect(await interruptedBy('SIGTERM', 'return')).toMatchObject({ code: 0, signal: null });
  });

  it.each([
    ['INT', 130],
    ['TERM', 143],
  ])('SIG%s is %i to the shell', async (signal, code) => {
    const script = `coproc { exec "\${FIXTURE[@]}" behave wait throw 2>&1; }
      read -r -u "\${COPROC[0]}" line
      kill -${signal} "$COPROC_PID"
      wait "$COPROC_PID"`;
    expect((await runInBash(script)).code).toBe(code);
  });
});
