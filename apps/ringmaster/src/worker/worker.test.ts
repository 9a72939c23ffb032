import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { CappedOutput } from './capped-output.ts';
import { cleanLine, LineCutter } from './clean-text.ts';
import { formatOf, invocationOf, type WorkerCommand } from './command-shape.ts';
import { logEnd, logHead } from './log-format.ts';
import { type AttemptState, nextStep, type Turn } from './next-step.ts';
import { type Ended, judge } from './outcome.ts';
import { findRateLimit } from './rate-limit.ts';
import { redactor } from './redact.ts';
import { type Limits, nextAction, type Watched } from './supervision.ts';

const ESC = '\u001b';
const plain = redactor({ patterns: [], names: [], env: {} });

describe('the lines of a worker', () => {
  it('are cut at any byte without losing a character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.array(fc.nat(40)), (text, cuts) => {
        const bytes = Buffer.from(text.replaceAll('\ufeff', ''));
        const cutter = new LineCutter();
        const lines: string[] = [];
        let from = 0;
        for (const cut of cuts) lines.push(...cutter.push(bytes.subarray(from, (from += cut))));
        lines.push(...cutter.push(bytes.subarray(from)), ...cutter.end());
        const whole = bytes.toString().split('\n');
        if (whole.at(-1) === '') whole.pop();
        expect(lines).toEqual(whole);
      }),
    );
  });

  it('lose colours, links, titles, spinners and control characters, and nothing else', () => {
    expect(cleanLine(`${ESC}[1;31mred${ESC}[0m ${ESC}]8;;http://x${ESC}\\link${ESC}]8;;${ESC}\\`)).toBe('red link');
    expect(cleanLine(`${ESC}]0;title\u0007text${ESC}(B`)).toBe('text');
    expect(cleanLine('10%\r50%\r100%\r')).toBe('100%');
    expect(cleanLine('a\u0000b\u0007\tc – é 漢 👩‍🚀')).toBe('ab\tc – é 漢 👩‍🚀');
  });
});

describe('secrets', () => {
  it('are taken out by their shape, by name, by the settings and by the value of a variable', () => {
    const redact = redactor({
      patterns: ['ACME-[0-9]+'],
      names: ['PLAIN_NAME'],
      env: { PLAIN_NAME: 'hunter2hunter2', MY_API_KEY: 'abcdefgh12345678', SHORT_TOKEN: 'abc', HOME: '/home/someone' },
    });
    expect(redact(`key sk-${'a1'.repeat(12)} done`)).toBe('key [redacted] done');
    expect(redact('ACME-12345')).toBe('[redacted]');
    expect(redact('x hunter2hunter2 y abcdefgh12345678 abc /home/someone')).toBe(
      'x [redacted PLAIN_NAME] y [redacted MY_API_KEY] abc /home/someone',
    );
    expect(redact('{"db_password": "correcthorse"}')).toBe('{"db_password": "[redacted]"}');
    expect(redact('https://me:s3cret@example.org/')).toBe('https://me:[redacted]@example.org/');
    expect(redact('Authorization: Bearer abcdef0123456789')).toBe('Authorization: Bearer [redacted]');
  });

  it('in a private key are all its lines', () => {
    const redact = redactor({ patterns: [], names: [], env: {} });
    const key = ['-----BEGIN RSA PRIVATE KEY-----', 'MIIEow', 'abc', '-----END RSA PRIVATE KEY-----', 'after'];
    expect(key.map(redact)).toEqual(['[redacted]', '[redacted]', '[redacted]', '[redacted]', 'after']);
  });
});

describe('the output', () => {
  it('is kept whole below the cap, and as head and tail above it', () => {
    const small = new CappedOutput({ capBytes: 1_000, redact: plain });
    expect(small.push(Buffer.from('one\ntw'), 'out') + small.push(Buffer.from('err\n'), 'err') + small.end()).toBe(
      'one\nerr\ntw\n',
    );
    const large = new CappedOutput({ capBytes: 4_000, redact: plain });
    let log = '';
    for (let n = 0; n < 10_000; n++) log += large.push(Buffer.from(`line ${n}\n`), 'out');
    log += large.end();
    expect(log.length).toBeLessThan(4_200);
    expect(log).toMatch(/^line 0\nline 1\n/);
    expect(log).toMatch(/line 9999\n$/);
    expect(log).toContain(`of ${large.bytesSeen} bytes`);
    expect(large.lastLines('out').every((line) => /^line \d+$/.test(line))).toBe(true);
  });

  it('of what is cleaned away is not looked at for ever', () => {
    const output = new CappedOutput({ capBytes: 4_000, redact: plain });
    let log = '';
    for (let n = 0; n < 1_000; n++) log += output.push(Buffer.alloc(1_000), 'out');
    log += output.push(Buffer.from('\nthe end\n'), 'out') + output.end();
    expect(log).toMatch(/of 1000009 bytes is left out/);
    expect(log).toMatch(/the end\n$/);
  });

  it('shows no secret at the edge of what was forgotten', () => {
    const output = new CappedOutput({ capBytes: 400, redact: plain });
    const secret = `ghp_${'x'.repeat(36)}`;
    for (let n = 0; n < 200; n++) output.push(Buffer.from(`${secret}\n`), 'out');
    expect(output.end()).not.toContain('xxxxxxxxxx');
  });
});

const ended = (more: Partial<Ended>): Ended => ({
  exitCode: 0,
  signal: null,
  stopped: undefined,
  lastLines: [],
  lastErrors: [],
  format: 'text',
  rateLimitPatterns: [],
  now: Date.parse('2026-11-15T10:00:00Z'),
  ...more,
});

describe('the outcome', () => {
  it('follows the last mark at the beginning of a line, and then the exit code', () => {
    expect(judge(ended({})).result).toBe('success');
    expect(judge(ended({ exitCode: 2, lastErrors: ['no such file'] })).failure).toBe(
      'The worker ended with exit code 2\nno such file',
    );
    expect(judge(ended({ lastLines: ['✗ Tests failed in auth'] })).result).toBe('failed');
    expect(judge(ended({ lastLines: ['✗ Task failed: first try', '✓ Task complete'] })).result).toBe('success');
    expect(judge(ended({ exitCode: 1, lastLines: ['✓ Task complete'] })).result).toBe('failed');
    expect(judge(ended({ exitCode: 1, lastLines: ['? Need clarification: which port?'] }))).toMatchObject({
      result: 'question',
      question: 'which port?',
    });
  });

  it('is not fooled by marks and words in the middle of lines', () => {
    for (const line of [
      'echo "✗ broken"',
      'Error: none',
      'FAILED tests: 0',
      'Should I?',
      'what? yes',
      'DONE',
      '  ✗ a test',
      '? file',
    ]) {
      expect(judge(ended({ lastLines: [line] })).result, line).toBe('success');
    }
  });

  it('is that of our own stop, when we stopped it', () => {
    expect(judge(ended({ exitCode: 0, stopped: 'silence' }))).toMatchObject({
      result: 'silence',
      failure: 'The worker printed nothing within the silence limit',
    });
  });

  it('reads the messages inside the JSON lines of claude and codex', () => {
    const claude = [
      '{"type":"assistant","message":{"content":[{"type":"text","text":"working\\n? Question: red or blue?"}]}}',
      '{"type":"result","is_error":false,"result":"","total_cost_usd":0.12,"usage":{"input_tokens":10,"output_tokens":3}}',
    ];
    expect(judge(ended({ format: 'claude-json', lastLines: claude }))).toMatchObject({
      result: 'question',
      question: 'red or blue?',
      costUsd: 0.12,
      inputTokens: 10,
      outputTokens: 3,
    });
    const codex = ['{"type":"turn.failed","error":{"message":"You\'ve hit your usage limit. Try again in 2 hours"}}'];
    expect(judge(ended({ format: 'codex-json', lastLines: codex })).result).toBe('rate_limited');
    const usage = '{"type":"turn.completed","usage":{"input_tokens":7,"output_tokens":2}}';
    expect(judge(ended({ format: 'codex-json', lastLines: [usage] }))).toMatchObject({
      result: 'success',
      inputTokens: 7,
    });
  });

  it('knows when a rate limit ends, if that is said', () => {
    const now = Date.parse('2026-11-15T10:00:00Z');
    const until = (line: string): string | undefined => {
      const found = findRateLimit([line], [], now);
      return found?.until === undefined ? undefined : new Date(found.until).toISOString();
    };
    expect(until(`Claude AI usage limit reached|${now / 1_000 + 3_600}`)).toBe('2026-11-15T11:00:00.000Z');
    expect(until('You’ve hit your usage limit. Try again in 2 hours 5 minutes.')).toBe('2026-11-15T12:05:00.000Z');
    expect(until('Rate limit exceeded, retry after 30s')).toBe('2026-11-15T10:00:30.000Z');
    expect(until('Too many requests until 2026-11-15T10:30:00Z')).toBe('2026-11-15T10:30:00.000Z');
    expect(findRateLimit(['we test the rate limit here'], [], now)).toBeUndefined();
    expect(findRateLimit(['QUOTA 7'], ['^QUOTA'], now)).toEqual({ line: 'QUOTA 7', until: undefined });
    expect(judge(ended({ exitCode: 0, lastLines: ['Rate limit exceeded'] })).result).toBe('success');
  });
});

describe('supervision', () => {
  const limits: Limits = { startToCloseMs: 1_000, silenceMs: 300, deadline: 5_000, graceMs: 100 };
  const watched: Watched = { startedAt: 0, lastOutputAt: 0, asked: undefined, stopping: undefined };

  it('stops what is silent, takes too long, or was asked to stop, and kills what does not listen', () => {
    expect(nextAction(watched, limits, 200)).toEqual({ kind: 'wait', until: 300 });
    expect(nextAction(watched, limits, 300)).toEqual({ kind: 'terminate', reason: 'silence' });
    expect(nextAction({ ...watched, lastOutputAt: 900 }, limits, 1_000)).toEqual({
      kind: 'terminate',
      reason: 'timeout',
    });
    expect(nextAction({ ...watched, startedAt: 4_900, lastOutputAt: 5_000 }, limits, 5_000)).toEqual({
      kind: 'terminate',
      reason: 'total_timeout',
    });
    expect(nextAction({ ...watched, asked: 'cancelled' }, limits, 1)).toEqual({
      kind: 'terminate',
      reason: 'cancelled',
    });
    const stopping = { reason: 'cancelled', since: 10, isKilled: false } as const;
    expect(nextAction({ ...watched, stopping }, limits, 50)).toEqual({ kind: 'wait', until: 110 });
    expect(nextAction({ ...watched, stopping }, limits, 110)).toEqual({ kind: 'kill', reason: 'cancelled' });
    expect(nextAction({ ...watched, stopping: { ...stopping, isKilled: true } }, limits, 999).kind).toBe('wait');
    expect(nextAction({ ...watched, stopping: { ...stopping, reason: 'lease_lost' } }, limits, 10).kind).toBe('kill');
  });
});

describe('the next step of an attempt', () => {
  const turn = (more: Partial<Turn>): Turn => ({
    number: 1,
    stage: 'worked',
    result: 'success',
    failure: null,
    question: null,
    ...more,
  });
  const state = (...turns: Turn[]): AttemptState => ({
    hasFolder: true,
    turns,
    lastNumberOfTask: turns.at(-1)?.number ?? 0,
    maxTurns: 2,
    hasTests: true,
    review: 'command',
  });

  it('leads from the folder over work, tests and review to the end', () => {
    expect(nextStep({ ...state(), hasFolder: false })).toEqual({ kind: 'prepare' });
    expect(nextStep(state())).toEqual({ kind: 'work', number: 1 });
    expect(nextStep(state(turn({})))).toEqual({ kind: 'test', number: 1 });
    expect(nextStep(state(turn({ stage: 'tested' })))).toEqual({ kind: 'review', number: 1 });
    expect(nextStep(state(turn({ stage: 'reviewed' })))).toEqual({ kind: 'finish', finish: { kind: 'done' } });
    expect(nextStep({ ...state(turn({ stage: 'tested' })), review: 'person' })).toEqual({
      kind: 'finish',
      finish: { kind: 'review' },
    });
    expect(nextStep({ ...state(turn({})), hasTests: false, review: 'none' })).toEqual({
      kind: 'finish',
      finish: { kind: 'done' },
    });
  });

  it('takes another turn after a failure, until there were enough; interrupted ones do not count', () => {
    const failed = turn({ result: 'tests_failed', failure: 'two tests fail' });
    expect(nextStep(state(failed))).toEqual({ kind: 'work', number: 2 });
    expect(nextStep(state(failed, turn({ number: 2, result: 'interrupted' })))).toEqual({ kind: 'work', number: 3 });
    expect(nextStep(state(failed, { ...failed, number: 2 }))).toEqual({
      kind: 'finish',
      finish: { kind: 'failed', failureClass: 'task', reason: 'two tests fail' },
    });
    expect(nextStep(state(turn({ stage: 'working', result: null })))).toEqual({ kind: 'work', number: 2 });
  });

  it('ends at once with a question, a rate limit or a cancellation', () => {
    const finish = (result: string, more: Partial<Turn> = {}): unknown => {
      const step = nextStep(state(turn({ result, ...more })));
      return step.kind === 'finish' ? step.finish : step;
    };
    expect(finish('question', { question: 'why?' })).toEqual({ kind: 'question', question: 'why?' });
    expect(finish('rate_limited')).toMatchObject({ kind: 'failed', failureClass: 'rate_limit' });
    expect(finish('cancelled')).toMatchObject({ kind: 'released', failureClass: 'cancelled' });
    expect(finish('shutdown')).toMatchObject({ kind: 'released', failureClass: 'infrastructure' });
    expect(finish('not_started')).toMatchObject({ kind: 'failed', failureClass: 'infrastructure' });
  });
});

describe('the command of a worker', () => {
  const worker = (more: Partial<WorkerCommand>): WorkerCommand => ({
    type: 'any',
    command: 'run-it',
    args: [],
    prompt_flag: null,
    prompt: '',
    output: '',
    ...more,
  });
  const prompt = { text: 'Do `this`; $(not) "that"', path: '/p/001.prompt.md' };

  it('of the known programs is theirs: claude -p and codex exec read standard input, aider a file', () => {
    expect(invocationOf(worker({ type: 'claude-code', command: 'claude' }), prompt)).toEqual({
      command: 'claude',
      args: ['-p', '--output-format', 'stream-json', '--verbose'],
      stdin: prompt.text,
    });
    expect(invocationOf(worker({ type: 'codex', command: 'codex' }), prompt)).toEqual({
      command: 'codex',
      args: ['exec', '--json', '--sandbox', 'workspace-write', '-'],
      stdin: prompt.text,
    });
    expect(invocationOf(worker({ type: 'aider', command: 'aider' }), prompt)).toEqual({
      command: 'aider',
      args: ['--yes-always', '--no-pretty', '--message-file', prompt.path],
      stdin: undefined,
    });
    expect(formatOf(worker({ type: 'claude-code' }))).toBe('claude-json');
    expect(formatOf(worker({ type: 'claude-code', args: ['-p'] }))).toBe('text');
    expect(formatOf(worker({ type: 'codex', args: ['exec', '--json', '-'] }))).toBe('codex-json');
  });

  it('of others is as configured: by standard input, behind a flag, or as a file', () => {
    expect(invocationOf(worker({ args: ['a'] }), prompt)).toMatchObject({ args: ['a'], stdin: prompt.text });
    expect(invocationOf(worker({ args: ['a'], prompt_flag: '--prompt' }), prompt)).toEqual({
      command: 'run-it',
      args: ['a', '--prompt', prompt.text],
      stdin: undefined,
    });
    expect(invocationOf(worker({ prompt: 'file', prompt_flag: '-f' }), prompt).args).toEqual(['-f', prompt.path]);
    expect(invocationOf(worker({ prompt: 'flag' }), prompt).args).toEqual([prompt.text]);
    expect(() => invocationOf(worker({ prompt: 'flag' }), { ...prompt, text: 'x'.repeat(130 * 1024) })).toThrow(
      expect.objectContaining({ code: 'PROMPT_TOO_LONG' }),
    );
  });
});

describe('a log', () => {
  it('begins and ends as in the design document', () => {
    const start = Date.parse('2026-01-26T10:30:00Z');
    expect(logHead('claude-code-1', 1, start)).toBe(
      '[2026-01-26T10:30:00Z] Worker: claude-code-1\n[2026-01-26T10:30:00Z] Starting iteration 1\n\n',
    );
    expect(logEnd('success', 900_000, start + 900_000)).toBe(
      '\n[2026-01-26T10:45:00Z] ✓ Task complete\n[2026-01-26T10:45:00Z] Duration: 15m 00s\n',
    );
  });
});
