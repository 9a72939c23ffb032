import { createHash } from 'node:crypto';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import { treeOf } from '../../test/harness.ts';
import { openWatched, type Watched } from '../../test/watched.ts';
import { watchTree } from '../adapters/watch-tree.ts';
import { notebookPath } from '../model/path.ts';
import { knownProblems } from '../service/problems.ts';
import { insertSyncEvents } from '../store/events.ts';
import { NotebookWatcher, type WatcherOptions } from './notebook-watcher.ts';

const WAIT = { timeout: 25_000, interval: 50 };

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Waits until the index agrees with the disk. */
async function agrees(watched: Watched): Promise<void> {
  await expect
    .poll(() => watched.isIdle() && watched.known(), WAIT)
    .toEqual(
      Object.fromEntries(Object.entries(treeOf(watched.notebook.path)).map(([path, text]) => [path, hashOf(text)])),
    );
}

describe('a watched notebook', () => {
  it('queues each path once while its sync is queued or running, and again when it changes meanwhile', async () => {
    const { codex, notebook, syncEvents } = await openWatched();
    const { store, settings, deviceOf } = codex;
    const at = (path: string): string => join(notebook.path, path);
    for (const folder of ['a', 'a/b', 'c']) {
      mkdirSync(at(folder), { recursive: true });
      for (let n = 0; n < 40; n += 1) writeFileSync(at(`${folder}/${n}.md`), `${folder} ${n}`);
    }
    // Simulates a lane that has started all operations and finishes none.
    const publish: WatcherOptions['publish'] = async ({ id }, operations) => {
      await store.write('sync', (tx) => {
        insertSyncEvents(tx, id, operations, '2026-01-01T00:00:00.000Z');
        tx.run("UPDATE file_events SET status = 'processing'");
      });
    };
    const problems = { report() {}, clear() {} };
    const watcher = new NotebookWatcher({ notebook, store, settings, publish, now: Date.now, deviceOf, problems });
    onTestFinished(() => watcher.close());
    const starting = watcher.start();
    await expect.poll(() => watcher.status().comparing, { timeout: 5_000, interval: 1 }).not.toBeNull();
    await starting;
    expect(watcher.status().comparing).toBeNull();
    await watcher.reconcile();
    expect(syncEvents()).toBe(123);
    expect(watcher.status().importing).toEqual({ total: 123, done: 0, remaining_seconds: null });
    await store.write('done', (tx) => tx.run("UPDATE file_events SET status = 'completed' WHERE id <= 100"));
    expect(watcher.status().importing).toMatchObject({ total: 123, done: 100, remaining_seconds: expect.any(Number) });
    await store.write('open', (tx) => tx.run("UPDATE file_events SET status = 'processing'"));
    writeFileSync(at('c/0.md'), 'changed');
    await expect.poll(syncEvents, WAIT).toBe(124);
    await watcher.reconcile();
    expect(syncEvents()).toBe(124);
  });

  it('indexes what others create, change and delete', async () => {
    const watched = await openWatched();
    await watched.watcher.start();
    const at = (path: string): string => join(watched.notebook.path, path);
    writeFileSync(at('a.md'), 'one');
    mkdirSync(at('deep/er'), { recursive: true });
    writeFileSync(at('deep/er/b.md'), 'two');
    await agrees(watched);
    appendFileSync(at('a.md'), ' more');
    rmSync(at('deep'), { recursive: true });
    await agrees(watched);
    expect(Object.keys(watched.known())).toEqual(['a.md']);
  });

  it('finds at the start what happened while nobody watched', async () => {
    const watched = await openWatched();
    await watched.create('kept.md', 'as it was');
    await watched.create('gone.md', 'to be deleted');
    await watched.create('edited.md', 'before');
    const at = (path: string): string => join(watched.notebook.path, path);
    rmSync(at('gone.md'));
    writeFileSync(at('edited.md'), 'after');
    writeFileSync(at('new.md'), 'new');
    const { id } = watched.file('kept.md')!;
    await watched.watcher.start();
    await agrees(watched);
    expect(watched.file('kept.md')?.id).toBe(id);
    expect(watched.watcher.status()).toMatchObject({ queued: 3, drift: 3 });
  });

  it('takes its own writes for no news, and an edit right after them for news', async () => {
    const watched = await openWatched();
    await watched.watcher.start();
    for (let n = 0; n < 10; n++) await watched.create(`f${n}.md`, `${n}`);
    await expect.poll(() => watched.watcher.status().echoes, WAIT).toBeGreaterThanOrEqual(10);
    expect(
      watched.events().filter((event) => event.event_type === 'sync' && !event.result?.includes('unchanged')),
    ).toEqual([]);
    await watched.create('edited.md', 'by the API');
    writeFileSync(join(watched.notebook.path, 'edited.md'), 'by hand, a moment later');
    await agrees(watched);
  });

  it('notices an edit that keeps size and modification time', async () => {
    const watched = await openWatched();
    await watched.watcher.start();
    await watched.create('a.md', 'one');
    const path = join(watched.notebook.path, 'a.md');
    const then = new Date('2026-01-01T00:00:00Z');
    utimesSync(path, then, then);
    await agrees(watched);
    writeFileSync(path, 'two');
    utimesSync(path, then, then);
    await agrees(watched);
    expect(watched.known()).toEqual({ 'a.md': hashOf('two') });
  });

  it('keeps the identity of files and folders that are moved', async () => {
    const watched = await openWatched();
    for (let n = 0; n < 20; n++) await watched.create(`old/sub/f${n}.md`, `content ${n}`);
    await watched.create('single.md', 'alone');
    await watched.create('copied.md', 'through another place');
    await watched.watcher.start();
    const ids = Object.keys(watched.known()).map((path) => [path, watched.file(path)!.id]);
    const at = (path: string): string => join(watched.notebook.path, path);
    const before = watched.syncEvents();
    renameSync(at('old'), at('new'));
    renameSync(at('single.md'), at('renamed.md'));
    await agrees(watched);
    for (const [path = '', id] of ids) {
      const now = path === 'single.md' ? 'renamed.md' : path.replace(/^old/, 'new');
      expect(watched.file(now)?.id, now).toBe(id);
    }
    // So few events show that the folder moved as a whole, not file by file.
    expect(watched.syncEvents() - before).toBeLessThan(8);
    const { id } = watched.file('copied.md')!;
    rmSync(at('copied.md'));
    writeFileSync(at('pasted.md'), 'through another place');
    await agrees(watched);
    expect(watched.file('pasted.md')?.id).toBe(id);
  });

  it('does not take a new file for a deleted one whose inode it got', async () => {
    const watched = await openWatched();
    await watched.create('a.md', 'first');
    await watched.watcher.start();
    const { id } = watched.file('a.md')!;
    rmSync(join(watched.notebook.path, 'a.md'));
    writeFileSync(join(watched.notebook.path, 'b.md'), 'other');
    await agrees(watched);
    expect(watched.file('b.md')?.id).not.toBe(id);
  });

  it('waits until a file is written to its end', async () => {
    const watched = await openWatched();
    await watched.watcher.start();
    const path = join(watched.notebook.path, 'slow.md');
    let slow = 0;
    for (let n = 0; n < 25; n++) {
      appendFileSync(path, `part ${n}\n`);
      const before = performance.now();
      await new Promise((wake) => setTimeout(wake, 20));
      // On a busy machine the pause can be so long that the file counts as finished.
      if (performance.now() - before > 50) slow += 1;
    }
    await agrees(watched);
    expect(watched.events().filter((event) => event.path === 'slow.md').length).toBeLessThan(12 + 2 * slow);
  });

  it('follows no links and skips temporary and ignored files, but never what it holds already', async () => {
    const watched = await openWatched();
    const at = (path: string): string => join(watched.notebook.path, path);
    await watched.create('held.log', 'in the notebook before the rule');
    writeFileSync(at('.gitignore'), '*.log\nbuild/\n');
    await watched.watcher.start();
    mkdirSync(at('build'));
    mkdirSync(join(watched.home, 'outside'));
    writeFileSync(join(watched.home, 'outside/secret.md'), 'not ours');
    symlinkSync(join(watched.home, 'outside'), at('link'));
    symlinkSync(join(watched.home, 'outside/secret.md'), at('link.md'));
    for (const name of [
      'build/x.md',
      'new.log',
      '.a.md.swp',
      'a.md~',
      '#a.md#',
      '.git-notes.md',
      'x.git-y.md',
      'last.md',
    ]) {
      writeFileSync(at(name), name);
    }
    appendFileSync(at('held.log'), ', changed');
    const wanted = {
      '.git-notes.md': hashOf('.git-notes.md'),
      '.gitignore': hashOf('*.log\nbuild/\n'),
      'held.log': hashOf('in the notebook before the rule, changed'),
      'last.md': hashOf('last.md'),
      'x.git-y.md': hashOf('x.git-y.md'),
    };
    await expect.poll(() => watched.isIdle() && watched.known(), WAIT).toEqual(wanted);
    const { skipped } = await watched.watcher.reconcile();
    expect(Object.fromEntries(skipped.map(({ path, reason }) => [path, reason]))).toMatchObject({
      link: 'is a symbolic link',
      'new.log': 'is ignored by .gitignore',
      build: 'is ignored by .gitignore',
      '#a.md#': 'is a temporary file that another program made',
    });
    const shown = watched.watcher.status().skipped.toSorted((left, right) => (left.path < right.path ? -1 : 1));
    expect(shown).toEqual([
      { path: 'link', reason: 'is a symbolic link' },
      { path: 'link.md', reason: 'is a symbolic link' },
    ]);
    expect(watched.known()).toEqual(wanted);

    writeFileSync(at('.gitignore'), '');
    await expect.poll(() => Object.keys(watched.known()), WAIT).toContain('build/x.md');
  });

  it('misses nothing in folders that are filled the moment they are made', async () => {
    const watched = await openWatched();
    await watched.watcher.start();
    const at = (path: string): string => join(watched.notebook.path, path);
    for (let n = 0; n < 100; n++) {
      mkdirSync(at(`d${n}/s`), { recursive: true });
      writeFileSync(at(`d${n}/f`), `${n}`);
      writeFileSync(at(`d${n}/s/g`), `${n}`);
      if (n % 3 === 0) renameSync(at(`d${n}`), at(`e${n}`));
      if (n % 10 === 0) await new Promise((wake) => setTimeout(wake, 5));
    }
    await agrees(watched);
    expect(Object.keys(watched.known())).toHaveLength(200);
  });

  it('keeps edits through the API and edits by hand apart, and loses neither', async () => {
    const watched = await openWatched();
    await watched.watcher.start();
    const path = join(watched.notebook.path, 'a.md');
    await watched.create('a.md', 'start');
    for (let n = 0; n < 10; n++) {
      writeFileSync(path, `hand ${n}`);
      await watched.run({ type: 'update', file: { path: notebookPath('a.md') }, content: Buffer.from(`api ${n}`) });
    }
    await agrees(watched);
    const texts = Object.values(watched.tree());
    expect(texts).toContain('api 9');
  });

  it('forgets what was in a folder that was deleted and made again, and watches the new one', async () => {
    const watched = await openWatched();
    await watched.create('old/x/1.md', 'first');
    await watched.watcher.start();
    const at = (path: string): string => join(watched.notebook.path, path);
    rmSync(at('old'), { recursive: true });
    mkdirSync(at('old/x'), { recursive: true });
    writeFileSync(at('old/x/new.md'), 'second');
    for (let n = 0; n < 4; n++) {
      await watched.create(`d${n}/x/1.md`, 'first');
      rmSync(at(`d${n}`), { recursive: true });
      await watched.create(`d${n}/x/new.md`, 'second');
    }
    await agrees(watched);
    for (const folder of ['old', 'd0', 'd1', 'd2', 'd3']) writeFileSync(at(`${folder}/x/later.md`), 'third');
    await agrees(watched);
    expect(Object.keys(watched.known())).toHaveLength(10);
  });

  it('looks for the files of a recreated folder when the system reports only the folder', async () => {
    let report: (path: string) => void = () => undefined;
    const watched = await openWatched({
      watchTree(_root, { onPath }) {
        report = onPath;
        return Promise.resolve({ close: () => Promise.resolve() });
      },
    });
    await watched.create('old/1.md', 'first');
    await watched.watcher.start();
    rmSync(join(watched.notebook.path, 'old'), { recursive: true });
    mkdirSync(join(watched.notebook.path, 'old'));
    report('old');
    await agrees(watched);
    expect(watched.known()).toEqual({});
  });

  it('takes an unmounted disk for a problem and not for a deletion', async () => {
    const told: unknown[] = [];
    const watched = await openWatched({
      settings: { git_quiet_interval: 3600, git_commit_interval: 3600 },
      onProblem: (error, { part, notebook: name }) => told.push([name, part, (error as { code?: string }).code]),
    });
    const { codex, notebook, home, watcher } = watched;
    const asked = (): unknown => knownProblems(codex.store.reader).map(({ source, code }) => [source, code]);
    await watched.create('a.md', 'precious');
    await watched.create('d/b.md', 'precious too');
    await watcher.start();
    const rows = (): unknown => codex.store.reader.all('SELECT id, path, hash FROM files');
    const before = rows();
    renameSync(notebook.path, join(home, 'disk'));
    mkdirSync(notebook.path);
    // Another program leaves a file in the empty mount point.
    writeFileSync(join(notebook.path, 'stray.md'), 'not of the notebook');
    await expect.poll(() => watcher.status().watching, WAIT).toBe(false);
    const isAway = { code: 'NOTEBOOK_AWAY' };
    await expect(watcher.reconcile()).rejects.toMatchObject(isAway);
    await expect(watched.create('c.md', 'new')).rejects.toMatchObject(isAway);
    await expect(codex.git.flush(notebook.id)).rejects.toMatchObject(isAway);
    expect(await codex.git.status(notebook.id)).toMatchObject({ problem: expect.stringContaining(notebook.path) });
    // A queued sync that says the file was deleted is retried, and does not remove the file from the index.
    await codex.publishSync(notebook, [{ type: 'sync', path: notebookPath('a.md'), event: 'deleted' }]);
    await expect.poll(() => codex.problems.get(notebook.id), WAIT).toContain(notebook.path);
    // The problem is reported once, even after many retries, and stored for commands.
    expect(told).toEqual([
      ['notes', 'git', 'NOTEBOOK_AWAY'],
      ['notes', 'queue', 'NOTEBOOK_AWAY'],
    ]);
    await expect.poll(asked, WAIT).toEqual([
      ['git', 'NOTEBOOK_AWAY'],
      ['queue', 'NOTEBOOK_AWAY'],
    ]);
    expect(rows()).toEqual(before);
    expect(readdirSync(notebook.path)).toEqual(['stray.md']);

    rmSync(notebook.path, { recursive: true });
    renameSync(join(home, 'disk'), notebook.path);
    await expect
      .poll(() => watched.isIdle() && watcher.status(), WAIT)
      .toMatchObject({ watching: true, problem: null });
    await expect.poll(() => codex.problems.get(notebook.id), WAIT).toBeUndefined();
    expect(rows()).toEqual(before);
    writeFileSync(join(notebook.path, 'c.md'), 'by hand');
    await agrees(watched);
    expect(await codex.git.flush(notebook.id)).toMatch(/^[0-9a-f]{40}$/u);
    await expect.poll(asked, WAIT).toEqual([]);
  });

  it('takes what lay on a disk inside the notebook for away and not for deleted, until somebody says so', async () => {
    let disk = 'usb';
    const watched = await openWatched({
      settings: { retry_backoff: 0.05, retry_backoff_max: 0.1 },
      deviceOf: (place) => (existsSync(place) ? (`${place}/`.includes(`/${disk}/`) ? 'another' : 'one') : undefined),
    });
    const { codex, notebook, home, watcher } = watched;
    const at = (path: string): string => join(notebook.path, path);
    mkdirSync(at('usb/deep'), { recursive: true });
    writeFileSync(at('usb/a.md'), 'precious');
    writeFileSync(at('usb/deep/b.md'), 'precious too');
    writeFileSync(at('c.md'), 'on the other one');
    await watcher.start();
    await agrees(watched);
    const rows = (): unknown =>
      codex.store.reader.all("SELECT id, path, hash FROM files WHERE path LIKE 'usb/%' ORDER BY path");
    const before = rows();
    disk = 'none';
    renameSync(at('usb'), join(home, 'disk'));
    mkdirSync(at('usb'));
    writeFileSync(at('usb/stray.md'), 'by a program that does not know');
    rmSync(at('c.md'));
    await expect.poll(() => watcher.status().problem, WAIT).toContain(at('usb'));
    expect((await watcher.reconcile()).skipped).toEqual([{ path: 'usb', reason: 'is a disk that is not mounted' }]);
    await codex.publishSync(notebook, [{ type: 'sync', path: notebookPath('usb/a.md'), event: 'deleted' }]);
    const { events } = await codex.publish({
      notebookId: notebook.id,
      author: 'Ada',
      requests: [{ type: 'create', path: notebookPath('usb/new.md'), content: Buffer.from('later') }],
    });
    const codes = (): unknown =>
      watched
        .events()
        .slice(-2)
        .map(({ error_code: code }) => code);
    await expect.poll(codes, WAIT).toEqual(['DISK_AWAY', 'DISK_AWAY']);
    expect(readdirSync(at('usb'))).toEqual(['stray.md']);
    expect([Object.keys(watched.known()), rows()]).toEqual([['usb/a.md', 'usb/deep/b.md'], before]);

    rmSync(at('usb'), { recursive: true });
    renameSync(join(home, 'disk'), at('usb'));
    disk = 'usb';
    await expect.poll(() => watched.isIdle() && watcher.status().problem, WAIT).toBeNull();
    expect(await codex.wait(events[0]?.id ?? 0, 0)).toMatchObject({ event: { status: 'completed' } });
    expect(rows()).toEqual([...(before as unknown[]), expect.objectContaining({ path: 'usb/new.md' })]);

    disk = 'none';
    rmSync(at('usb'), { recursive: true });
    await watcher.reconcile({ withoutDisks: true });
    await expect.poll(() => watched.isIdle() && rows(), WAIT).toEqual([]);
  });

  it('says that not everything can be watched until it is, and not only until the next comparison', async () => {
    let isFull = true;
    const watched = await openWatched({
      async watchTree(root, listener) {
        if (isFull) listener.onError(Object.assign(new Error('too many'), { code: 'ENOSPC' }));
        return watchTree(root, listener);
      },
    });
    const { watcher } = watched;
    await watcher.start();
    await watcher.reconcile();
    expect(watcher.status()).toMatchObject({ watching: true, problem: expect.stringContaining('max_user_watches') });
    isFull = false;
    // A new .gitignore makes the watcher restart its watch.
    writeFileSync(join(watched.notebook.path, '.gitignore'), '');
    await expect.poll(() => watcher.status().problem, WAIT).toBeNull();
  });

  it('waits for a folder that is missing at the start, and knows it again without its mark', async () => {
    const watched = await openWatched();
    await watched.create('a.md', 'one');
    const { id } = watched.file('a.md')!;
    renameSync(watched.notebook.path, join(watched.home, 'away'));
    await watched.watcher.start();
    expect(watched.watcher.status()).toMatchObject({ watching: false });
    rmSync(join(watched.home, 'away/.codex'), { recursive: true });
    renameSync(join(watched.home, 'away'), watched.notebook.path);
    await expect.poll(() => watched.watcher.status(), WAIT).toMatchObject({ watching: true, problem: null });
    await watched.create('b.md', 'two');
    await agrees(watched);
    expect(watched.file('a.md')?.id).toBe(id);
  });
});
