import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { gitIn } from '../../test/git-notebook.ts';
import { type Harness, openHarness, WAIT_MS } from '../../test/harness.ts';
import type { FileEvent } from '../model/event.ts';
import { notebookPath } from '../model/path.ts';
import { findEvent } from '../store/events.ts';
import { updateFile } from './changes.ts';
import { notebookStatus, pauseNotebook, resumeNotebook } from './notebooks.ts';

const caller = { name: 'Ada', face: 'http', via: 'test' } as const;
const input = { notebook: undefined } as const;

async function publish({ codex }: Harness, path: string, content: string): Promise<FileEvent> {
  const request = { type: 'create', path: notebookPath(path), content: Buffer.from(content) } as const;
  const [event] = (await codex.publish({ notebookId: 1, author: 'Ada', requests: [request] })).events;
  if (event === undefined) throw new Error('nothing was queued');
  return event;
}

const statusOf = ({ codex }: Harness, { id }: FileEvent): string | undefined =>
  findEvent(codex.store.reader, id)?.status;

it('a paused notebook has committed everything and changes nothing until it is resumed', async () => {
  const harness = await openHarness({ settings: { git_quiet_interval: 3_600, git_commit_interval: 3_600 } });
  const { codex, notebook, create, tree } = harness;
  await create('a.md', 'one');
  const { commit_sha, problem, held } = await pauseNotebook(codex, input, caller);
  expect([commit_sha, problem, held]).toEqual([gitIn(notebook.path, 'rev-parse', 'HEAD').trim(), null, []]);
  expect(gitIn(notebook.path, 'status', '--porcelain')).toBe('');
  const queued = await publish(harness, 'b.md', 'two');
  const waited = await updateFile(
    codex,
    { ...input, file: 'a.md', content: 'new', encoding: 'utf8', wait: 60, base_hash: undefined },
    caller,
  );
  expect(waited.status).toBe('pending');
  expect((await notebookStatus(codex, input)).paused).toEqual({ reason: 'Paused by Ada', is_manual: true });
  await new Promise((resolve) => setTimeout(resolve, 1_200));
  expect(tree()).toEqual({ 'a.md': 'one' });
  await resumeNotebook(codex, input);
  await codex.wait(queued.id, WAIT_MS);
  await codex.wait(waited.event_id, WAIT_MS);
  expect(tree()).toEqual({ 'a.md': 'new', 'b.md': 'two' });
  expect((await notebookStatus(codex, input)).paused).toBeNull();
});

it('a git operation pauses the notebook until it is finished', async () => {
  const harness = await openHarness();
  const { codex, notebook, create, read } = harness;
  const git = (...args: string[]): string => gitIn(notebook.path, ...args);
  await create('a.md', 'base');
  await codex.git.flush(1);
  git('checkout', '-q', '-b', 'side');
  writeFileSync(join(notebook.path, 'a.md'), 'side');
  git('commit', '-q', '-a', '-m', 'side');
  git('checkout', '-q', '-');
  writeFileSync(join(notebook.path, 'a.md'), 'main');
  git('commit', '-q', '-a', '-m', 'main');
  expect(() => git('rebase', 'side')).toThrow(/rebase/u);
  const queued = await publish(harness, 'b.md', 'during');
  await new Promise((resolve) => setTimeout(resolve, 1_200));
  expect(statusOf(harness, queued)).toBe('pending');
  expect((await notebookStatus(codex, input)).paused).toEqual({
    reason: 'Paused while a rebase is in progress',
    is_manual: false,
  });
  git('rebase', '--abort');
  expect((await codex.wait(queued.id, WAIT_MS))?.event.status).toBe('completed');
  expect([read('a.md'), read('b.md')]).toEqual(['main', 'during']);
});

it('a rebase succeeds under constant writes, and loses none of them', async () => {
  const harness = await openHarness({ settings: { watch: true, git_quiet_interval: 0.05, git_commit_interval: 0.2 } });
  const { codex, notebook, create, tree } = harness;
  const git = (...args: string[]): string => gitIn(notebook.path, ...args);
  await create('start.md', 'base');
  await codex.git.flush(1);
  const branch = git('branch', '--show-current').trim();
  const base = git('rev-parse', 'HEAD').trim();
  const written: FileEvent[] = [];
  const stop = new AbortController();
  const writer = (async (): Promise<void> => {
    for (let n = 0; !stop.signal.aborted; n += 1) {
      written.push(await publish(harness, `notes/${n % 7}/n${n}.md`, `note ${n}`));
      await new Promise((resolve) => setTimeout(resolve, 3));
    }
  })();
  await expect.poll(() => Number(git('rev-list', '--count', 'HEAD')), { timeout: WAIT_MS }).toBeGreaterThan(3);
  expect(await pauseNotebook(codex, input, caller)).toMatchObject({ problem: null, held: [] });
  git('checkout', '-q', '-b', 'upstream', base);
  writeFileSync(join(notebook.path, 'upstream.md'), 'from upstream');
  git('add', 'upstream.md');
  git('commit', '-q', '-m', 'upstream');
  git('checkout', '-q', branch);
  git('rebase', '-q', 'upstream');
  const rebased = git('rev-parse', 'HEAD').trim();
  await resumeNotebook(codex, input);
  const resumed = written.length;
  await expect.poll(() => written.length, { timeout: WAIT_MS }).toBeGreaterThan(resumed + 20);
  stop.abort();
  await writer;
  for (const { id } of written) expect((await codex.wait(id, WAIT_MS))?.event.status).toBe('completed');
  const expected = Object.fromEntries(written.map((_, n) => [`notes/${n % 7}/n${n}.md`, `note ${n}`]));
  expect(tree()).toEqual({ 'start.md': 'base', 'upstream.md': 'from upstream', ...expected });
  await codex.git.flush(1);
  expect(git('status', '--porcelain')).toBe('');
  expect(git('merge-base', rebased, 'HEAD').trim()).toBe(rebased);
  expect(readFileSync(join(notebook.path, 'upstream.md'), 'utf8')).toBe('from upstream');
});
