import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import { gitIn } from '../../../test/git-notebook.ts';
import { bareRepository, type Machine, openMachine } from '../../../test/two-machines.ts';
import { mergeRemote } from '../../git/merge-remote.ts';
import { notebookPath } from '../../model/path.ts';
import { fileAt } from '../../store/files.ts';
import { openToken } from '../../adapters/sealed-token.ts';
import { setPaused } from '../../store/notebooks.ts';
import { listRemotes } from '../../store/remotes.ts';
import { notebookStatus } from '../notebooks.ts';
import { addRemote, resolveConflict, syncNotebook } from '../remotes.ts';
import { applyMerge } from './apply-merge.ts';
import { tokenPlace } from './sync-remote.ts';

async function twoMachines(): Promise<{ remote: string; one: Machine; two: Machine }> {
  const remote = bareRepository();
  return { remote, one: await openMachine(remote), two: await openMachine(remote) };
}

async function write({ codex, notebook, run }: Machine, path: string, content: string): Promise<void> {
  const row = fileAt(codex.store.reader, notebook.id, path);
  const bytes = Buffer.from(content);
  const request =
    row === undefined
      ? ({ type: 'create', path: notebookPath(path), content: bytes } as const)
      : ({ type: 'update', file: { id: row.id }, content: bytes } as const);
  expect((await run(request)).status).toBe('completed');
}

const clone = (remote: string): string => {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-clone-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  execFileSync('git', ['clone', '-q', remote, folder], { stdio: 'ignore' });
  return folder;
};

/** Runs the first half of a sync: the branch has the merged commit, and the folder does not yet. */
async function mergeOnlyBranch(
  { codex, notebook }: Machine,
  remote: string,
  beforeMerge?: () => Promise<void>,
): Promise<void> {
  gitIn(notebook.path, 'fetch', '-q', remote, 'main:refs/tests/main');
  const theirs = gitIn(notebook.path, 'rev-parse', 'refs/tests/main').trim();
  await codex.git.moveBranch(notebook.id, async (context) => {
    await beforeMerge?.();
    return mergeRemote(context, { remote: 'origin', branch: 'main', theirs });
  });
}

describe('a notebook with a remote', () => {
  it('pushes to an empty repository, and another machine gets everything', async () => {
    const { one, two } = await twoMachines();
    await write(one, 'a/note.md', 'from one\n');
    await one.sync();
    await two.sync();
    expect(two.tree()).toEqual({ 'a/note.md': 'from one\n' });
    const { remotes } = await two.sync();
    expect(remotes).toMatchObject([{ name: 'origin', ahead: 0, behind: 0, problem: null }]);
  });

  it('merges changes of different files and of different lines', async () => {
    const { one, two } = await twoMachines();
    await write(one, 'n.md', 'a\nb\nc\nd\ne\n');
    await one.sync();
    await two.sync();
    await write(one, 'n.md', 'A\nb\nc\nd\ne\n');
    await write(one, 'only-one.md', '1');
    await write(two, 'n.md', 'a\nb\nc\nd\nE\n');
    await write(two, 'only-two.md', '2');
    await one.sync();
    await two.sync();
    await one.sync();
    expect(one.tree()).toEqual({ 'n.md': 'A\nb\nc\nd\nE\n', 'only-one.md': '1', 'only-two.md': '2' });
    expect(two.tree()).toEqual(one.tree());
    // A real merge: the file's history contains the commits from both machines, each once.
    const subjects = gitIn(two.notebook.path, 'log', '--format=%an', '--', 'n.md').trim().split('\n');
    expect(subjects).toHaveLength(4);
    expect(gitIn(one.notebook.path, 'status', '--porcelain')).toBe('');
    expect(gitIn(two.notebook.path, 'status', '--porcelain')).toBe('');
  });

  it('keeps both versions where lines clash, and a person decides', async () => {
    const { one, two } = await twoMachines();
    await write(one, 'n.md', 'base\n');
    await one.sync();
    await two.sync();
    await write(one, 'n.md', 'one\n');
    await write(two, 'n.md', 'two\n');
    await one.sync();
    const { conflicts } = await two.sync();
    expect(conflicts).toMatchObject([{ path: 'n.md', file_id: expect.any(String), copy_id: expect.any(String) }]);
    const copy = conflicts[0]!.copy;
    expect(two.tree()).toEqual({ 'n.md': 'two\n', [copy]: 'one\n' });
    await one.sync();
    expect(one.tree()).toEqual(two.tree());
    expect(await notebookStatus(one.codex, {})).toMatchObject({ conflicts: [{ copy }] });
    await resolveConflict(one.codex, { copy, keep: 'copy' }, { name: 'Ada', via: 'test', face: 'cli' });
    await one.sync();
    await two.sync();
    expect(two.tree()).toEqual({ 'n.md': 'one\n' });
  });

  it.each([
    ['file', { 'n.md': 'two\n' }],
    ['both', { 'n.md': 'two\n', 'n-1.md': 'one\n' }],
  ] as const)('keeps the %s on request', async (keep, expected) => {
    const { one, two } = await twoMachines();
    await write(one, 'n.md', 'one\n');
    await write(two, 'n.md', 'two\n');
    await one.sync();
    const { conflicts } = await two.sync();
    await resolveConflict(two.codex, { copy: conflicts[0]!.copy, keep }, { name: 'Ada', via: 'test', face: 'cli' });
    expect(two.tree()).toEqual(expected);
  });

  it('deletes what the other machine deleted, unless it was changed here', async () => {
    const { one, two } = await twoMachines();
    for (const name of ['gone.md', 'changed.md']) await write(one, name, 'x\n');
    await one.sync();
    await two.sync();
    for (const name of ['gone.md', 'changed.md']) {
      await one.run({ type: 'delete', file: { path: notebookPath(name) } });
    }
    await write(two, 'changed.md', 'y\n');
    await one.sync();
    await two.sync();
    await one.sync();
    expect(two.tree()).toEqual({ 'changed.md': 'y\n' });
    expect(one.tree()).toEqual(two.tree());
  });

  it('merges once more what changes between the merge and the write', async () => {
    const { one, two } = await twoMachines();
    await write(one, 'n.md', 'a\nb\nc\nd\ne\n');
    await one.sync();
    await two.sync();
    await write(one, 'n.md', 'A\nb\nc\nd\ne\n');
    await one.sync();
    const syncing = two.sync();
    // Another program writes at an arbitrary moment during the sync.
    await write(two, 'n.md', 'a\nb\nc\nd\nE\n');
    await syncing;
    await two.sync();
    await one.sync();
    expect(one.tree()).toEqual(two.tree());
    const all = Object.values(two.tree()).join('');
    expect(all).toContain('A\n');
    expect(all).toContain('E\n');
  });

  it('merges a file that changes after the branch has moved and before the file is written', async () => {
    const { remote, one, two } = await twoMachines();
    for (const name of ['lines.md', 'clash.md']) await write(one, name, 'a\nb\nc\nd\ne\n');
    await one.sync();
    await two.sync();
    for (const name of ['lines.md', 'clash.md']) await write(one, name, 'A\nb\nc\nd\ne\n');
    await one.sync();
    const { codex, notebook } = two;
    await mergeOnlyBranch(two, remote);
    await write(two, 'lines.md', 'a\nb\nc\nd\nE\n');
    await write(two, 'clash.md', 'X\nb\nc\nd\ne\n');
    await applyMerge(codex, notebook);
    const { [Object.keys(two.tree()).find((path) => path.startsWith('clash.conflict-')) ?? '']: copy, ...rest } =
      two.tree();
    expect(rest).toEqual({ 'lines.md': 'A\nb\nc\nd\nE\n', 'clash.md': 'X\nb\nc\nd\ne\n' });
    expect(copy).toBe('A\nb\nc\nd\ne\n');
  });

  it.each([['before'], ['after']])(
    'commits files that are moved %s the branch has moved as they are in the folder',
    async (when) => {
      const { remote, one, two } = await twoMachines();
      for (const name of ['edited.md', 'renamed.md', 'folder/a.md']) await write(one, name, `${name}\n`);
      await one.sync();
      await two.sync();
      await write(one, 'edited.md', 'edited by one\n');
      await write(one, 'folder/new.md', 'new\n');
      await one.run({ type: 'move', file: { path: notebookPath('renamed.md') }, dest_path: notebookPath('by-one.md') });
      await one.sync();
      const { codex, notebook, run } = two;
      const moveAll = async (): Promise<void> => {
        for (const name of ['edited.md', 'renamed.md']) {
          await run({ type: 'move', file: { path: notebookPath(name) }, dest_path: notebookPath(`moved/${name}`) });
        }
        for (const at of ['', '-1']) {
          const dest_path = notebookPath(`folder${at}-1`);
          await run({ type: 'move_folder', path: notebookPath(`folder${at}`), dest_path });
        }
      };
      await mergeOnlyBranch(two, remote, when === 'before' ? moveAll : undefined);
      if (when === 'after') await moveAll();
      await codex.git.flush(notebook.id);
      await applyMerge(codex, notebook);
      await two.sync();
      await one.sync();
      expect(two.tree()).toEqual({
        'by-one.md': 'renamed.md\n',
        'edited.md': 'edited by one\n',
        'folder/new.md': 'new\n',
        'folder-1-1/a.md': 'folder/a.md\n',
        'moved/edited.md': 'edited.md\n',
        'moved/renamed.md': 'renamed.md\n',
      });
      expect(gitIn(notebook.path, 'status', '--porcelain')).toBe('');
      expect(one.tree()).toEqual(two.tree());
    },
  );

  it('updates the index later if another program holds its lock during the merge', async () => {
    const { remote, one, two } = await twoMachines();
    await write(one, 'n.md', 'a\n');
    await one.sync();
    await two.sync();
    await write(one, 'n.md', 'b\n');
    await one.sync();
    const lock = join(two.notebook.path, '.git', 'index.lock');
    writeFileSync(lock, '');
    await mergeOnlyBranch(two, remote);
    rmSync(lock);
    await two.sync();
    expect(two.tree()).toEqual({ 'n.md': 'b\n' });
    expect(gitIn(two.notebook.path, 'status', '--porcelain')).toBe('');
  });

  it('does not put links, submodules and impossible names into the folder, and keeps them in the history', async () => {
    const { remote, one, two } = await twoMachines();
    await write(one, 'n.md', 'x\n');
    await one.sync();
    const other = clone(remote);
    symlinkSync('/etc/passwd', join(other, 'link.md'));
    writeFileSync(join(other, 'CON.md'), 'device');
    writeFileSync(join(other, 'fine.md'), 'fine');
    gitIn(other, 'update-index', '--add', '--cacheinfo', `160000,${gitIn(other, 'rev-parse', 'HEAD').trim()},sub`);
    gitIn(other, 'add', 'link.md', 'CON.md', 'fine.md');
    gitIn(other, 'commit', '-qm', 'odd names');
    gitIn(other, 'push', '-q');
    const { remotes } = await two.sync();
    expect(two.tree()).toEqual({ 'n.md': 'x\n', 'fine.md': 'fine' });
    expect(remotes[0]!.skipped.map(({ path }) => path).toSorted()).toEqual(['CON.md', 'link.md', 'sub']);
    await write(two, 'more.md', 'm');
    await two.sync();
    expect(gitIn(remote, 'ls-tree', '--name-only', 'main').trim().split('\n').toSorted()).toEqual(
      ['CON.md', 'fine.md', 'link.md', 'more.md', 'n.md', 'sub'].toSorted(),
    );
  });

  it('refuses a few objects that stand for a billion files', async () => {
    const { remote, one } = await twoMachines();
    await write(one, 'n.md', 'x\n');
    let oid = execFileSync('git', ['hash-object', '-w', '--stdin'], {
      cwd: remote,
      input: 'x',
      encoding: 'utf8',
    }).trim();
    for (let level = 0; level < 9; level += 1) {
      const kind = level === 0 ? '100644 blob' : '040000 tree';
      const input = Array.from({ length: 10 }, (_, at) => `${kind} ${oid}\tf${at}`).join('\n');
      oid = execFileSync('git', ['mktree'], { cwd: remote, input: `${input}\n`, encoding: 'utf8' }).trim();
    }
    gitIn(remote, 'update-ref', 'refs/heads/main', gitIn(remote, 'commit-tree', '-m', 'bomb', oid).trim());
    await expect(one.sync()).rejects.toMatchObject({ code: 'REMOTE_REFUSED' });
    expect(one.tree()).toEqual({ 'n.md': 'x\n' });
  });

  it('stores a token only encrypted, and never shows it', async () => {
    const remote = bareRepository();
    const { codex, notebook } = await openMachine(remote);
    const token = 'hunter2-not-a-real-token';
    const added = await addRemote(codex, { name: 'web', url: 'https://localhost:1/x.git', token });
    expect(JSON.stringify([added, await notebookStatus(codex, {})])).not.toContain(token);
    await expect(syncNotebook(codex, { remote: 'web' })).rejects.toMatchObject({ code: 'REMOTE_UNREACHABLE' });
    const [, row] = listRemotes(codex.store.reader, notebook.id);
    expect(openToken(codex.home, tokenPlace(row!), row!.token!)).toBe(token);
    expect(() => openToken(codex.home, 'another place', row!.token!)).toThrow('cannot be decrypted');
    expect(statSync(join(codex.home, 'keys', 'notebooks.key')).mode & 0o777).toBe(0o600);
    for (const name of readdirSync(codex.home).filter((each) => each.startsWith('codex.db'))) {
      expect(readFileSync(join(codex.home, name)).includes(token)).toBe(false);
    }
  });

  it('refuses names, branches and credentials that do not fit', async () => {
    const { codex } = await openMachine(bareRepository());
    const url = 'https://localhost/x';
    for (const input of [
      { name: 'a b', url },
      { name: 'x', url, branch: '../main' },
      { name: 'x', url: 'git@localhost:x', token: 't' },
      { name: 'x', url, key_file: '/k' },
    ]) {
      await expect(addRemote(codex, input), JSON.stringify(input)).rejects.toMatchObject({ code: 'REMOTE_ADDRESS' });
    }
    await expect(addRemote(codex, { name: 'origin', url })).rejects.toMatchObject({ code: 'REMOTE_EXISTS' });
  });

  it('does not sync while it is paused, or while another branch is checked out', async () => {
    const { one } = await twoMachines();
    await write(one, 'n.md', 'x\n');
    await one.sync();
    gitIn(one.notebook.path, 'checkout', '-qb', 'other');
    await expect(one.sync()).rejects.toMatchObject({ code: 'REMOTE_UNSUITABLE' });
    gitIn(one.notebook.path, 'checkout', '-q', 'main');
    await one.codex.store.write('pause', (tx) => setPaused(tx, one.notebook.id, 'Ada', '2026-01-01T00:00:00Z'));
    await expect(one.sync()).rejects.toThrow('Paused by Ada');
  });

  it('says what is wrong, and leaves nothing behind', async () => {
    const { remote, one } = await twoMachines();
    await write(one, 'n.md', 'x\n');
    rmSync(join(remote, 'objects'), { recursive: true });
    await expect(one.sync()).rejects.toMatchObject({ code: 'REMOTE_ADDRESS' });
    const { remotes } = await notebookStatus(one.codex, {});
    expect(remotes).toMatchObject([{ synced_at: null, problem: { code: 'REMOTE_ADDRESS' } }]);
    expect(() => readFileSync(join(one.notebook.path, '.git', 'holdfast-sync', 'HEAD'))).toThrow('ENOENT');
  });
});
