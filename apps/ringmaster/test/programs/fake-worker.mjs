#!/usr/bin/env node
/**
 * A worker that executes the lines of its prompt, so a test can create any worker it needs:
 *
 * DO say TEXT | warn TEXT | edit FILE TEXT | append FILE TEXT | commit TEXT | git ARGS | remove FILE | sleep MS | hang |
 *    flood MEBIBYTES | fork FILE | escape FILE | ignore-term | exit CODE | kill-self | wait-for FILE | times N VERB … |
 *    record FILE | allocate MEBIBYTES | note-ports FILE
 *
 * `fork` starts a process in the same group that outlives the worker; `escape` starts one in its own session. Both write
 * the pid of the new process to FILE. `times N VERB` runs VERB only in the first N turns. `record` writes the arguments
 * and the standard input of the worker to FILE; `note-ports` writes its range of ports. If no line changes files or
 * asks a question, the worker says at the end that no change was needed. The worker reads its prompt from standard
 * input, or from the file or text after --file, --message-file or --text.
 */
import { execFileSync, spawn } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const args = process.argv.slice(2);
const after = (flag) => (args.includes(flag) ? args[args.indexOf(flag) + 1] : undefined);
const file = after('--file') ?? after('--message-file');
const stdin = file === undefined && after('--text') === undefined ? readFileSync(0, 'utf8') : '';
const prompt = file === undefined ? (after('--text') ?? stdin) : readFileSync(file, 'utf8');
const root = process.env.RINGMASTER_ROOT ?? '.';
const iteration = Number(process.env.RINGMASTER_ITERATION ?? 1);
const print = (descriptor, text) => {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length;) {
    try {
      at += writeSync(descriptor, bytes, at);
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error;
    }
  }
};
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const kept = [];
const lives = 'setInterval(() => {}, 1000)';

const verbs = {
  say: (...words) => print(1, `${words.join(' ')}\n`),
  warn: (...words) => print(2, `${words.join(' ')}\n`),
  edit: (name, ...words) => writeFileSync(name, `${words.join(' ')}\n`),
  append: (name, ...words) => appendFileSync(name, `${words.join(' ')}\n`),
  mark: (name, ...words) => appendFileSync(join(root, name), `${words.join(' ')}\n`),
  commit(...words) {
    execFileSync('git', ['add', '--all']);
    execFileSync('git', ['-c', 'user.name=fake', '-c', 'user.email=fake@localhost', 'commit', '-qm', words.join(' ')]);
  },
  git: (...words) => execFileSync('git', words),
  remove: (name) => rmSync(name),
  sleep: (milliseconds) => pause(Number(milliseconds)),
  hang: () => pause(2 ** 30),
  flood(mebibytes) {
    const piece = 'x'.repeat(1023) + '\n';
    const block = piece.repeat(64);
    for (let n = 0; n < Number(mebibytes) * 16; n++) print(1, block);
  },
  fork(name) {
    const child = spawn(process.execPath, ['-e', lives], { stdio: 'inherit' });
    writeFileSync(join(root, name), String(child.pid));
    child.unref();
  },
  escape(name) {
    const child = spawn(process.execPath, ['-e', lives], { stdio: 'inherit', detached: true });
    writeFileSync(join(root, name), String(child.pid));
    child.unref();
  },
  'ignore-term': () => process.on('SIGTERM', () => print(1, 'SIGTERM is ignored\n')),
  exit: (code) => process.exit(Number(code)),
  'kill-self': () => process.kill(process.pid, 'SIGKILL'),
  async 'wait-for'(name) {
    while (!existsSync(join(root, name))) await pause(10);
  },
  pid: (name) => writeFileSync(join(root, name), String(process.pid)),
  times: (count, verb, ...words) => (iteration <= Number(count) ? verbs[verb](...words) : undefined),
  allocate: (mebibytes) => kept.push(Buffer.alloc(Number(mebibytes) * 2 ** 20, 1)),
  'note-ports'(name) {
    const { RINGMASTER_PORT: first, RINGMASTER_PORT_END: last } = process.env;
    appendFileSync(join(root, name), `${first} ${last}\n`);
  },
  record: (name) => writeFileSync(join(root, name), JSON.stringify({ args, stdin, cwd: process.cwd() })),
};

const changing = new Set(['edit', 'append', 'commit', 'git', 'remove']);
let hasChanged = false;
let hasAsked = false;
for (const line of prompt.split('\n')) {
  const [mark, verb, ...words] = line.split(' ');
  if (mark !== 'DO') continue;
  hasChanged ||= changing.has(verb === 'times' ? words[1] : verb);
  hasAsked ||= words.includes('?') || words.includes('✗');
  await verbs[verb](...words);
}
if (!hasChanged && !hasAsked) print(1, '✓ No change needed: the task asks for none\n');
process.exit(0);
