#!/usr/bin/env node
/**
 * Behaves like Claude Code in print mode, as documented: reads the prompt from standard input and prints stream-json.
 * If it may not edit, it exits with code 0 and reports `permission_denials`. Without -p, it is interactive: it executes
 * the lines "write FILE TEXT" and "exit" that are typed in its terminal.
 *
 * Lines of the prompt: EDIT FILE TEXT | RUN COMMAND | SHELL COMMAND (without asking for permission) | ASK |
 * SPEND USD (cost of the turn; default 0.02) | THINK TOKENS (prints a message that used this many tokens) | HANG |
 * HOLD (hangs in the first turn of a session).
 * `agent.state` in RINGMASTER_ROOT makes it fail: the text is the error that it reports.
 * Each start adds a line to `agent.starts` there.
 */
import { execSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const args = process.argv.slice(2);
const after = (flag) => (args.includes(flag) ? args[args.indexOf(flag) + 1] : undefined);
const root = process.env.RINGMASTER_ROOT ?? '.';
const isInteractive = !args.includes('-p') && process.stdin.isTTY;
const prompt = isInteractive ? '' : readFileSync(0, 'utf8');
const session_id = after('--resume') ?? randomUUID();
const emit = (event) => console.log(JSON.stringify({ ...event, session_id }));
const { RINGMASTER_TASK: task, RINGMASTER_MODEL: model } = process.env;
const start = { task, model, args, session_id, cwd: process.cwd(), pid: process.pid, isInteractive };
appendFileSync(join(root, 'agent.starts'), `${JSON.stringify(start)}\n`);
if (isInteractive) {
  console.log(`interactive session ${after('--resume') === undefined ? 'new' : 'resumed'}`);
  for await (const line of createInterface({ input: process.stdin })) {
    const [verb, file, ...words] = line.split(' ');
    if (verb === 'exit') process.exit(0);
    if (verb === 'write') writeFileSync(file, `${words.join(' ')}\n`);
    console.log(`did ${verb}`);
  }
  process.exit(0);
}
emit({ type: 'system', subtype: 'init', cwd: process.cwd() });

const state = existsSync(join(root, 'agent.state')) ? readFileSync(join(root, 'agent.state'), 'utf8').trim() : '';
if (state !== '') {
  emit({ type: 'result', subtype: 'success', is_error: true, result: state });
  process.exit(1);
}

const mode = after('--permission-mode') ?? 'default';
const allowed = (after('--allowedTools') ?? '').split(',');
const permission_denials = [];
let total_cost_usd = 0.02;
const deny = (tool_name, tool_input) =>
  permission_denials.push({ tool_name, tool_use_id: `toolu_${permission_denials.length}`, tool_input });
const edit = (file_path, text) => {
  const content = [{ type: 'tool_use', id: 'toolu_1', name: 'Write', input: { file_path, content: text } }];
  emit({ type: 'assistant', message: { content } });
  if (!['acceptEdits', 'bypassPermissions'].includes(mode)) return deny('Write', { file_path });
  return writeFileSync(file_path, `${text}\n`);
};
const named = /a file named (\S+)/.exec(prompt)?.[1];
if (named !== undefined) edit(named, 'ok');
for (const line of prompt.split('\n')) {
  const [verb, ...words] = line.split(' ');
  const command = words.join(' ');
  if (verb === 'EDIT') edit(words[0], words.slice(1).join(' '));
  if (verb === 'SHELL') execSync(command);
  if (verb === 'SPEND') total_cost_usd = Number(words[0]);
  if (verb === 'THINK') {
    const usage = { input_tokens: 1, cache_read_input_tokens: Number(words[0]) - 2, output_tokens: 1 };
    // The real agent prints a message with several blocks as several events with the same id and usage.
    for (const type of ['thinking', 'text']) {
      emit({ type: 'assistant', message: { id: `msg_${command}`, content: [{ type, text: 'Hm.' }], usage } });
    }
  }
  if (verb === 'HANG') await new Promise((resolve) => setTimeout(resolve, 2 ** 30));
  if (verb === 'HOLD' && after('--resume') === undefined) await new Promise((done) => setTimeout(done, 2 ** 30));
  if (verb === 'ASK')
    emit({ type: 'assistant', message: { content: [{ type: 'text', text: '? Question: which one?' }] } });
  if (verb !== 'RUN') continue;
  if (mode === 'bypassPermissions' || allowed.includes(`Bash(${command}:*)`)) execSync(command);
  else deny('Bash', { command });
}
const usage = { input_tokens: 3, cache_read_input_tokens: 40, output_tokens: 5 };
const ending = { is_error: false, result: 'I have finished the task.', permission_denials };
emit({ type: 'result', subtype: 'success', ...ending, total_cost_usd, usage });
