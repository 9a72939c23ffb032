import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

const holdfast = resolve(import.meta.dirname, '../../../../dist/bin/holdfast');

interface Ran {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface Place {
  readonly home: string;
  readonly folder: string;
  readonly run: (
    args: readonly string[],
    options?: { input?: string | Uint8Array; env?: Record<string, string> },
  ) => Ran;
  /** The data of a successful run with --json. */
  readonly data: (...args: string[]) => unknown;
}

function place(): Place {
  const base = mkdtempSync(join(tmpdir(), 'holdfast-codex-e2e-'));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const home = join(base, 'home');
  mkdirSync(home, { mode: 0o700 });
  const folder = join(base, 'lab');
  const run: Place['run'] = (args, { input = '', env = {} } = {}) => {
    const { status, signal, stdout, stderr } = spawnSync(holdfast, ['notebooks', ...args], {
      env: { ...process.env, HOLDFAST_HOME: home, NO_COLOR: '1', USER: 'ada', ...env },
      encoding: 'utf8',
      input,
      timeout: 90_000,
    });
    return { code: status, signal, stdout, stderr };
  };
  const data: Place['data'] = (...args) => {
    const { code, stdout, stderr } = run([...args, '--json']);
    if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${stderr}`);
    return (JSON.parse(stdout) as { data: unknown }).data;
  };
  return { home, folder, run, data };
}

function git(folder: string, ...args: string[]): string {
  return spawnSync('git', args, { cwd: folder, encoding: 'utf8' }).stdout.trim();
}

describe('holdfast notebooks without a server', () => {
  it('does not send the escape sequences of a note to a terminal, unless they are wanted', () => {
    const { folder, run, data } = place();
    data('add', 'lab', folder);
    run(['write', 'a.md', '--content', 'one\n']);
    run(['write', 'a.md', '--content', 'two \u001b[2J\n']);
    expect(run(['diff', 'a.md']).stdout).toContain(String.raw`+two \x1b[2J`);
    expect(run(['diff', 'a.md', '--raw']).stdout).toContain('+two \u001b[2J\n');
  });

  it('refuses a folder that cannot be written, and one that cannot be created', () => {
    const { home, folder } = place();
    mkdirSync(folder);
    const readOnly = ['--dev-bind', '/', '/', '--ro-bind', folder, folder, '--die-with-parent'];
    for (const path of [folder, join(folder, 'deep', 'new')]) {
      const { status, stderr } = spawnSync('bwrap', [...readOnly, holdfast, 'notebooks', 'add', 'lab', path], {
        env: { ...process.env, HOLDFAST_HOME: home },
        encoding: 'utf8',
      });
      expect([status, stderr]).toEqual([2, expect.stringMatching(/EROFS.*\[NOTEBOOK_FOLDER\].*ReadWritePaths/su)]);
    }
  });

  it('writes, moves, deletes and restores files, and each command leaves the queue empty and git up to date', () => {
    const { folder, run, data } = place();
    expect(data('add', 'lab', folder)).toMatchObject({ id: 1, name: 'lab', path: folder });
    expect(run(['write', 'n/a.md'], { input: 'from standard input\n' })).toMatchObject({ code: 0 });
    expect(run(['write', 'n/a.md', '--content', 'second\n']).code).toBe(0);
    expect(readFileSync(join(folder, 'n/a.md'), 'utf8')).toBe('second\n');
    expect(data('mv', 'n', 'm')).toMatchObject({ status: 'completed', file_count: 1 });
    expect(run(['cat', 'm/a.md']).stdout).toBe('second\n');
    const history = data('history', 'm/a.md') as { sha: string }[];
    expect(history).toHaveLength(3);
    expect(run(['cat', 'm/a.md', '--at', history[2]?.sha ?? '']).stdout).toBe('from standard input\n');
    expect(run(['diff', 'm/a.md', history[1]?.sha ?? '']).stdout).toMatch(/\+second\n$/);
    expect(data('cat', 'm/a.md')).toMatchObject({ path: 'm/a.md', size: 7, encoding: 'utf8', content: 'second\n' });
    expect(run(['write', 'picture.png'], { input: Uint8Array.of(0xef, 0xbb, 0xbf, 0xff, 0x00) }).code).toBe(0);
    expect([...readFileSync(join(folder, 'picture.png'))]).toEqual([0xef, 0xbb, 0xbf, 0xff, 0x00]);
    expect(data('cat', 'picture.png')).toMatchObject({ encoding: 'base64', content: '77u//wA=' });
    expect(data('diff', 'm/a.md')).toMatchObject({ diff: expect.stringContaining('rename from n/a.md') as string });
    expect(data('rm', 'picture.png')).toMatchObject({ status: 'completed' });
    expect(data('restore', 'm/a.md', history[2]?.sha ?? '')).toMatchObject({ status: 'completed' });
    expect(run(['cat', 'm/a.md']).stdout).toBe('from standard input\n');
    expect(run(['rm', 'm']).stdout).toContain('holdfast notebooks undelete');
    expect(existsSync(join(folder, 'm'))).toBe(false);
    expect(run(['undelete', '--to', 'o']).code).toBe(0);
    expect(data('mv', 'o', 'm')).toMatchObject({ status: 'completed' });
    expect(data('ls')).toMatchObject([{ path: 'm/a.md', git_tracked: true }]);
    expect(data('status')).toMatchObject({ pending: 0, processing: 0, notebooks: [{ git_pending: 0 }] });
    expect(data('commit')).toMatchObject({ commit_sha: git(folder, 'rev-parse', 'HEAD') });
    expect(git(folder, 'status', '--porcelain')).toBe('');
    expect(git(folder, 'log', '-1', '--format=%an')).toBe('ada');
  });

  it('takes over what others did in the folder', () => {
    const { folder, run, data } = place();
    mkdirSync(folder);
    writeFileSync(join(folder, 'old.md'), 'was here before');
    writeFileSync(join(folder, 'why?.md'), 'named by hand');
    data('add', 'lab', folder);
    expect(data('reconcile')).toMatchObject({ seen: 2, queued: 2 });
    expect(run(['cat', 'old.md']).stdout).toBe('was here before');
    expect(git(folder, 'show', 'HEAD:old.md')).toBe('was here before');
    expect(run(['cat', 'why?.md']).stdout).toBe('named by hand');
    expect(data('mv', 'why?.md', 'why.md')).toMatchObject({ status: 'completed' });
    writeFileSync(join(folder, 'new?.md'), 'put there meanwhile');
    expect(run(['cat', 'new?.md']).stdout).toBe('put there meanwhile');
    writeFileSync(join(folder, 'later.md'), 'and another');
    expect(data('write', 'later.md', '--content', 'replaced')).toMatchObject({ status: 'completed' });
    expect(git(folder, 'log', '--format=%s', '--', 'later.md').split('\n')).toHaveLength(2);
    expect(data('history', 'why?.md')).not.toEqual([]);
  });

  it('finds and lists the files of a folder right after it was added', () => {
    const { folder, run, data } = place();
    mkdirSync(folder);
    writeFileSync(join(folder, 'a.md'), 'Cold water.\n');
    data('add', 'lab', folder);
    expect(run(['search', 'water']).stdout).toContain('a.md');
    data('add', 'other', join(folder, '../other'));
    writeFileSync(join(folder, '../other/b.md'), 'Warm water.\n');
    expect(data('ls', '--notebook', 'other')).toMatchObject([{ path: 'b.md' }]);
  });

  it('sets properties, finds notes by them and by words, counts tags, and makes the index again', () => {
    const { folder, run, data } = place();
    mkdirSync(folder);
    writeFileSync(join(folder, 'a.md'), 'Water boils. #lab\n');
    data('add', 'lab', folder);
    data('reconcile');
    expect(data('set', 'a.md', 'status=done', 'count=3', 'tags=["x"]', 'absent=')).toMatchObject({
      status: 'completed',
    });
    expect(readFileSync(join(folder, 'a.md'), 'utf8')).toBe(
      '---\nstatus: done\ncount: 3\ntags:\n  - x\n---\nWater boils. #lab\n',
    );
    expect(data('search', 'wat', 'boil', '--tag', 'x')).toMatchObject([{ notebook: 'lab', file: { path: 'a.md' } }]);
    expect(run(['search', 'status:done']).stdout).toContain('a.md');
    expect(data('search', '--property', 'count:4')).toEqual([]);
    expect(data('tags')).toEqual([
      { tag: 'lab', count: 1 },
      { tag: 'x', count: 1 },
    ]);
    expect(data('reindex', 'lab')).toEqual({ files: 1, indexed: 1 });
    expect(run(['set', 'a.md', 'nothing']).code).toBe(2);
  });

  it('says what is wrong with exit codes that mean something', () => {
    const { folder, run, data } = place();
    expect(run(['ls'])).toMatchObject({ code: 3 });
    data('add', 'lab', folder);
    expect(run(['write', '../x', '--content', 'x']).code).toBe(2);
    expect(run(['write', 'x', '--from', '/nonexistent'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('/nonexistent') as string,
    });
    for (const command of ['cat', 'ls', 'history', 'diff']) expect(run([command, 'missing']).code).toBe(3);
    expect(run(['ls']).stdout).toBe('No files.\n');
    run(['write', 'a.md', '--content', 'x']);
    const exists = run(['write', 'a.md', '--new', '--content', 'y', '--json']);
    expect(exists.code).toBe(4);
    expect(JSON.parse(exists.stderr)).toMatchObject({ error: { code: 'FILE_EXISTS' } });
    expect(data('events', '--status', 'failed')).toMatchObject([{ error_code: 'FILE_EXISTS' }]);
    expect(run(['events']).stdout).toMatch(
      /^ID +QUEUED +STATUS +OPERATION\n 2 .* failed +create a\.md: a\.md already exists\n/u,
    );
    expect(run(['events', 'retry', '2']).stderr).toContain('[FILE_EXISTS]');
    expect(run(['ls', 'a.md']).stdout).toContain('a.md');
    expect(data('events', 'discard', '2')).toMatchObject({ status: 'discarded' });
    expect(run(['events', 'retry', '2']).code).toBe(4);
    writeFileSync(join(folder, 'a.md'), 'by hand');
    expect(run(['write', 'a.md', '--content', 'x']).stdout).toContain('a.conflict-3.md');
    expect(run(['remove', 'lab']).code).toBe(0);
    expect(readFileSync(join(folder, 'a.md'), 'utf8')).toBe('x');
  });

  it('says why something is not committed, and who git says the author is when nobody else does', () => {
    const { folder, run, data } = place();
    data('add', 'lab', folder);
    data('add', 'other', `${folder}-other`);
    git(folder, 'config', 'user.name', 'Uma');
    git(folder, 'config', 'user.email', 'uma@example.org');
    const nobody = { USER: '', LOGNAME: '', GIT_AUTHOR_NAME: '' };
    expect(run(['write', 'a.md', '--content', 'x', '-n', 'lab'], { env: nobody }).code).toBe(0);
    expect(git(folder, 'log', '-1', '--format=%an <%ae>')).toBe('Uma <uma@example.org>');
    git(folder, 'checkout', '-q', '--detach');
    expect(run(['write', 'a.md', '--content', 'y', '-n', 'lab']).code).toBe(0);
    expect(run(['status', '-n', 'lab']).stdout).toContain('lab: nothing is committed: ');
    expect(run(['ls']).stderr).toContain('Several notebooks exist: lab, other');
    expect(run(['add', 'third', join(folder, 'new/inner')]).code).toBe(4);
    expect(existsSync(join(folder, 'new'))).toBe(false);
    expect(run(['add', 'third', join(folder, 'a.md')]).stderr).toContain('a.md is not a folder');
    expect(data('status', '-n', 'other')).toMatchObject({
      notebooks: [{ name: 'other', git_problem: null, held: [], problems: [] }],
    });
    renameSync(`${folder}-other`, `${folder}-away`);
    expect(run(['status', '-n', 'other']).stdout).toMatch(/^other: folder: The files .*\(NOTEBOOK_AWAY\)$/mu);
  });

  it('finishes what a command that was killed has left', () => {
    const { folder, run, data } = place();
    data('add', 'lab', folder);
    run(['write', 'd/a.md', '--content', 'x']);
    const killed = run(['mv', 'd', 'e'], { env: { HOLDFAST_FAILPOINT: 'codex.move.renamed:1' } });
    expect(killed.signal).toBe('SIGKILL');
    expect(run(['write', 'other.md', '--content', 'y']).code).toBe(0);
    expect(data('ls')).toMatchObject([{ path: 'e/a.md' }, { path: 'other.md' }]);
    expect(data('events')).toMatchObject([{ status: 'completed' }, { status: 'completed' }, { status: 'completed' }]);
  });
});

interface Server {
  readonly child: ChildProcess;
  readonly url: string;
  readonly ended: Promise<number | null>;
  /** Everything written to standard error so far. */
  readonly log: () => string;
}

async function serve(home: string): Promise<Server> {
  const child = spawn(holdfast, ['serve', '--port', '0', '--json'], {
    env: {
      ...process.env,
      HOLDFAST_HOME: home,
      HOLDFAST_CODEX_GIT_QUIET_INTERVAL: '60',
      HOLDFAST_CODEX_GIT_COMMIT_INTERVAL: '60',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (log += chunk));
  const ended = new Promise<number | null>((done) => {
    child.on('close', done);
  });
  const line = await new Promise<string>((done) => {
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      if (text.includes('\n')) done(text.split('\n')[0] ?? '');
    });
  });
  return { child, ended, log: () => log, url: (JSON.parse(line) as { url: string }).url };
}

describe('holdfast notebooks beside a server', () => {
  it('leaves the work to it; the server notices changes by hand, and commits when it is stopped', async () => {
    const { home, folder, data } = place();
    data('add', 'lab', folder);
    const { child, url, ended, log } = await serve(home);
    const created = spawnSync(holdfast, ['token', 'create', '--name', 't', '--json'], {
      env: { ...process.env, HOLDFAST_HOME: home },
      encoding: 'utf8',
    });
    const { secret: token } = (JSON.parse(created.stdout) as { data: { secret: string } }).data;
    const ask = async (path: string, method = 'GET', body?: unknown): Promise<Response> =>
      fetch(`${url}/api/codex${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    const sent = await ask('/notebooks/1/files?sync=true', 'POST', { path: 'api.md', content: 'over HTTP' });
    expect(sent.status).toBe(201);
    // The first of these writers creates the file, and the others replace it.
    const writers = ['a', 'b', 'c'].map((content) => {
      const env = { ...process.env, HOLDFAST_HOME: home };
      const writer = spawn(holdfast, ['codex', 'write', 'cli.md', '--content', content], { env, stdio: 'ignore' });
      return new Promise((done) => {
        writer.on('close', done);
      });
    });
    expect(await Promise.all(writers)).toEqual([0, 0, 0]);
    expect(data('status')).toMatchObject({ dead: 0 });
    writeFileSync(join(folder, 'hand.md'), 'by hand');
    const deadline = Date.now() + 60_000;
    let paths: string[] = [];
    while (!paths.includes('hand.md') && Date.now() < deadline) {
      const { data: files } = (await (await ask('/notebooks/1/files')).json()) as { data: { path: string }[] };
      paths = files.map(({ path }) => path);
      await new Promise((wake) => setTimeout(wake, 50));
    }
    expect(paths).toEqual(['api.md', 'cli.md', 'hand.md']);
    // A problem is logged once, and every command can show it.
    const problems = (): unknown => (data('status') as { notebooks: { problems: unknown }[] }).notebooks[0]?.problems;
    renameSync(folder, `${folder}-away`);
    await expect.poll(() => log(), { timeout: 60_000 }).toContain('NOTEBOOK_AWAY');
    await expect.poll(problems, { timeout: 60_000 }).toMatchObject([{ source: 'watching', code: 'NOTEBOOK_AWAY' }]);
    renameSync(`${folder}-away`, folder);
    await expect.poll(problems, { timeout: 60_000 }).toEqual([]);
    const lines = log()
      .split('\n')
      // git may report the same problem, so only the watcher's lines count.
      .filter((line) => line.includes('NOTEBOOK_AWAY') && line.includes('"watching"'));
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { level: 'warn', app: 'codex', notebook: 'lab', part: 'watching', err: { code: 'NOTEBOOK_AWAY' } },
    ]);
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    expect(git(folder, 'ls-tree', '--name-only', 'HEAD').split('\n')).toEqual(['api.md', 'cli.md', 'hand.md']);
    expect(git(folder, 'status', '--porcelain')).toBe('');
  });
});
