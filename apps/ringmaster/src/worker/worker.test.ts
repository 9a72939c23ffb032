import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { OutputFormat } from '../model/presets.ts';
import { CappedOutput } from './capped-output.ts';
import { cleanLine, LineCutter } from './clean-text.ts';
import { formatOf, interactiveCommand, invocationOf, type WorkerCommand } from './command-shape.ts';
import { logEnd, logHead } from './log-format.ts';
import { type AttemptState, nextStep, type Turn } from './next-step.ts';
import { type Ended, judge } from './outcome.ts';
import { redactor } from './redact.ts';
import { findServiceProblem } from './service-problem.ts';
import { type Limits, nextAction, type Watched } from './supervision.ts';
import { ReadableOutput, UsageMeter } from './transcript.ts';

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

  it('is that of the service when we stopped a worker that waited for it, unless it worked again afterwards', () => {
    const waits = { type: 'error', message: 'Reconnecting... waiting for network (Connection failed)' };
    const works = { type: 'item.completed', item: { type: 'agent_message', text: 'I run the tests.' } };
    const after = (...events: object[]) =>
      judge(
        ended({
          exitCode: null,
          signal: 'SIGTERM',
          stopped: 'timeout',
          format: 'codex-json',
          lastLines: events.map((event) => JSON.stringify(event)),
        }),
      );
    expect(after(works, waits)).toMatchObject({ result: 'unreachable', failure: waits.message });
    expect(after(waits, works).result).toBe('timeout');
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

  it('recognises a service or login that fails, whatever the task, and when it may work again', () => {
    const now = Date.parse('2026-11-15T10:00:00Z');
    const found = (line: string, apiStatus: number | null = null, patterns: readonly string[] = []): unknown => {
      const problem = findServiceProblem({ lines: [line], apiStatus, patterns, now });
      const until = problem?.until === undefined ? '' : ` ${new Date(problem.until).toISOString().slice(5, 19)}`;
      return problem === undefined ? undefined : `${problem.kind}${until}`;
    };
    expect(found(`Claude AI usage limit reached|${now / 1_000 + 3_600}`)).toBe('rate_limited 11-15T11:00:00');
    expect(found("You've hit your session limit · resets 3:50pm (Asia/Tokyo)")).toBe('rate_limited 11-16T06:50:00');
    expect(found("You've hit your limit · resets Nov 17 at 9pm (America/New_York)")).toBe(
      'rate_limited 11-18T02:00:00',
    );
    expect(found('5-hour limit reached ∙ resets 1pm (UTC)')).toBe('rate_limited 11-15T13:00:00');
    expect(found('You’ve hit your usage limit. Try again in 2 hours 5 minutes.')).toBe('rate_limited 11-15T12:05:00');
    expect(found('Rate limit exceeded, retry after 30s')).toBe('rate_limited 11-15T10:00:30');
    expect(found('Error: 429 {"error":{"type":"rate_limit_error"}}, try again in 20s')).toBe(
      'rate_limited 11-15T10:00:20',
    );
    expect(found('You have exhausted your capacity on this model. Your quota will reset after 2h31m.')).toBe(
      'rate_limited 11-15T12:31:00',
    );
    expect(found('Too many requests until 2026-11-15T10:30:00Z')).toBe('rate_limited 11-15T10:30:00');
    expect(found('API Error: 529 {"type":"error","error":{"type":"overloaded_error"}}')).toBe('overloaded');
    expect(found('Invalid API key · Please run /login')).toBe('logged_out');
    expect(found('exceeded retry limit, last status: 401 Unauthorized, request id: 9a57')).toBe('logged_out');
    expect(found("Error: Authentication required. Please run 'agent login' first")).toBe('logged_out');
    expect(found('Credit balance is too low')).toBe('no_credit');
    expect(found('something else', 529)).toBe('overloaded');
    for (const line of [
      'API Error: Unable to connect to API (ConnectionRefused)',
      'stream disconnected before completion: error sending request',
      'Cannot connect to API: Unable to connect. Is the computer able to access the url?',
      'Attempt 3 failed. Retrying with backoff... Error: exception TypeError: fetch failed sending request',
    ]) {
      expect(found(line)).toBe('unreachable');
    }
    expect(found('QUOTA 7', null, ['^QUOTA'])).toBe('rate_limited');
    for (const line of [
      'we test the rate limit here',
      'The login page says not logged in',
      'expect(status).toBe(429)',
      'Error: expected status 200, got 500',
      'Error: Request failed with status code 503 in orders.test.js',
      'Error: connect ECONNREFUSED 127.0.0.1:5432',
      'Reconnecting... 2/5 (stream disconnected before completion: timeout)',
    ]) {
      expect(found(line)).toBeUndefined();
    }
    expect(judge(ended({ lastLines: ['Rate limit exceeded'], hasChanged: true })).result).toBe('success');
    expect(judge(ended({ lastLines: ['Rate limit exceeded'], hasChanged: false })).result).toBe('rate_limited');
  });

  it('is a success without a change only if the worker says that none was needed', () => {
    expect(judge(ended({ lastLines: ['✓ Task complete'], hasChanged: false })).result).toBe('no_change');
    const stated = judge(ended({ lastLines: ['✓ No change needed: it is sorted already'], hasChanged: false }));
    expect(stated).toMatchObject({ result: 'success', note: 'No change needed: it is sorted already' });
    expect(judge(ended({ exitCode: 1, lastLines: ['✓ No change needed: really'] })).result).toBe('failed');
  });

  it('is a failure that names the tool when a tool call was not permitted', () => {
    const denied = (format: Ended['format'], ...events: unknown[]): string | undefined => {
      const { result, failure } = judge(ended({ format, lastLines: events.map((event) => JSON.stringify(event)) }));
      return result === 'denied' ? /use (.+)\. Work/.exec(failure ?? '')?.[1] : result;
    };
    const denials = [{ tool_name: 'Bash', tool_use_id: 't1', tool_input: { command: 'npm test' } }];
    expect(denied('claude-json', { type: 'result', is_error: false, permission_denials: denials })).toBe(
      'Bash (npm test)',
    );
    expect(
      denied(
        'gemini-json',
        { type: 'tool_use', tool_name: 'run_shell_command', tool_id: 'x1', parameters: { command: 'ls' } },
        { type: 'tool_result', tool_id: 'x1', status: 'error', error: { type: 'policy_violation' } },
        { type: 'result', status: 'success', stats: { input_tokens: 1, output_tokens: 2 } },
      ),
    ).toBe('run_shell_command (ls)');
    const rejected = { status: 'error', error: 'The user rejected permission to use this specific tool call.' };
    expect(denied('opencode-json', { type: 'tool_use', part: { tool: 'bash', state: rejected } })).toBe('bash');
    const shell = { shellToolCall: { args: { command: 'make' }, result: { rejected: {} } } };
    expect(denied('claude-json', { type: 'tool_call', tool_call: shell })).toBe('shell (make)');
    const declined = { type: 'command_execution', command: 'make', status: 'declined' };
    expect(denied('codex-json', { type: 'item.completed', item: declined })).toBe('command_execution (make)');
  });

  it('contains the session, and joins messages that arrive in pieces', () => {
    const of = (format: Ended['format'], ...events: unknown[]) =>
      judge(ended({ format, lastLines: events.map((event) => JSON.stringify(event)) }));
    const assistant = { type: 'message', role: 'assistant', delta: true };
    const pieces = ['? Need clari', 'fication: red', ' or blue?'].map((content) => ({ ...assistant, content }));
    expect(of('gemini-json', { type: 'init', session_id: 'g1' }, { type: 'tool_use' }, ...pieces)).toMatchObject({
      session: 'g1',
      question: 'red or blue?',
    });
    expect(of('codex-json', { type: 'thread.started', thread_id: 'c1' }).session).toBe('c1');
    expect(of('opencode-json', { type: 'text', sessionID: 'o1', part: { text: 'hello' } }).session).toBe('o1');
    expect(of('claude-json', { type: 'system', subtype: 'init', session_id: 'a1' }).session).toBe('a1');
  });
});

describe('usage', () => {
  const tokensOf = (format: Ended['format'], ...lines: string[]): number => {
    const meter = new UsageMeter(format);
    meter.read(lines.map((line) => `${line}\n`).join(''));
    const { inputTokens, outputTokens } = meter.total({ costUsd: null, inputTokens: null, outputTokens: null });
    return (inputTokens ?? 0) + (outputTokens ?? 0);
  };

  it('includes tokens that OpenCode reads from or writes to a cache', () => {
    const tokens = { input: 2, output: 30, reasoning: 0, cache: { read: 4_000, write: 500 } };
    const step = JSON.stringify({ type: 'step_finish', part: { cost: 0.01, tokens } });
    expect(tokensOf('opencode-json', step, step)).toBe(2 * 4_532);
  });

  it('is the sum of the reports that Aider prints after its messages', () => {
    const cached = 'Tokens: 12k sent, 8.1k cache write, 300 received.';
    expect(tokensOf('text', cached, 'Cost: $0.05 message, $0.05 session.', 'Tokens: 900 sent, 1.2k received.')).toBe(
      14_400,
    );
  });
});

describe('supervision', () => {
  const sizes = { memoryBytes: 1_000, outputBytes: 50 };
  const limits: Limits = { startToCloseMs: 1_000, silenceMs: 300, deadline: 5_000, graceMs: 100, ...sizes };
  const watched: Watched = { startedAt: 0, lastOutputAt: 0, asked: undefined, stopping: undefined, ...sizes };

  it('stops what uses too much memory or prints too much', () => {
    expect(nextAction({ ...watched, memoryBytes: 1_001 }, limits, 1)).toEqual({ kind: 'terminate', reason: 'memory' });
    expect(nextAction({ ...watched, outputBytes: 51 }, limits, 1)).toEqual({ kind: 'terminate', reason: 'output' });
  });

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
    note: null,
    ...more,
  });
  const state = (...turns: Turn[]): AttemptState => ({
    hasFolder: true,
    turns,
    lastNumberOfTask: turns.at(-1)?.number ?? 0,
    maxTurns: 2,
    hasTests: true,
    isOverBudget: false,
    review: 'command',
  });

  it('leads from the folder over work, tests and review to the end', () => {
    expect(nextStep({ ...state(), hasFolder: false })).toEqual({ kind: 'prepare' });
    expect(nextStep(state())).toEqual({ kind: 'work', number: 1 });
    expect(nextStep(state(turn({})))).toEqual({ kind: 'test', number: 1 });
    expect(nextStep(state(turn({ stage: 'tested' })))).toEqual({ kind: 'review', number: 1 });
    expect(nextStep(state(turn({ stage: 'reviewed' })))).toEqual({
      kind: 'finish',
      finish: { kind: 'done', note: null },
    });
    expect(nextStep({ ...state(turn({ stage: 'tested' })), review: 'person' })).toEqual({
      kind: 'finish',
      finish: { kind: 'review' },
    });
    expect(nextStep({ ...state(turn({})), hasTests: false, review: 'none' })).toEqual({
      kind: 'finish',
      finish: { kind: 'done', note: null },
    });
  });

  it('takes another turn after a failure, until there were enough; interrupted ones do not count', () => {
    const failed = turn({ result: 'tests_failed', failure: 'two tests fail' });
    expect(nextStep(state(failed))).toEqual({ kind: 'work', number: 2 });
    for (const result of ['interrupted', 'attached']) {
      const turns = [failed, turn({ number: 2, result }), turn({ number: 3, result })];
      expect(nextStep(state(...turns))).toEqual({ kind: 'work', number: 4 });
      expect(nextStep(state(turn({ result }), { ...failed, number: 2 }))).toEqual({ kind: 'work', number: 3 });
    }
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
    type: 'custom',
    command: 'run-it',
    args: [],
    prompt_flag: null,
    prompt: '',
    output: '',
    permission_mode: '',
    allowed_tools: [],
    model: '',
    extra_args: [],
    ...more,
  });
  const prompt = { text: 'Do `this`; $(not) "that"', path: '/p/001.prompt.md' };

  it('of the known programs is theirs: claude -p and codex exec read standard input, aider a file', () => {
    expect(invocationOf(worker({ type: 'claude-code', command: 'claude' }), prompt)).toEqual({
      command: 'claude',
      args: [
        ...'-p --output-format stream-json --verbose --permission-mode acceptEdits --allowedTools'.split(' '),
        'Bash(git add:*),Bash(git commit:*)',
      ],
      stdin: prompt.text,
    });
    expect(invocationOf(worker({ type: 'codex', command: 'codex' }), prompt)).toEqual({
      command: 'codex',
      args: ['exec', '--json', '--sandbox', 'workspace-write', '-'],
      stdin: prompt.text,
    });
    expect(invocationOf(worker({ type: 'aider', command: 'aider' }), prompt)).toEqual({
      command: 'aider',
      args: [
        ...'--yes-always --no-pretty --no-stream --no-gitignore --no-check-update --message-file'.split(' '),
        prompt.path,
      ],
      stdin: undefined,
    });
    const codex = worker({ type: 'codex', model: 'gpt-5', extra_args: ['--search'] });
    expect(invocationOf(codex, prompt, 'c1').args.join(' ')).toBe(
      'exec --json --sandbox workspace-write --model gpt-5 --search resume c1 -',
    );
    const others = ['gemini', 'opencode', 'cursor'].map((type) => invocationOf(worker({ type }), prompt, 's1').args);
    expect(others.map((args) => args.join(' '))).toEqual([
      '--output-format stream-json --skip-trust --approval-mode auto_edit --resume s1',
      'run --format json --session s1',
      '-p --output-format stream-json --trust --force --resume s1',
    ]);
    const own = worker({ type: 'claude-code', args: ['-p'], model: 'opus', permission_mode: 'plan' });
    expect(invocationOf(own, prompt).args).toEqual(['-p', '--model', 'opus']);
    expect(formatOf(worker({ type: 'claude-code' }))).toBe('claude-json');
    expect(formatOf(worker({ type: 'claude-code', args: ['-p'] }))).toBe('text');
    expect(formatOf(worker({ type: 'codex', args: ['exec', '--json', '-'] }))).toBe('codex-json');
  });

  it('of a person who attaches continues the session without the flags for unattended work', () => {
    const types = ['claude-code', 'codex', 'gemini', 'opencode', 'cursor', 'aider', 'custom'];
    const commands = types.map((type) =>
      interactiveCommand(worker({ type, args: ['-p'], model: 'm' }), 's1', '/bin/sh'),
    );
    expect(commands.map(({ command, args }) => [command, ...args].join(' '))).toEqual([
      'run-it --permission-mode acceptEdits --allowedTools Bash(git add:*),Bash(git commit:*) --model m --resume s1',
      'run-it --sandbox workspace-write --model m resume s1',
      'run-it --approval-mode auto_edit --model m --resume s1',
      'run-it --model m --session s1',
      'run-it --model m --resume s1',
      'run-it --no-gitignore --no-check-update --restore-chat-history --model m',
      '/bin/sh',
    ]);
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
  const readable = (format: OutputFormat, ...events: readonly (object | string)[]): string => {
    const output = new ReadableOutput(format);
    return events
      .map((event) => output.read(`${typeof event === 'string' ? event : JSON.stringify(event)}\n`))
      .join('');
  };
  const said = (...content: object[]): object => ({ type: 'assistant', message: { content } });

  it('shows messages, tool calls and refusals of Claude Code, and lines that are not JSON, as text', () => {
    const text = readable(
      'claude-json',
      '[2026-01-26T10:30:00Z] Worker: claude-code-1',
      { type: 'system', subtype: 'init', session_id: 'a1' },
      said(
        { type: 'text', text: 'I look first.' },
        { type: 'tool_use', name: 'Read', input: { file_path: 'cart.ts' } },
      ),
      { type: 'user', message: { content: [{ type: 'tool_result', content: 'export …' }] } },
      said({ type: 'text', text: 'Two lines:\nboth shown' }),
      {
        type: 'result',
        result: 'Two lines:\nboth shown',
        permission_denials: [{ tool_name: 'Bash', tool_input: { command: 'curl' } }],
      },
      '{ not JSON',
    );
    expect(text.split('\n')).toEqual([
      '[2026-01-26T10:30:00Z] Worker: claude-code-1',
      'I look first.',
      '→ Read (cart.ts)',
      'Two lines:',
      'both shown',
      '✗ Not permitted: Bash (curl)',
      '{ not JSON',
      '',
    ]);
  });

  it('shows the output of the other agents as text too', () => {
    const item = (more: object): object => ({ type: 'item.completed', item: more });
    expect(
      readable(
        'codex-json',
        { type: 'thread.started', thread_id: 't' },
        item({ type: 'reasoning', text: 'hm' }),
        item({ type: 'command_execution', command: 'npm test', status: 'completed' }),
        item({ type: 'agent_message', text: 'Tests pass' }),
      ),
    ).toBe('→ command_execution (npm test)\nTests pass\n');
    expect(
      readable(
        'gemini-json',
        { type: 'message', role: 'assistant', content: 'Hel', delta: true },
        { type: 'message', role: 'assistant', content: 'lo', delta: true },
        { type: 'tool_use', tool_id: '1', tool_name: 'write_file', parameters: { file_path: 'a' } },
      ),
    ).toBe('Hello\n→ write_file (a)\n');
    expect(
      readable(
        'opencode-json',
        { type: 'text', part: { text: 'Hello' } },
        { type: 'tool_use', part: { tool: 'bash', state: { input: { command: 'ls' } } } },
      ),
    ).toBe('Hello\n→ bash (ls)\n');
    const call = { shellToolCall: { args: { command: 'make' } } };
    expect(readable('claude-json', { type: 'tool_call', subtype: 'started', tool_call: call })).toBe(
      '→ shell (make)\n',
    );
    expect(readable('text', '{"type":"assistant"}')).toBe('{"type":"assistant"}\n');
  });

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
