import { writeFileSync } from 'node:fs';

import { afterAll, afterEach, describe, expect, it } from 'vitest';

import { expectClean, expectSound } from '../../test/clean-repository.ts';
import {
  filesInCommit,
  type GitNotebook,
  type GitNotebookOptions,
  openGitNotebook,
  removeFolders,
} from '../../test/git-notebook.ts';
import { needsRepack, repack } from '../adapters/git-repository.ts';

const opened: GitNotebook[] = [];
const open = async (options?: GitNotebookOptions): Promise<GitNotebook> => {
  const notebook = await openGitNotebook(options);
  opened.push(notebook);
  return notebook;
};
afterEach(async () => {
  for (const notebook of opened.splice(0)) await notebook.close();
});
afterAll(removeFolders);

describe('a batch commit', () => {
  it('makes a repository where there is none, and holds writes, deletions and renames in one commit', async () => {
    const notebook = await open();
    const first = await notebook.write('a.md', 'one');
    await notebook.write('dir/b.md', 'two');
    const sha = await notebook.flush();
    expect(notebook.git('rev-parse', 'HEAD').trim()).toBe(sha);
    expect(notebook.commitOf(first)).toBe(sha);
    expectClean(notebook);

    await notebook.write('a.md', 'changed');
    await notebook.remove('dir/b.md');
    await notebook.write('new.md', 'three');
    await notebook.rename('new.md', 'dir/moved.md');
    await notebook.flush();
    expect(notebook.git('rev-list', '--count', 'HEAD').trim()).toBe('2');
    expect(notebook.pendingCount()).toBe(0);
    expectClean(notebook);
  });

  it('moves and deletes whole folders with what lies below them', async () => {
    const notebook = await open();
    for (let n = 0; n < 30; n++) await notebook.write(`old/sub${n % 3}/f${n}.md`, `content ${n}`);
    await notebook.flush();
    await notebook.write('old/fresh.md', 'not committed before it moves');
    await notebook.rename('old', 'new');
    await notebook.remove('new/sub1');
    await notebook.write('new/sub1', 'a file where a folder was');
    await notebook.flush();
    expectClean(notebook);
    expect(notebook.git('log', '--follow', '--format=%s', '--', 'new/sub0/f0.md').trim().split('\n')).toHaveLength(2);
  });

  it('keeps every version that somebody else has written over, and joins those of one writer', async () => {
    const notebook = await open();
    await notebook.write('a.md', 'base');
    await notebook.flush();
    for (const text of ['ada 1', 'ada 2']) await notebook.write('a.md', text, { author: 'ada' });
    await notebook.write('b.md', 'beside', { author: 'ada' });
    await notebook.write('a.md', 'by hand', { external: true });
    await notebook.write('a.md', 'bob', { author: 'bob' });
    const last = await notebook.write('a.md', 'ada 3', { author: 'ada' });
    const sha = await notebook.flush();
    expect(notebook.commitOf(last)).toBe(sha);
    const versions = notebook.git('log', '--reverse', '--format=%H', '--', 'a.md').trim().split('\n');
    expect(versions.map((commit) => notebook.git('show', `${commit}:a.md`))).toEqual([
      'base',
      'ada 2',
      'by hand',
      'bob',
      'ada 3',
    ]);
    expect(notebook.pendingCount()).toBe(0);
    expectClean(notebook);
  });

  it('commits the content that was written, not what is on disk by then', async () => {
    const notebook = await open();
    await notebook.write('a.md', 'as written');
    writeFileSync(`${notebook.folder}/a.md`, 'typed by somebody meanwhile');
    await notebook.flush();
    expect(filesInCommit(notebook.folder)).toEqual({ 'a.md': 'as written' });
    expect(notebook.git('status', '--porcelain').trim()).toBe('M a.md');
  });

  it('makes no commit that changes nothing, and tells the events where their content is', async () => {
    const notebook = await open();
    await notebook.write('a.md', 'same');
    const sha = await notebook.flush();
    const back = [await notebook.write('a.md', 'other'), await notebook.write('a.md', 'same')];
    const gone = [await notebook.write('b.md', 'short life'), await notebook.remove('b.md')];
    expect(await notebook.flush()).toBe(sha);
    expect(notebook.git('rev-list', '--count', 'HEAD').trim()).toBe('1');
    expect([...back, ...gone].map((id) => notebook.commitOf(id))).toEqual([sha, sha, sha, sha]);
    expect(notebook.pendingCount()).toBe(0);
  });

  it('is one commit for each author, with trailers that name the events', async () => {
    const notebook = await open();
    const ids = [
      await notebook.write('a.md', '1', { author: 'Ada <ada@example.org>' }),
      await notebook.write('b.md', '2', { author: 'Bob' }),
      await notebook.write('c.md', '3', { author: 'Ada <ada@example.org>' }),
    ];
    await notebook.flush();
    const log = notebook.git(
      'log',
      '--reverse',
      '--format=%an <%ae>|%cn|%(trailers:key=Codex-Event,valueonly,separator=%x2C)',
    );
    expect(log.trim().split('\n')).toEqual([
      `Ada <ada@example.org>|codex|${ids[0]} ${ids[2]}`,
      `Bob <bob@codex.invalid>|codex|${ids[1]}`,
    ]);
    expect(notebook.commitOf(ids[0]!)).toBe(notebook.commitOf(ids[2]!));
    expect(notebook.commitOf(ids[1]!)).not.toBe(notebook.commitOf(ids[0]!));
    expectClean(notebook);
  });

  it('keeps a file that became a folder when different people did the two halves', async () => {
    const notebook = await open();
    await notebook.write('a', 'file');
    await notebook.write('z', 'other');
    await notebook.flush();
    await notebook.write('z', 'by Bob first', { author: 'Bob' });
    await notebook.remove('a', { author: 'Ada' });
    await notebook.write('a/b', 'below', { author: 'Bob' });
    await notebook.flush();
    expect(Object.keys(filesInCommit(notebook.folder))).toEqual(['a/b', 'z']);
    expectClean(notebook);
  });

  it('survives any name, and lists only the first paths of many', async () => {
    const notebook = await open();
    const names = [
      'quote".md',
      'back\\slash.md',
      'new\nline.md',
      'täb\there.md',
      'ünïcödé/日本語.md',
      ' lead.md',
      "it's.md",
    ];
    for (const name of names) await notebook.write(name, `content of ${name}`);
    for (let n = 0; n < 60; n++) await notebook.write(`many/${n}.md`, `${n}`);
    await notebook.flush();
    expectClean(notebook);
    const message = notebook.git('log', '-1', '--format=%B');
    expect(message).toContain(`Batch update: ${60 + names.length} files`);
    expect(message).toContain(`… and ${40 + names.length} more`);
    expect(message.split('\n').length).toBeLessThan(40);
  });

  it('is not made again when what it holds was only not taken away yet', async () => {
    const notebook = await open();
    const { reader } = notebook.store;
    for (let n = 0; n < 60; n++) await notebook.write(`${n}.md`, `${n}`);
    await notebook.flush();
    for (let n = 1; n < 60; n++) await notebook.write(`${n}.md`, `again ${n}`);
    await notebook.rename('0.md', '60.md');
    const rows = reader.all('SELECT * FROM git_pending');
    await notebook.flush();
    await notebook.write('0.md', 'another');
    const tip = await notebook.flush();
    // Simulates a process that ended after it recorded the second commit. If the rename were applied after the third
    // commit, it would move the wrong file.
    await notebook.store.write('interrupted', (tx) => {
      for (const row of rows) {
        const marks = Object.keys(row).map(() => '?');
        tx.run(`INSERT INTO git_pending VALUES (${marks.join()})`, ...Object.values(row));
      }
      const ids = JSON.stringify(rows.map(({ id }) => id));
      tx.run('INSERT INTO git_recorded (notebook_id, pending_ids) VALUES (?, ?)', notebook.id, ids);
    });
    expect(notebook.pendingCount()).toBe(60);
    expect(await notebook.flush()).toBe(tip);
    expect(notebook.pendingCount()).toBe(0);
    expect(reader.all('SELECT * FROM git_recorded')).toEqual([]);
    expectClean(notebook);
  });

  it('keeps the mode of programs', async () => {
    const notebook = await open();
    await notebook.write('run.sh', '#!/bin/sh\n', { executable: true });
    await notebook.flush();
    expect(notebook.git('ls-tree', 'HEAD')).toMatch(/^100755 .*run\.sh/);
    expectClean(notebook);
  });

  it('keeps files above the size limit out of git and says why', async () => {
    const notebook = await open({ settings: { git_max_file_bytes: 5_000 } });
    await notebook.write('small.md', 'x'.repeat(5_000));
    await notebook.write('large.bin', 'x'.repeat(5_001));
    await notebook.flush();
    expect(Object.keys(filesInCommit(notebook.folder))).toEqual(['small.md']);
    const files = notebook.store.reader.all('SELECT path, git_tracked, git_reason FROM files ORDER BY path');
    expect(files).toEqual([
      {
        path: 'large.bin',
        git_tracked: 0,
        git_reason: 'larger than 5000 bytes, the limit for files in git',
      },
      { path: 'small.md', git_tracked: 1, git_reason: null },
    ]);
    expect(notebook.pendingCount()).toBe(0);
  });

  it('keeps out what .gitignore says, unless git has it already', async () => {
    const notebook = await open();
    await notebook.write('kept.log', 'tracked before the rule');
    await notebook.write('sub/a.md', 'a');
    await notebook.flush();
    await notebook.write('.gitignore', '*.log\n');
    await notebook.flush();
    await notebook.write('kept.log', 'changed');
    await notebook.write('new.log', 'ignored');
    await notebook.flush();
    expect(filesInCommit(notebook.folder)).toEqual({
      '.gitignore': '*.log\n',
      'kept.log': 'changed',
      'sub/a.md': 'a',
    });
    expect(notebook.store.reader.get('SELECT git_tracked, git_reason FROM files WHERE path = ?', 'new.log')).toEqual({
      git_tracked: 0,
      git_reason: 'ignored by .gitignore',
    });
  });

  it('stores line ends as .gitattributes says, and leaves what a filter of the user is for to the user', async () => {
    const notebook = await open();
    await notebook.write('.gitattributes', '*.txt text\n*.bin filter=lfs\n*.raw -text\n');
    await notebook.flush();
    await notebook.write('lines.txt', 'one\r\ntwo\r\n');
    await notebook.write('plain.txt', 'one\ntwo\n');
    await notebook.write('as-is.raw', 'one\r\n');
    await notebook.write('large.bin', 'for LFS');
    await notebook.flush();
    expect(filesInCommit(notebook.folder)).toMatchObject({
      'lines.txt': 'one\ntwo\n',
      'plain.txt': 'one\ntwo\n',
      'as-is.raw': 'one\r\n',
    });
    expect(notebook.git('status', '--porcelain').trim()).toBe('?? large.bin');
    expect(notebook.store.reader.get('SELECT git_tracked, git_reason FROM files WHERE path = ?', 'large.bin')).toEqual({
      git_tracked: 0,
      git_reason: 'uses the git filter lfs, which Holdfast never runs; commit it yourself',
    });
    // Writing the same content again makes no commit.
    await notebook.write('lines.txt', 'one\r\ntwo\r\n');
    const tip = notebook.git('rev-parse', 'HEAD').trim();
    expect(await notebook.flush()).toBe(tip);
    expectSound(notebook.folder);
  });

  it('joins packs when there are many', async () => {
    const notebook = await open();
    for (let n = 0; n < 22; n++) {
      await notebook.write(`${n}.md`, `${n}`);
      await notebook.flush();
    }
    const { repository } = await notebook.lanes.repository(notebook.id);
    expect(needsRepack(repository)).toBe(true);
    await repack(repository);
    expect(needsRepack(repository)).toBe(false);
    expectClean(notebook);
  });
});
