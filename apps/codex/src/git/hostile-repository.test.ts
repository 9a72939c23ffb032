import { appendFileSync, cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, describe, expect, it, onTestFinished } from 'vitest';

import { makeHostileRepository } from '../../../../packages/git/test/hostile-repository.ts';
import { gitIn, openGitNotebook, removeFolders, temporaryFolder } from '../../test/git-notebook.ts';
import { isAutoCrlf, keptOutPaths, storeConverted } from '../adapters/git-content.ts';
import { repack } from '../adapters/git-repository.ts';
import { commitView, fileDiff, fileHistory, fileVersion, notebookHistory } from './history.ts';

afterAll(removeFolders);

it('nothing that a repository configures is run when it is opened, read, compared and committed to', async () => {
  const hostile = makeHostileRepository();
  onTestFinished(hostile.remove);
  const notebook = await openGitNotebook({ folder: hostile.folder });
  const opened = await notebook.lanes.repository(notebook.id);
  expect((await notebook.lanes.status(notebook.id)).problem).toBeNull();
  expect(await notebookHistory(opened, { limit: 50 })).toHaveLength(3);
  expect(await fileHistory(opened, 'a.txt', { limit: 50 })).toHaveLength(2);
  expect(await fileDiff(opened, 'a.txt', 'HEAD')).toContain('+main');
  expect(Buffer.from((await fileVersion(opened, 'a.txt', 'HEAD~1')).content).toString()).toBe('one\n');
  expect((await commitView(opened, 'HEAD')).files).toHaveLength(1);
  // The first version of this file is missing, as in a partial clone.
  await fileDiff(opened, 'c.bin', 'HEAD~1').catch(() => undefined);
  await fileVersion(opened, 'c.bin', 'HEAD~2').catch(() => undefined);
  expect(hostile.ran()).toEqual([]);
  await notebook.write('a.txt', 'ours\n');
  await notebook.write('new.txt', 'new\r\n', { external: true });
  await notebook.write('plain.md', 'plain\n');
  await notebook.rename('b.txt', 'd.txt');
  expect(await notebook.flush()).toMatch(/^[0-9a-f]{40}$/);
  await notebook.remove('plain.md');
  expect(await notebook.flush()).toMatch(/^[0-9a-f]{40}$/);
  expect(notebook.pendingCount()).toBe(0);
  expect(await notebookHistory(opened, { limit: 50 })).toHaveLength(5);
  await isAutoCrlf(opened.repository.root);
  await storeConverted(opened.repository, 'a.txt', Buffer.from('x\n'));
  await keptOutPaths(opened.repository, ['a.txt']);
  await repack(opened.repository).catch(() => undefined);
  await notebook.close();
  expect(hostile.ran()).toEqual([]);
});

describe('a link below .git', () => {
  const linked = async (name: string, isFolder: boolean): Promise<{ outside: string; opening: Promise<unknown> }> => {
    const base = temporaryFolder();
    const folder = join(base, 'notebook');
    const outside = join(base, 'outside');
    mkdirSync(folder);
    gitIn(folder, 'init', '-q', '-b', 'main');
    writeFileSync(join(folder, 'a.md'), 'a');
    gitIn(folder, 'add', '.');
    gitIn(folder, 'commit', '-qm', 'first');
    const place = join(folder, '.git', name);
    if (existsSync(place)) cpSync(place, outside, { recursive: true });
    else if (isFolder) mkdirSync(outside);
    else writeFileSync(outside, '');
    rmSync(place, { recursive: true, force: true });
    symlinkSync(outside, place);
    const notebook = await openGitNotebook({ base, folder });
    const opening = notebook.write('b.md', 'b').then(() => notebook.flush());
    onTestFinished(() => notebook.close().catch(() => undefined));
    return { outside, opening };
  };

  it.each(['info/exclude', 'config', 'index', 'HEAD', 'logs/HEAD', 'packed-refs', 'refs/heads/main'])(
    'in place of the file %s is refused, and nothing is written through it',
    async (name) => {
      const { outside, opening } = await linked(name, false);
      const before = readFileSync(outside, 'latin1');
      await expect(opening).rejects.toMatchObject({ code: 'GIT_REPOSITORY_REFUSED' });
      expect(readFileSync(outside, 'latin1')).toBe(before);
    },
  );

  it.each(['info', 'objects', 'objects/pack', 'refs', 'refs/heads', 'logs'])(
    'in place of the folder %s is refused, and nothing is written through it',
    async (name) => {
      const { outside, opening } = await linked(name, true);
      await expect(opening).rejects.toMatchObject({ code: 'GIT_REPOSITORY_REFUSED' });
      if (name === 'info' && existsSync(join(outside, 'exclude'))) {
        expect(readFileSync(join(outside, 'exclude'), 'utf8')).not.toContain('.codex');
      }
    },
  );
});

it('a folder cannot have its files committed into somebody else’s repository', async () => {
  const base = temporaryFolder();
  const [victim, folder] = [join(base, 'victim'), join(base, 'notebook')];
  for (const place of [victim, folder]) mkdirSync(place);
  gitIn(victim, 'init', '-q', '-b', 'main');
  gitIn(victim, 'commit', '-q', '--allow-empty', '-m', 'first');
  writeFileSync(join(folder, '.git'), `gitdir: ${join(victim, '.git')}\n`);
  const notebook = await openGitNotebook({ base, folder });
  await notebook.write('a.md', 'a');
  await expect(notebook.flush()).rejects.toMatchObject({ code: 'GIT_REPOSITORY_REFUSED' });
  expect(gitIn(victim, 'log', '--format=%s').trim()).toBe('first');
  await notebook.close();
});

it('line breaks in the configured name do not become commands for git', async () => {
  const base = temporaryFolder();
  const folder = join(base, 'notebook');
  mkdirSync(folder);
  gitIn(folder, 'init', '-q', '-b', 'main');
  const forged = 'x <x@x> 1 +0000\ncommitter x <x@x> 1 +0000\ndata 0\n\nreset refs/heads/planted\nfrom refs/codex/1\n#';
  gitIn(folder, 'config', 'user.name', forged);
  gitIn(folder, 'config', 'user.email', 'x@x');
  const notebook = await openGitNotebook({ base, folder });
  await notebook.write('a.md', 'a', { external: true });
  expect(await notebook.flush()).toMatch(/^[0-9a-f]{40}$/);
  expect(gitIn(folder, 'for-each-ref', '--format=%(refname)').trim()).toBe('refs/heads/main');
  await notebook.close();
});

it('settings that send the working tree elsewhere are refused', async () => {
  const base = temporaryFolder();
  const folder = join(base, 'notebook');
  mkdirSync(folder);
  gitIn(folder, 'init', '-q', '-b', 'main');
  appendFileSync(join(folder, '.git', 'config'), '[core]\n\tworktree = /\n');
  const notebook = await openGitNotebook({ base, folder });
  await notebook.write('a.md', 'a');
  await expect(notebook.flush()).rejects.toMatchObject({ code: 'GIT_REPOSITORY_REFUSED' });
  await notebook.close();
});

it('a git directory elsewhere, as in `git init --separate-git-dir`, is used', async () => {
  const base = temporaryFolder();
  const folder = join(base, 'notebook');
  mkdirSync(folder);
  gitIn(folder, 'init', '-q', '-b', 'main');
  renameSync(join(folder, '.git'), join(base, 'notes.git'));
  writeFileSync(join(folder, '.git'), 'gitdir: ../notes.git\n');
  const notebook = await openGitNotebook({ base, folder });
  await notebook.write('a.md', 'a');
  expect(await notebook.flush()).toMatch(/^[0-9a-f]{40}$/);
  expect(gitIn(folder, 'status', '--porcelain')).toBe('');
  await notebook.close();
});
