import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { dataOf, failureOf, run } from '../../test/command.ts';
import {
  addTask,
  fakeWorker,
  git,
  isRunning,
  leftInGit,
  leftProcesses,
  makeProject,
  openState,
  pidIn,
  runOnce,
  startRun,
  until,
} from '../../test/running.ts';
import type { Attempt } from '../store/attempts.ts';
import type { Inquiry } from '../store/inquiries.ts';
import type { Task } from '../model/task.ts';

interface Shown {
  readonly task: Task;
  readonly attempts: readonly Attempt[];
  readonly inquiries: readonly Inquiry[];
}
interface Recorded {
  readonly args: readonly string[];
  readonly stdin: string;
  readonly cwd: string;
}
const show = (folder: string, id: string): Shown => dataOf<Shown>(folder, 'task', 'show', id);
const fileOf = (folder: string, id: string, name: string): string =>
  readFileSync(join(folder, '.ringmaster/tasks', id, name), 'utf8');
const resultsOf = (folder: string, id: string): string[] =>
  (JSON.parse(fileOf(folder, id, 'iterations/metadata.json')) as { iterations: { result: string }[] }).iterations.map(
    ({ result }) => result,
  );

describe('a worker that succeeds', () => {
  it('leaves its work on a branch, its files as in the design document, and nothing else', async () => {
    const folder = makeProject();
    const id = addTask(folder, 'Say hello', ['edit hello.txt hello', 'say ✓ Task complete']);
    await runOnce(folder);
    expect(show(folder, id).task).toMatchObject({
      status: 'done',
      prompt_path: `tasks/${id}/iterations/001.prompt.md`,
    });
    expect(leftInGit(folder)).toEqual({ worktrees: 0, branches: [`ringmaster/${id}-a1`] });
    expect(git(folder, 'show', `ringmaster/${id}-a1:hello.txt`)).toBe('hello');
    expect(git(folder, 'status', '--porcelain')).toBe('?? ringmaster.toml');
    expect(fileOf(folder, id, 'output.log')).toMatch(
      /^\[[\dT:-]+Z\] Worker: fake-1\n\[[\dT:-]+Z\] Starting iteration 1\n\n✓ Task complete\n\n\[[\dT:-]+Z\] ✓ Task complete\n\[[\dT:-]+Z\] Duration: \d+m \d\ds\n$/,
    );
    expect(readlinkSync(join(folder, '.ringmaster/tasks', id, 'output.log'))).toBe('iterations/001.log');
    const prompt = fileOf(folder, id, 'prompt.md');
    expect(prompt).toContain('# Task: ');
    expect(prompt).toContain('## Objective\nSay hello\n');
    const context = fileOf(folder, id, 'context.json');
    expect(JSON.parse(context)).toMatchObject({
      task_id: id,
      iteration: 1,
      prompt: { sha256: createHash('sha256').update(prompt).digest('hex') },
    });
    expect(show(folder, id).task.context_hash).toBe(createHash('sha256').update(context).digest('hex'));
    expect(JSON.parse(fileOf(folder, id, 'iterations/metadata.json'))).toMatchObject({
      total_iterations: 1,
      successful_iteration: 1,
      iterations: [{ number: 1, result: 'success' }],
    });
    expect(run(folder, ['logs', id]).stdout).toBe(fileOf(folder, id, 'output.log'));
    expect(run(folder, ['doctor']).code).toBe(0);
    expect(dataOf<{ succeeded: number }[]>(folder, 'worker', 'stats')).toMatchObject([{ succeeded: 1, failed: 0 }]);
    expect(run(folder, ['merge', id]).code).toBe(0);
    expect(readFileSync(join(folder, 'hello.txt'), 'utf8')).toBe('hello\n');
    expect(leftInGit(folder)).toEqual({ worktrees: 0, branches: [] });
    expect(failureOf(folder, 'merge', id)).toBe('3 NOTHING_TO_MERGE');
  });

  it('gets the prompt by standard input, behind a flag, or as a file, as claude, codex and aider want it', async () => {
    const more = [
      { name: 'claude-1', type: 'claude-code' },
      { name: 'codex-1', type: 'codex' },
      { name: 'aider-1', type: 'aider' },
      { name: 'flag-1', type: 'custom', args: 'args = ["--yes"]\nprompt_flag = "--text"\nworking_dir = "deep/down"' },
    ].map(
      ({ name, type, args = '' }) =>
        `[[workers]]\nname = "${name}"\ntype = "${type}"\ncommand = "${fakeWorker}"\ncapabilities = ["${name}"]\n${args}`,
    );
    const folder = makeProject({ more: more.join('\n') });
    mkdirSync(join(folder, 'deep/down'), { recursive: true });
    const names = ['claude-1', 'codex-1', 'aider-1', 'flag-1'];
    const ids = names.map((name) =>
      addTask(folder, `For ${name}; $(touch pwned)`, [`record ${name}.json`], '-c', name),
    );
    await runOnce(folder);
    const recorded = names.map((name, index) => {
      const { args, stdin, cwd } = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as Recorded;
      const below = name === 'flag-1' ? '/deep/down' : '';
      expect(cwd).toBe(realpathSync(join(folder, '.ringmaster/worktrees')) + `/${ids[index]}-a1${below}`);
      const prompt = fileOf(folder, ids[index]!, 'iterations/001.prompt.md');
      const short = (text: string): string =>
        text.replaceAll(prompt, '<prompt>').replace(/^.*\/iterations\/001\.prompt\.md$/, '<prompt.md>');
      return { args: args.map(short), stdin: short(stdin) };
    });
    expect(recorded).toEqual([
      { args: expect.arrayContaining(['-p', '--permission-mode', 'acceptEdits']) as string[], stdin: '<prompt>' },
      { args: ['exec', '--json', '--sandbox', 'workspace-write', '-'], stdin: '<prompt>' },
      { args: expect.arrayContaining(['--yes-always', '--message-file', '<prompt.md>']) as string[], stdin: '' },
      { args: ['--yes', '--text', '<prompt>'], stdin: '' },
    ]);
    expect(ids.map((id) => show(folder, id).task.status)).toEqual(['done', 'done', 'done', 'done']);
    expect(existsSync(join(folder, 'pwned'))).toBe(false);
  });

  it('works in the folder itself where there is no repository, one at a time', async () => {
    const folder = makeProject({ isRepository: false });
    const steps = ['append order.txt begin', 'sleep 100', 'append order.txt end'];
    const ids = ['One', 'Two', 'Three'].map((title) => addTask(folder, title, steps));
    await runOnce(folder);
    expect(readFileSync(join(folder, 'order.txt'), 'utf8')).toBe('begin\nend\n'.repeat(3));
    expect(ids.map((id) => show(folder, id).task.status)).toEqual(['done', 'done', 'done']);
  });
});

describe('a worker that fails', () => {
  it('tries again with the failure in its prompt, then waits, and is a decision in the end', async () => {
    const folder = makeProject({ run: 'max_iterations = 2' });
    const steps = ['warn cannot find the frobnicator', 'append tries.txt try', 'exit 3'];
    const id = addTask(folder, 'Impossible', steps, '--max-attempts', '2');
    await runOnce(folder);
    const { task } = show(folder, id);
    expect(task).toMatchObject({ status: 'ready', failures: 1 });
    expect(Date.parse(task.next_eligible_at!)).toBeGreaterThan(Date.now() + 500_000);
    expect(fileOf(folder, id, 'iterations/002.prompt.md')).toContain(
      '## What failed last time\nThe worker ended with exit code 3\ncannot find the frobnicator\n',
    );
    const state = await openState(folder);
    await state.store.write('the time is over', (tx) => tx.run('UPDATE tasks SET next_eligible_at = NULL'));
    await runOnce(folder);
    expect(show(folder, id).task.status).toBe('failed');
    const { attempts, inquiries } = show(folder, id);
    expect(attempts.map(({ outcome, failure_class }) => [outcome, failure_class])).toEqual([
      ['failed', 'task'],
      ['failed', 'task'],
    ]);
    expect(inquiries).toMatchObject([{ type: 'decision', options: ['try again', 'change the task', 'give it up'] }]);
    // The second attempt continues the first one's work.
    expect(git(folder, 'show', `ringmaster/${id}-a2:tries.txt`).split('\n')).toHaveLength(4);
    expect(leftInGit(folder).worktrees).toBe(0);
  });

  it('by its tests or its review gets another turn, and passes when they pass', async () => {
    const folder = makeProject({
      run: `test_command = ["grep", "-q", "good", "result.txt"]
review = "command"
review_command = ["grep", "-q", "^+fine"]`,
    });
    const id = addTask(folder, 'Be good', ['append result.txt good', 'times 1 edit result.txt bad']);
    const reviewed = addTask(folder, 'Be fine', ['edit result.txt good', 'edit x.txt fine', 'times 1 edit x.txt no']);
    await runOnce(folder);
    expect(resultsOf(folder, id)).toEqual(['tests_failed', 'review_rejected', 'review_rejected']);
    expect(resultsOf(folder, reviewed)).toEqual(['review_rejected', 'success']);
    expect(fileOf(folder, id, 'iterations/001.log')).toContain('Tests: grep -q good result.txt');
    expect(fileOf(folder, id, 'iterations/002.prompt.md')).toContain('The tests fail');
    expect(show(folder, reviewed).task.status).toBe('done');
  });
});

describe('a worker that does not end', () => {
  it('is stopped when it is silent, when it takes too long, and killed when it does not listen', async () => {
    // Each task has only the limit that it is meant to reach, so a slow machine cannot trigger another limit.
    const limits = { silent: 'silence_seconds = 1.5', deaf: 'silence_seconds = 4', endless: 'timeout_seconds = 4' };
    const workers = Object.entries(limits).map(
      ([name, limit]) =>
        `[[workers]]\nname = "${name}"\ntype = "custom"\ncommand = "${fakeWorker}"\ncapabilities = ["${name}"]\n${limit}`,
    );
    const folder = makeProject({ run: 'max_iterations = 1', more: workers.join('\n') });
    const silent = addTask(folder, 'Silent', ['pid silent.pid', 'hang'], '-c', 'silent');
    const deaf = addTask(folder, 'Deaf', ['ignore-term', 'pid deaf.pid', 'say going on', 'hang'], '-c', 'deaf');
    const talk = Array.from({ length: 100 }, () => ['say still here', 'sleep 200']).flat();
    const endless = addTask(folder, 'Endless', ['pid endless.pid', ...talk], '-c', 'endless');
    await runOnce(folder);
    expect([silent, deaf, endless].map((id) => resultsOf(folder, id))).toEqual([['silence'], ['silence'], ['timeout']]);
    expect(fileOf(folder, deaf, 'output.log')).toContain('SIGTERM is ignored');
    for (const name of ['silent.pid', 'deaf.pid', 'endless.pid']) expect(isRunning(pidIn(folder, name)!)).toBe(false);
  });

  it('is cancelled with everything that it started, also what left its process group', async () => {
    const folder = makeProject({ lease_seconds: 3 });
    const id = addTask(folder, 'Cancel me', ['fork child.pid', 'escape away.pid', 'pid worker.pid', 'hang']);
    const running = startRun(folder);
    const pids = await until('all run', () => {
      const found = ['child.pid', 'away.pid', 'worker.pid'].map((name) => pidIn(folder, name));
      return found.every((pid) => pid !== undefined) && found;
    });
    expect(pids.map(isRunning)).toEqual([true, true, true]);
    expect(run(folder, ['cancel', id]).code).toBe(0);
    await until('it is a draft again', () => show(folder, id).task.status === 'draft');
    await until('all are gone', () => !pids.some(isRunning));
    running.child.kill('SIGTERM');
    await running.ended;
    expect(show(folder, id).attempts).toMatchObject([{ outcome: 'released', failure_class: 'cancelled' }]);
    expect(leftInGit(folder)).toEqual({ worktrees: 0, branches: [] });
  });

  it('that leaves processes behind leaves none behind', async () => {
    const folder = makeProject();
    const id = addTask(folder, 'Server in the background', [
      'fork child.pid',
      'escape away.pid',
      'say ✓ Task complete',
    ]);
    await runOnce(folder);
    expect(show(folder, id).task.status).toBe('done');
    expect(['child.pid', 'away.pid'].map((name) => isRunning(pidIn(folder, name)!))).toEqual([false, false]);
  });
});

describe('what a worker prints', () => {
  it('is capped, clean, without secrets, and its end is kept', async () => {
    const folder = makeProject({ run: 'output_cap_kb = 256\nsecret_env = ["CIRCUS_CODE"]' });
    const flood = addTask(folder, 'Flood', ['say first', 'flood 64', 'say the last line', 'say ✓ Task complete']);
    const secrets = addTask(folder, 'Secrets', [
      'say \u001b[31mred\u001b[0m open-sesame-please',
      'say password=hunter2hunter2',
    ]);
    const running = startRun(folder, ['--once'], { CIRCUS_CODE: 'open-sesame-please' });
    expect((await running.ended).code).toBe(0);
    const log = fileOf(folder, flood, 'output.log');
    expect(statSync(join(folder, '.ringmaster/tasks', flood, 'output.log')).size).toBeLessThan(260 * 1024);
    expect(log).toContain('\nfirst\n');
    expect(log).toContain('\nthe last line\n✓ Task complete\n');
    expect(log).toMatch(/of 6\d{7} bytes is left out/);
    expect(show(folder, flood).task.status).toBe('done');
    expect(fileOf(folder, secrets, 'output.log')).toContain('red [redacted CIRCUS_CODE]\npassword=[redacted]\n');
  });

  it('can be followed while it works, across iterations', async () => {
    const folder = makeProject({ run: 'max_iterations = 2' });
    const id = addTask(folder, 'Talk', ['say one', 'wait-for go', 'say two', 'times 1 exit 1']);
    const running = startRun(folder, ['--once']);
    const state = await openState(folder);
    await until('a turn', () => state.store.reader.get('SELECT 1 AS x FROM iterations WHERE pid IS NOT NULL'));
    const { followLog } = await import('../service/logs.ts');
    let seen = '';
    for await (const { text } of followLog(state, { task: id }, AbortSignal.timeout(60_000))) {
      seen += text;
      if (seen.includes('one')) writeFileSync(join(folder, 'go'), '');
    }
    await running.ended;
    expect(seen).toBe(fileOf(folder, id, 'iterations/001.log') + fileOf(folder, id, 'iterations/002.log'));
    expect(run(folder, ['logs', id, '--attempt', '1']).stdout).toBe(seen);
    expect(failureOf(folder, 'logs', id, '--attempt', '9')).toBe('3 LOG_NOT_FOUND');
  });
});

describe('a worker that cannot go on', () => {
  it('asks, and goes on with the answer', async () => {
    const folder = makeProject();
    const id = addTask(folder, 'Paint it', ['append paint.txt coat', 'times 1 say ? Need clarification: red or blue?']);
    await runOnce(folder);
    const { task, inquiries } = show(folder, id);
    expect(task).toMatchObject({ status: 'blocked', blocked_reason: `Waiting for the answer to ${id}-q1` });
    expect(inquiries).toMatchObject([{ type: 'question', title: 'red or blue?', answered_at: null }]);
    expect(run(folder, ['answer', `${id}-q1`, 'green']).code).toBe(0);
    await runOnce(folder);
    expect(show(folder, id).task.status).toBe('done');
    expect(fileOf(folder, id, 'prompt.md')).toContain('## Decisions\n- red or blue?\n  green');
    // Work from before the question was kept.
    expect(git(folder, 'show', `ringmaster/${id}-a2:paint.txt`)).toBe('coat\ncoat');
  });

  it('because of a rate limit is parked until it ends, and nobody is blamed', async () => {
    const folder = makeProject();
    const reset = Math.floor(Date.now() / 1_000) + 3_600;
    const steps = [`times 1 say Claude AI usage limit reached|${reset}`, 'times 1 exit 1'];
    const id = addTask(folder, 'Think hard', steps);
    await runOnce(folder);
    expect(show(folder, id).task).toMatchObject({ status: 'ready', failures: 0 });
    expect(show(folder, id).attempts).toMatchObject([{ outcome: 'failed', failure_class: 'rate_limit' }]);
    const [worker] = dataOf<{ parked_until: string }[]>(folder, 'worker', 'list');
    expect(Date.parse(worker!.parked_until) / 1_000).toBe(reset + 1);
    await runOnce(folder);
    expect(show(folder, id).attempts).toHaveLength(1);
    expect(run(folder, ['resume', 'fake-1']).stdout).toBe('fake-1 is idle\n');
    await runOnce(folder);
    expect(show(folder, id).task.status).toBe('done');
  });

  it('because it is paused begins nothing, one or all, until it is resumed', async () => {
    const folder = makeProject();
    const id = addTask(folder, 'Later', []);
    for (const who of [['fake-1'], []]) {
      expect(run(folder, ['pause', ...who]).code).toBe(0);
      await runOnce(folder);
      expect(show(folder, id).task.status).toBe('ready');
      expect(run(folder, ['resume', ...who]).code).toBe(0);
    }
    await runOnce(folder);
    expect(show(folder, id).task.status).toBe('done');
  });
});

describe('the supervisor', () => {
  it('drains when it is told to stop: what is not done in time is given back, and its work kept', async () => {
    const folder = makeProject();
    const id = addTask(folder, 'Long', ['edit half.txt half', 'pid worker.pid', 'times 1 hang']);
    const running = startRun(folder);
    const pid = await until('it works', () => pidIn(folder, 'worker.pid'));
    running.child.kill('SIGTERM');
    expect(await running.ended).toEqual({ code: 0, signal: null });
    expect(isRunning(pid)).toBe(false);
    expect(leftProcesses(folder)).toEqual([]);
    expect(show(folder, id).task).toMatchObject({ status: 'ready', failures: 0 });
    expect(show(folder, id).attempts).toMatchObject([{ outcome: 'released', failure_class: 'infrastructure' }]);
    expect(git(folder, 'show', `ringmaster/${id}-a1:half.txt`)).toBe('half');
    await runOnce(folder);
    expect(show(folder, id).task.status).toBe('done');
  });

  it('runs so many at once as there are slots, in the order of their rank, and says so as JSON', async () => {
    const folder = makeProject({ run: 'slots = 1' });
    const low = addTask(folder, 'Low', [], '--priority', 'P4');
    const high = addTask(folder, 'High', [], '--priority', 'P0');
    const planned = dataOf<{ task_id: string; command: string[] }[]>(folder, 'run', '--dry-run', '--slots', '2');
    expect(planned.map(({ task_id }) => task_id)).toEqual([high, low]);
    expect(show(folder, high).attempts).toEqual([]);
    const output = await runOnce(folder, '--json');
    const events = output
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { data: { kind: string; task?: string; slot?: number } }).data);
    const begun = events.filter(({ kind }) => kind === 'started' || kind === 'ended');
    expect(begun.map(({ kind, task, slot }) => [kind, task, slot])).toEqual([
      ['started', high, 1],
      ['ended', high, 1],
      ['started', low, 1],
      ['ended', low, 1],
    ]);
    expect(events.at(-1)).toMatchObject({ kind: 'summary', attempts: 2 });
  });

  it('drains the queue with fewer workers than slots, waits for a retry, and lists what is left', async () => {
    const solo = '[[workers]]\nname = "solo"\ntype = "custom"\nmax_concurrent = 1\ncapabilities = ["solo"]';
    const folder = makeProject({
      run: 'max_iterations = 1',
      retrySeconds: 1,
      more: `${solo}\ncommand = "${fakeWorker}"`,
    });
    const ids = [1, 2, 3, 4].map((n) => addTask(folder, `Turn ${n}`, [], '-c', 'solo'));
    const flaky = addTask(folder, 'Flaky', ['times 1 exit 1'], '--max-attempts', '2');
    const running = startRun(folder, ['--once', '--slots', '6']);
    const { code } = await running.ended;
    expect(code, running.output()).toBe(0);
    for (const id of [...ids, flaky]) expect(show(folder, id).task.status).toBe('done');
    const lost = addTask(folder, 'Hopeless', ['exit 3'], '--max-attempts', '1');
    const waiting = addTask(folder, 'Afterwards', [], '--depends-on', lost);
    const second = startRun(folder, ['--once']);
    expect(await second.ended).toMatchObject({ code: 1 });
    expect(second.output()).toMatch(new RegExp(`${waiting} Afterwards: it waits for ${lost}`, 'u'));
  });

  it('refuses a repository that workers could only edit in place', async () => {
    const misspelt = makeProject({ run: 'base = "mian"' });
    const empty = makeProject({ isRepository: false });
    git(empty, 'init', '-q', '-b', 'main');
    const bare = makeProject();
    git(bare, 'init', '-q', '--bare', 'bare.git');
    run(bare, ['project', 'set', 'repository', 'bare.git']);
    for (const folder of [misspelt, empty, bare]) {
      const id = addTask(folder, 'Edit', ['edit a.txt changed']);
      expect(failureOf(folder, 'run', '--once')).toBe('1 FOLDER_NOT_USABLE');
      expect(failureOf(folder, 'run', '--dry-run')).toBe('1 FOLDER_NOT_USABLE');
      expect(show(folder, id).attempts).toEqual([]);
    }
    expect(readFileSync(join(misspelt, 'a.txt'), 'utf8')).toBe('first\n');
  });

  it('tries a failed task again when a person decides so', async () => {
    const folder = makeProject({ run: 'max_iterations = 1' });
    const id = addTask(folder, 'Second chance', ['times 1 exit 1'], '--max-attempts', '1');
    await runOnce(folder);
    expect(show(folder, id).task.status).toBe('failed');
    expect(failureOf(folder, 'answer', `${id}-d1`, 'perhaps')).toBe('2 ANSWER_NOT_OFFERED');
    const { stdout } = run(folder, ['decide', '--list']);
    expect(stdout).toContain(`${id} failed once. What should happen to it?`);
    expect(stdout).toContain('options: try again | change the task | give it up');
    expect(run(folder, ['answer', `${id}-d1`, 'Try again']).code).toBe(0);
    expect(run(folder, ['task', 'show', id]).stdout).toContain('answer: try again (answered by tester)');
    await runOnce(folder);
    expect(show(folder, id).task.status).toBe('done');
  });

  it('merges by itself, waits for a person, or refuses a plain folder, where the settings say so', async () => {
    const merging = makeProject({ run: 'auto_merge = true' });
    const merged = addTask(merging, 'Merge me', ['edit hello.txt hello']);
    await runOnce(merging);
    expect(show(merging, merged).task.status).toBe('done');
    expect(readFileSync(join(merging, 'hello.txt'), 'utf8')).toBe('hello\n');
    expect(leftInGit(merging)).toEqual({ worktrees: 0, branches: [] });
    const reviewing = makeProject({ run: 'review = "person"' });
    const reviewed = addTask(reviewing, 'Look at me', ['edit hello.txt hello']);
    await runOnce(reviewing);
    expect(show(reviewing, reviewed).task.status).toBe('review');
    expect(run(reviewing, ['merge', reviewed]).code).toBe(0);
    expect(show(reviewing, reviewed).task.status).toBe('done');
    const plain = makeProject({ run: 'plain_folder = "refuse"', isRepository: false });
    const refused = addTask(plain, 'Nowhere', ['edit hello.txt hello']);
    await runOnce(plain);
    expect(show(plain, refused).task).toMatchObject({
      status: 'blocked',
      blocked_reason: expect.stringContaining('git'),
    });
  });

  it('touches nothing of a person when a worker breaks its worktree, and finds work on another branch', async () => {
    const folder = makeProject({ run: 'max_iterations = 1' });
    writeFileSync(join(folder, 'a.txt'), 'not committed yet\n');
    const before = git(folder, 'rev-parse', 'HEAD');
    const broken = addTask(folder, 'Break it', ['edit b.txt b', 'remove .git']);
    const elsewhere = addTask(folder, 'Elsewhere', ['git checkout -q -b feature', 'edit c.txt c', 'commit c']);
    await runOnce(folder);
    expect(show(folder, broken).task).toMatchObject({
      status: 'blocked',
      blocked_reason: expect.stringContaining('git'),
    });
    expect(git(folder, 'rev-parse', 'HEAD')).toBe(before);
    expect(git(folder, 'status', '--porcelain')).toBe('M a.txt\n?? ringmaster.toml');
    // Work that cannot be committed is kept too.
    expect(readFileSync(join(folder, '.ringmaster/worktrees', `${broken}-a1`, 'b.txt'), 'utf8')).toBe('b\n');
    expect(show(folder, elsewhere).task.status).toBe('done');
    expect(git(folder, 'show', `ringmaster/${elsewhere}-a1:c.txt`)).toBe('c');
  });

  it('retries a merge that a lock prevents, and asks a person when it stays impossible', async () => {
    const folder = makeProject({ run: 'auto_merge = true' });
    writeFileSync(join(folder, '.git/index.lock'), '');
    const locked = addTask(folder, 'Locked', ['edit locked.txt locked']);
    const running = startRun(folder, ['--once']);
    await until('a merge fails', () => running.output().includes('index.lock'));
    rmSync(join(folder, '.git/index.lock'));
    expect((await running.ended).code, running.output()).toBe(0);
    expect(readFileSync(join(folder, 'locked.txt'), 'utf8')).toBe('locked\n');
    writeFileSync(join(folder, 'mine.txt'), 'of a person\n');
    const overlapping = addTask(folder, 'Overlapping', ['edit mine.txt theirs']);
    const after = addTask(folder, 'Afterwards', [], '--depends-on', overlapping);
    await runOnce(folder);
    expect(show(folder, overlapping)).toMatchObject({
      task: { status: 'blocked' },
      inquiries: [{ type: 'decision', context: expect.stringContaining('mine.txt') as string }],
    });
    expect(show(folder, after).attempts).toEqual([]);
    expect(readFileSync(join(folder, 'mine.txt'), 'utf8')).toBe('of a person\n');
    rmSync(join(folder, 'mine.txt'));
    git(folder, 'checkout', '-q', '--detach');
    expect(run(folder, ['answer', `${overlapping}-d1`, 'try the merge again']).code).toBe(0);
    await runOnce(folder);
    expect(show(folder, overlapping).inquiries.at(-1)?.context).toContain('No branch is checked out');
    git(folder, 'checkout', '-q', 'main');
    expect(run(folder, ['answer', `${overlapping}-d2`, 'try the merge again']).code).toBe(0);
    await runOnce(folder);
    expect(readFileSync(join(folder, 'mine.txt'), 'utf8')).toBe('theirs\n');
    expect(show(folder, after).task.status).toBe('done');
    expect(show(folder, locked).task.status).toBe('done');
  });

  it('turns a conflict into a decision, merges nothing, and does what is decided', async () => {
    const folder = makeProject();
    const id = addTask(folder, 'Second word', ['edit a.txt second']);
    await runOnce(folder);
    writeFileSync(join(folder, 'a.txt'), 'other\n');
    git(folder, 'commit', '-qam', 'other');
    const before = git(folder, 'rev-parse', 'HEAD');
    expect(failureOf(folder, 'merge', id)).toBe('4 MERGE_CONFLICT');
    expect(git(folder, 'rev-parse', 'HEAD')).toBe(before);
    expect(git(folder, 'status', '--porcelain')).toBe('?? ringmaster.toml');
    const { task, inquiries } = show(folder, id);
    expect(task.status).toBe('blocked');
    expect(inquiries).toMatchObject([{ type: 'decision', context: 'Conflicts in: a.txt' }]);
    run(folder, ['answer', inquiries[0]!.task_id, 'do the task again on the current state']);
    expect(show(folder, id).task.status).toBe('ready');
    await runOnce(folder);
    expect(dataOf<{ branch: string }>(folder, 'merge', id).branch).toBe(`ringmaster/${id}-a2`);
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('second\n');
  });

  it('is over when a person merges it by hand, before or after the answer', async () => {
    const folder = makeProject();
    const ids = ['One', 'Two'].map((title) => addTask(folder, title, [`edit ${title}.txt mine`]));
    await runOnce(folder);
    for (const name of ['One.txt', 'Two.txt']) writeFileSync(join(folder, name), 'theirs\n');
    git(folder, 'add', 'One.txt', 'Two.txt');
    git(folder, 'commit', '-qm', 'theirs');
    for (const id of ids) expect(failureOf(folder, 'merge', id)).toBe('4 MERGE_CONFLICT');
    run(folder, ['answer', `${ids[0]}-d1`, 'merge by hand']);
    for (const id of ids) {
      git(folder, 'merge', '-q', '-X', 'ours', '-m', 'by hand', `ringmaster/${id}-a1`);
      expect(run(folder, ['merge', id]).code).toBe(0);
      expect(show(folder, id)).toMatchObject({ task: { status: 'done' }, inquiries: [{ answer: 'merge by hand' }] });
    }
    expect(run(folder, ['inbox']).stdout).toBe('Nothing is waiting for you.\n');
  });

  it('becomes one decision each time, and work that a person dropped reaches neither the branch nor a dependent', async () => {
    const folder = makeProject({ run: 'auto_merge = true' });
    const commit = `git -C ${folder} -c user.name=other -c user.email=other@localhost commit -qam other`;
    const id = addTask(folder, 'Last word', ['edit a.txt mine', 'mark a.txt other', commit]);
    await runOnce(folder);
    run(folder, ['answer', `${id}-d1`, 'do the task again on the current state']);
    await runOnce(folder);
    expect(show(folder, id).inquiries.map(({ answer }) => answer === null)).toEqual([false, true]);
    run(folder, ['answer', `${id}-d2`, 'drop the work']);
    run(folder, ['task', 'done', id]);
    expect(dataOf(folder, 'status')).toMatchObject({ pending_merges: 0, unmerged: 0 });
    run(folder, ['task', 'edit', id, '-d', 'DO say ✓ No change needed: the other word is better']);
    run(folder, ['task', 'ready', id]);
    const after = addTask(folder, 'Afterwards', ['append a.txt after'], '--depends-on', id);
    await runOnce(folder);
    expect([id, after].map((one) => show(folder, one).task.status)).toEqual(['done', 'done']);
    expect(dataOf(folder, 'status')).toMatchObject({ pending_merges: 0, unmerged: 0 });
    expect(failureOf(folder, 'merge', id)).toBe('3 NOTHING_TO_MERGE');
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('first\nother\nother\nafter\n');
  });
});
