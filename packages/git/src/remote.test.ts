import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';

import { makeHostileRepository } from '../test/hostile-repository.ts';
import { startHttpsServer, startSshServer, temporaryFolder } from '../test/remote-servers.ts';
import { checkAddress, fetchRemote, locateGit, pushRemote, type RemoteAccess } from './index.ts';
import type { GitLocation } from './locate.ts';

afterEach(() => vi.unstubAllEnvs());

const MEBIBYTE = 1_048_576;

function git(folder: string, args: readonly string[], input?: string | Uint8Array): string {
  const identity = ['-c', 'user.name=Uma', '-c', 'user.email=uma@example.org'];
  return execFileSync('git', [...identity, ...args], { cwd: folder, input, encoding: 'utf8' }).trim();
}

function bare(): string {
  const folder = join(temporaryFolder(), 'notes.git');
  mkdirSync(folder);
  git(folder, ['init', '-q', '--bare', '-b', 'main']);
  return folder;
}

function repository(): { readonly folder: string; readonly location: GitLocation; readonly head: string } {
  const folder = temporaryFolder();
  git(folder, ['init', '-q', '-b', 'main']);
  writeFileSync(join(folder, 'a.md'), 'a\n');
  git(folder, ['add', '.']);
  git(folder, ['commit', '-qm', 'one']);
  return { folder, location: locateGit(folder)!, head: git(folder, ['rev-parse', 'HEAD']) };
}

function accessTo(url: string, more: Partial<RemoteAccess> = {}): RemoteAccess {
  return { url, branch: 'main', allowsPath: true, bytesMax: 64 * MEBIBYTE, ...more };
}

const accepted = async (): Promise<void> => undefined;

async function fetchInto(location: GitLocation, access: RemoteAccess): Promise<string | undefined> {
  return (await fetchRemote({ location, objectFormat: 'sha1', access, have: [], check: accepted })).tip;
}

/** Puts a commit with this tree into a bare repository, as a hostile server would. */
function plantTree(remote: string, tree: Uint8Array): void {
  const args = ['hash-object', '-t', 'tree', '-w', '--stdin', '--literally'];
  const oid = git(remote, args, tree);
  git(remote, ['update-ref', 'refs/heads/main', git(remote, ['commit-tree', '-m', 'x', oid])]);
}

function treeOf(remote: string, entries: readonly (readonly [mode: string, name: string, oid?: string])[]): Buffer {
  const blob = git(remote, ['hash-object', '-w', '--stdin'], 'x');
  return Buffer.concat(
    entries.map(([mode, name, oid = blob]) =>
      Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(oid, 'hex')]),
    ),
  );
}

describe('addresses', () => {
  it.each([
    'https://example.org/me/notes.git',
    'https://ann@example.org:8443/notes',
    'ssh://git@example.org:22/me/notes.git',
    'git@example.org:me/notes.git',
    'host:notes',
  ])('%s is accepted', (url) => {
    expect(checkAddress(url, false).url).toBe(url);
  });

  it.each([
    'http://example.org/notes.git',
    'git://example.org/notes.git',
    'ext::sh -c true',
    'ext::sh',
    'fd::17',
    'file:///tmp/x',
    'https://ann:secret@example.org/notes.git',
    'https://exa mple.org/x',
    'ssh://-oProxyCommand=true/x',
    '-oProxyCommand=true:x',
    'git@-host:x',
    'ssh://user@host',
    '--upload-pack=true',
    '../notes.git',
    '/tmp',
    'git@host:a b',
    '',
  ])('%j is refused, and the message does not repeat it', (url) => {
    expect(() => checkAddress(url, true)).toThrow(expect.objectContaining({ code: 'REMOTE_ADDRESS' }));
    const secret = url === '' ? 'secret' : url;
    expect(() => checkAddress(url, true)).not.toThrow(secret);
  });

  it('a path is accepted only if it is allowed', () => {
    const remote = bare();
    expect(() => checkAddress(remote, false)).toThrow('allow explicitly');
    expect(checkAddress(remote, true).protocol).toBe('file');
  });
});

describe('a hostile remote', () => {
  it('on this machine runs none of its settings and hooks, for fetching and pushing', async () => {
    const hostile = makeHostileRepository();
    onTestFinished(hostile.remove);
    const remote = join(temporaryFolder(), 'hostile.git');
    cpSync(join(hostile.folder, '.git'), remote, { recursive: true });
    const { folder, location, head } = repository();
    for (const branch of ['main', 'side']) {
      await fetchInto(location, accessTo(remote, { branch })).catch(() => undefined);
      await pushRemote(location, 'sha1', accessTo(remote, { branch }), head).catch(() => undefined);
    }
    expect(await pushRemote(location, 'sha1', accessTo(remote, { branch: 'new' }), head)).toBe('pushed');
    expect(hostile.ran()).toEqual([]);
    // Shows that the traps work: plain git triggers them.
    writeFileSync(join(folder, 'b.md'), 'b');
    git(folder, ['add', '.']);
    git(folder, ['commit', '-qm', 'two']);
    spawnSync('git', ['push', '-q', remote, 'HEAD:refs/heads/new'], { cwd: folder });
    expect(hostile.ran()).not.toEqual([]);
  });

  it.each([
    ['.git as a folder name', '40000', '.git', true],
    ['.GIT on a system that ignores case', '100644', '.GIT', false],
    ['..', '100644', '..', false],
    ['a slash in a name', '100644', 'a/b', false],
    ['.gitmodules as a link', '120000', '.gitmodules', false],
  ])('with %s is refused, and none of its objects stays', async (_what, mode, name, isTree) => {
    const remote = bare();
    const inner = git(
      remote,
      ['hash-object', '-t', 'tree', '-w', '--stdin', '--literally'],
      treeOf(remote, [['100644', 'x']]),
    );
    plantTree(remote, treeOf(remote, [isTree ? [mode, name, inner] : [mode, name]]));
    const { folder, location } = repository();
    const before = git(folder, ['count-objects', '-v']);
    await expect(fetchInto(location, accessTo(remote))).rejects.toMatchObject({ code: 'REMOTE_REFUSED' });
    expect(git(folder, ['count-objects', '-v'])).toBe(before);
    expect(existsSync(join(folder, '.git', 'holdfast-sync'))).toBe(false);
    expect(git(folder, ['for-each-ref', '--format=%(refname)'])).toBe('refs/heads/main');
  });

  it('that sends too much is refused', async () => {
    const remote = bare();
    const { location, folder } = repository();
    writeFileSync(join(folder, 'big'), Buffer.from(Array.from({ length: 200_000 }, (_, at) => (at * 7919) % 256)));
    git(folder, ['add', '.']);
    git(folder, ['commit', '-qm', 'big']);
    git(folder, ['push', '-q', remote, 'main']);
    const other = repository();
    await expect(fetchInto(other.location, accessTo(remote, { bytesMax: 100 }))).rejects.toThrow('more than 100 bytes');
    expect(await fetchInto(location, accessTo(remote))).toBe(git(folder, ['rev-parse', 'HEAD']));
  });
});

describe('credentials', () => {
  it('a token reaches an https server, but neither arguments nor files', async () => {
    const remote = bare();
    const token = 'hunter2-not-a-real-token';
    const server = await startHttpsServer(join(remote, '..'), token);
    vi.stubEnv('GIT_SSL_CAINFO', server.certificate);
    git(remote, ['config', 'http.receivepack', 'true']);
    const { folder, location, head } = repository();
    const url = `${server.url.replace('//', '//ann@')}/notes.git`;
    await expect(fetchInto(location, accessTo(url))).rejects.toMatchObject({ code: 'REMOTE_UNREACHABLE' });
    const wrong = fetchInto(location, accessTo(url, { token: 'wrong-token' }));
    await expect(wrong).rejects.toMatchObject({ code: 'REMOTE_UNREACHABLE' });
    await expect(wrong).rejects.not.toThrow('wrong-token');
    expect(await pushRemote(location, 'sha1', accessTo(url, { token }), head)).toBe('pushed');
    const other = repository();
    expect(await fetchInto(other.location, accessTo(url, { token }))).toBe(head);
    expect(new Set(server.users)).toEqual(new Set(['ann']));
    for (const place of [folder, other.folder]) {
      expect(spawnSync('grep', ['-r', token, join(place, '.git')], { encoding: 'utf8' }).stdout).toBe('');
    }
  });

  it('a key file and an agent open an ssh server', async () => {
    const remote = bare();
    const { address, keyFile, programs } = await startSshServer();
    vi.stubEnv('PATH', `${programs}:${process.env['PATH'] ?? ''}`);
    vi.stubEnv('SSH_AUTH_SOCK', undefined);
    const { location, head } = repository();
    const url = `${address}${remote}`;
    await expect(pushRemote(location, 'sha1', accessTo(url), head)).rejects.toMatchObject({
      code: 'REMOTE_UNREACHABLE',
    });
    const odd = join(temporaryFolder(), "a key's file; $(touch x)");
    writeFileSync(odd, readFileSync(keyFile), { mode: 0o600 });
    expect(await pushRemote(location, 'sha1', accessTo(url, { keyFile: odd }), head)).toBe('pushed');
    const socket = join(temporaryFolder(), 'agent');
    const started = execFileSync('ssh-agent', ['-s', '-a', socket], { encoding: 'utf8' });
    onTestFinished(() => void process.kill(Number(/PID=(\d+)/.exec(started)![1])));
    execFileSync('ssh-add', ['-q', keyFile], { env: { ...process.env, SSH_AUTH_SOCK: socket } });
    vi.stubEnv('SSH_AUTH_SOCK', socket);
    expect(await fetchInto(repository().location, accessTo(url))).toBe(head);
  });
});

it('a push to a branch that others have moved is rejected, and changes nothing', async () => {
  const remote = bare();
  const one = repository();
  writeFileSync(join(one.folder, 'b.md'), 'b\n');
  git(one.folder, ['add', '.']);
  git(one.folder, ['commit', '-qm', 'other']);
  git(one.folder, ['push', '-q', remote, 'main']);
  const two = repository();
  expect(await pushRemote(two.location, 'sha1', accessTo(remote), two.head)).toBe('rejected');
  expect(git(remote, ['rev-parse', 'main'])).toBe(git(one.folder, ['rev-parse', 'HEAD']));
});

it('a branch that the remote does not have is no error', async () => {
  expect(await fetchInto(repository().location, accessTo(bare()))).toBeUndefined();
});
