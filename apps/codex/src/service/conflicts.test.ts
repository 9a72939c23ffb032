import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it, vi } from 'vitest';

import { openHarness } from '../../test/harness.ts';
import { Tree } from '../adapters/tree.ts';
import { type NotebookPath, notebookPath } from '../model/path.ts';
import { registerNotebook } from './notebooks.ts';

const LONG = 'x'.repeat(10_000);

/** Saves as editors do: a new file replaces the old one. */
function replace(folder: string, text: string): void {
  writeFileSync(join(folder, '.codex', 'theirs'), text);
  renameSync(join(folder, '.codex', 'theirs'), join(folder, 'a.md'));
}

describe('when somebody else was there first', () => {
  it('an update keeps their version beside ours', async () => {
    const { create, run, tree, notebook, codex } = await openHarness();
    const { file_id } = await create('n/a.md', 'one');
    writeFileSync(join(notebook.path, 'n/a.md'), 'theirs');
    const event = await run({ type: 'update', file: { id: file_id ?? '' }, content: Buffer.from(LONG) });
    const copy = `n/a.conflict-${event.id}.md`;
    expect(tree()).toEqual({ 'n/a.md': LONG, [copy]: 'theirs' });
    expect(JSON.parse(event.result ?? '{}')).toMatchObject({ conflict_path: copy });
    expect(codex.store.reader.all('SELECT path FROM files ORDER BY path')).toEqual([
      { path: copy },
      { path: 'n/a.md' },
    ]);
  });

  it('an update keeps their version also when it comes while ours is being written', async () => {
    const { create, run, tree, notebook } = await openHarness();
    const { file_id } = await create('a.md', 'one');
    const makeFolders = vi.spyOn(Tree.prototype, 'makeFolders').mockImplementationOnce(function (this: Tree, path) {
      makeFolders.mockRestore();
      this.makeFolders(path);
      replace(notebook.path, 'theirs');
    });
    const event = await run({ type: 'update', file: { id: file_id ?? '' }, content: Buffer.from('ours') });
    expect(tree()).toEqual({ 'a.md': 'ours', [`a.conflict-${event.id}.md`]: 'theirs' });
  });

  it('an update keeps every version of theirs that it meets, also the one that came after an interruption', async () => {
    const settings = { retry_backoff: 0.01, retry_backoff_max: 0.01 };
    const { create, run, tree, notebook } = await openHarness({ settings });
    const { file_id } = await create('a.md', 'one');
    replace(notebook.path, 'first');
    const rename = vi.spyOn(Tree.prototype, 'rename').mockImplementationOnce(() => {
      rename.mockRestore();
      replace(notebook.path, 'second');
      throw Object.assign(new Error('busy'), { code: 'EBUSY' });
    });
    await run({ type: 'update', file: { id: file_id ?? '' }, content: Buffer.from('ours') });
    expect(Object.values(tree()).toSorted()).toEqual(['first', 'ours', 'second']);
  });

  it('a version that replaces ours at once is not taken for ours', async () => {
    const { create, run, tree, notebook } = await openHarness();
    const { file_id } = await create('a.md', 'one');
    const file = { id: file_id ?? '' };
    const rename = vi.spyOn(Tree.prototype, 'rename').mockImplementationOnce(function (this: Tree, from, to) {
      rename.mockRestore();
      this.rename(from, to);
      replace(notebook.path, 'theirs');
    });
    const { content_hash } = await run({ type: 'update', file, content: Buffer.from('ours') });
    const next = await run({ type: 'update', file, content: Buffer.from('two'), base_hash: content_hash ?? '' });
    expect(next).toMatchObject({ status: 'failed', error_code: 'FILE_CHANGED' });
    expect(tree()).toEqual({ 'a.md': 'theirs' });
  });

  it('an update that was made for a version is refused, and nothing changes', async () => {
    const { create, run, tree, notebook } = await openHarness();
    const { file_id, content_hash } = await create('a.md', 'one');
    writeFileSync(join(notebook.path, 'a.md'), 'theirs');
    const file = { id: file_id ?? '' };
    const event = await run({ type: 'update', file, content: Buffer.from('ours'), base_hash: content_hash ?? '' });
    expect(event).toMatchObject({ status: 'failed', error_code: 'FILE_CHANGED', retry_count: 0 });
    expect(await run({ type: 'delete', file, base_hash: content_hash ?? '' })).toMatchObject({
      error_code: 'FILE_CHANGED',
    });
    expect(tree()).toEqual({ 'a.md': 'theirs' });
  });

  it('an update of a file that they deleted writes it again', async () => {
    const { create, run, tree, notebook } = await openHarness();
    const { file_id } = await create('d/a.md', 'one');
    rmSync(join(notebook.path, 'd'), { recursive: true });
    await run({ type: 'update', file: { id: file_id ?? '' }, content: Buffer.from('two') });
    expect(tree()).toEqual({ 'd/a.md': 'two' });
  });

  it('a create does not overwrite, and takes over what is the same already', async () => {
    const { create, tree, notebook } = await openHarness();
    writeFileSync(join(notebook.path, 'a.md'), 'theirs');
    writeFileSync(join(notebook.path, 'b.md'), 'same');
    expect(await create('a.md', 'ours')).toMatchObject({ status: 'failed', error_code: 'FILE_EXISTS' });
    expect(await create('b.md', 'same')).toMatchObject({ status: 'completed' });
    expect(tree()).toEqual({ 'a.md': 'theirs', 'b.md': 'same' });
  });

  it('a move overwrites neither files nor empty folders', async () => {
    const { create, run, tree, notebook } = await openHarness();
    await create('a.md', 'a');
    await create('d/x.md', 'x');
    writeFileSync(join(notebook.path, 'unknown.md'), 'theirs');
    mkdirSync(join(notebook.path, 'empty'));
    const file = { path: notebookPath('a.md') };
    for (const dest of ['unknown.md', 'd/x.md', 'd', 'empty']) {
      const event = await run({ type: 'move', file, dest_path: notebookPath(dest) });
      expect(event).toMatchObject({ status: 'failed', error_code: 'FILE_EXISTS' });
    }
    const onto = { type: 'move_folder', path: notebookPath('d'), dest_path: notebookPath('empty') } as const;
    expect(await run(onto)).toMatchObject({ error_code: 'FILE_EXISTS' });
    expect(tree()).toEqual({ 'a.md': 'a', 'd/x.md': 'x', 'unknown.md': 'theirs' });
  });

  it('a move takes along what they wrote, however alike it looks, and the index learns of it', async () => {
    const { create, run, notebook, codex } = await openHarness();
    const { file_id } = await create('a.md', 'one');
    writeFileSync(join(notebook.path, 'a.md'), 'two');
    await run({ type: 'move', file: { id: file_id ?? '' }, dest_path: notebookPath('b.md') });
    await codex.reconcile(notebook, 60_000);
    const hash = createHash('sha256').update('two').digest('hex');
    expect(codex.store.reader.all('SELECT id, path, hash FROM files')).toEqual([{ id: file_id, path: 'b.md', hash }]);
  });

  it('a delete keeps whatever is there, known or not, and gives it back', async () => {
    const { create, run, tree, notebook } = await openHarness();
    await create('d/a.md', 'known');
    writeFileSync(join(notebook.path, 'd/untracked.bin'), 'unknown');
    const gone = await run({ type: 'delete_folder', path: notebookPath('d') });
    expect(tree()).toEqual({});
    await run({ type: 'undo_delete', event_id: gone.id });
    expect(tree()).toEqual({ 'd/a.md': 'known', 'd/untracked.bin': 'unknown' });
  });

  it('what comes back from the trash does not take the place of what has come meanwhile', async () => {
    const { create, run, tree, notebook } = await openHarness();
    await create('a.md', 'ours');
    const gone = await run({ type: 'delete', file: { path: notebookPath('a.md') } });
    const makeFolders = vi.spyOn(Tree.prototype, 'makeFolders').mockImplementationOnce(() => {
      makeFolders.mockRestore();
      replace(notebook.path, 'theirs');
    });
    const back = await run({ type: 'undo_delete', event_id: gone.id });
    expect([back.error_code, tree()]).toEqual(['FILE_EXISTS', { 'a.md': 'theirs' }]);
    rmSync(join(notebook.path, 'a.md'));
    await run({ type: 'undo_delete', event_id: gone.id });
    expect(tree()).toEqual({ 'a.md': 'ours' });
    expect(existsSync(join(notebook.path, `.codex/trash/${gone.id}`))).toBe(false);
  });

  it('a delete leaves alone what is no longer of its kind', async () => {
    const { create, run, tree, notebook, codex } = await openHarness();
    const { file_id } = await create('a', 'one');
    await create('folder/b.md', 'two');
    rmSync(join(notebook.path, 'a'));
    mkdirSync(join(notebook.path, 'a'));
    writeFileSync(join(notebook.path, 'a/theirs.md'), 'theirs');
    rmSync(join(notebook.path, 'folder'), { recursive: true });
    writeFileSync(join(notebook.path, 'folder'), 'a file now');
    expect(await run({ type: 'delete', file: { id: file_id ?? '' } })).toMatchObject({ status: 'completed' });
    expect(await run({ type: 'delete_folder', path: notebookPath('folder') })).toMatchObject({ status: 'completed' });
    expect(tree()).toEqual({ 'a/theirs.md': 'theirs', folder: 'a file now' });
    await codex.reconcile(notebook, 60_000);
    expect(codex.store.reader.all('SELECT path FROM files WHERE deleted_by IS NULL ORDER BY path')).toEqual([
      { path: 'a/theirs.md' },
      { path: 'folder' },
    ]);
  });

  it('looking at a path changes only the index', async () => {
    const { create, codex, notebook, tree } = await openHarness();
    const { file_id } = await create('a.md', 'one');
    const path = join(notebook.path, 'a.md');
    renameSync(path, join(notebook.path, 'b.md'));
    await codex.publishSync(notebook, [
      { type: 'sync', path: 'b.md' as NotebookPath, event: 'moved', from: 'a.md' as NotebookPath },
    ]);
    await codex.wait(2, 60_000);
    expect(tree()).toEqual({ 'b.md': 'one' });
    expect(codex.store.reader.all('SELECT id, path FROM files')).toEqual([{ id: file_id, path: 'b.md' }]);
    const { mtimeNs } = statSync(join(notebook.path, 'b.md'), { bigint: true });
    await codex.publishSync(notebook, [{ type: 'sync', path: 'b.md' as NotebookPath, event: 'modified' }]);
    const waited = await codex.wait(3, 60_000);
    expect(JSON.parse(waited?.event.result ?? '')).toMatchObject({ unchanged: true });
    expect(statSync(join(notebook.path, 'b.md'), { bigint: true }).mtimeNs).toBe(mtimeNs);
  });
});

describe('an update', () => {
  it('keeps the mode of the file, whatever the umask is', async () => {
    const { create, run, notebook } = await openHarness();
    const { file_id } = await create('run.sh', 'one');
    const path = join(notebook.path, 'run.sh');
    chmodSync(path, 0o775);
    await run({ type: 'update', file: { id: file_id ?? '' }, content: Buffer.from('two') });
    expect(statSync(path).mode & 0o777).toBe(0o775);
    expect(readFileSync(path, 'utf8')).toBe('two');
  });
});

describe('names and folders', () => {
  it('refuse twins in case or composition, on every level', async () => {
    const { create, run } = await openHarness();
    await create('Notes/Caf\u00e9.md', 'x');
    expect(await create('notes/other.md', 'y')).toMatchObject({ error_code: 'NAME_COLLIDES' });
    expect(await create('Notes/CAFE\u0301.md', 'y')).toMatchObject({ error_code: 'NAME_COLLIDES' });
    expect(await create('Notes/Caf\u00e9.md/x', 'y')).toMatchObject({ error_code: 'FILE_EXISTS' });
    const file = { path: notebookPath('Notes/Caf\u00e9.md') };
    const renamed = await run({ type: 'move', file, dest_path: notebookPath('Notes/CAF\u00c9.md') });
    expect(renamed).toMatchObject({ status: 'completed' });
  });

  it('move with everything in them, in one step, and keep ids', async () => {
    const { create, run, tree, codex } = await openHarness();
    const ids = new Map<string, string>();
    for (const name of ['a_b/x.md', 'a_b/y/z.md', 'aXb/x.md', 'a_b.md'])
      ids.set(name, (await create(name, name)).file_id ?? '');
    const moved = await run({ type: 'move_folder', path: notebookPath('a_b'), dest_path: notebookPath('n/a_b') });
    expect(JSON.parse(moved.result ?? '')).toMatchObject({ file_count: 2 });
    expect(Object.keys(tree())).toEqual(['aXb/x.md', 'a_b.md', 'n/a_b/x.md', 'n/a_b/y/z.md']);
    const rows = codex.store.reader.all<{ id: string; path: string }>('SELECT id, path FROM files');
    expect(rows.find(({ path }) => path === 'n/a_b/y/z.md')?.id).toBe(ids.get('a_b/y/z.md'));
    expect(rows.find(({ path }) => path === 'aXb/x.md')?.id).toBe(ids.get('aXb/x.md'));
  });

  it('move to themselves as no change, and never into themselves', async () => {
    const { create, run, codex, notebook } = await openHarness();
    await create('d/a.md', 'x');
    const path = notebookPath('d');
    expect(await run({ type: 'move_folder', path, dest_path: path })).toMatchObject({ status: 'completed' });
    const inside = { type: 'move_folder', path, dest_path: notebookPath('d/e') } as const;
    const refused = codex.publish({ notebookId: notebook.id, author: 'Ada', requests: [inside] });
    await expect(refused).rejects.toMatchObject({ code: 'MOVE_INTO_ITSELF' });
  });
});

describe('links', () => {
  it('are never followed: not on the way, not at the end, not in our own folder', async () => {
    const { create, run, notebook, home, codex } = await openHarness();
    const outside = join(home, 'outside');
    mkdirSync(outside);
    writeFileSync(join(outside, 'secret.md'), 'secret');
    symlinkSync(outside, join(notebook.path, 'way'));
    symlinkSync(join(outside, 'secret.md'), join(notebook.path, 'end.md'));
    expect(await create('way/x.md', 'x')).toMatchObject({ error_code: 'PATH_LINK' });
    expect(await create('end.md', 'x')).toMatchObject({ error_code: 'PATH_LINK' });
    await create('a.md', 'a');
    const file = { path: notebookPath('a.md') };
    expect(await run({ type: 'move', file, dest_path: notebookPath('way/a.md') })).toMatchObject({
      error_code: 'PATH_LINK',
    });
    rmSync(join(notebook.path, '.codex/tmp'), { recursive: true });
    symlinkSync(outside, join(notebook.path, '.codex/tmp'));
    expect(await create('b.md', 'b')).toMatchObject({ error_code: 'PATH_LINK' });
    expect(readFileSync(join(outside, 'secret.md'), 'utf8')).toBe('secret');
    expect(existsSync(join(outside, 'x.md'))).toBe(false);
    // A cloned repository may already contain a `.codex` folder.
    const cloned = join(home, 'notebooks/cloned');
    mkdirSync(join(cloned, '.codex'), { recursive: true });
    symlinkSync(join(outside, 'secret.md'), join(cloned, '.codex/.gitignore'));
    await expect(registerNotebook(codex, { name: 'cloned', path: cloned })).rejects.toMatchObject({
      code: 'NOTEBOOK_FOLDER',
    });
    expect(readFileSync(join(outside, 'secret.md'), 'utf8')).toBe('secret');
  });
});
