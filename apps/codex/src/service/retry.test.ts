import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import { openHarness, WAIT_MS } from '../../test/harness.ts';
import { type NotebookPath, notebookPath } from '../model/path.ts';
import { countPending } from '../store/events.ts';
import { discardFailed, retryFailed } from './events.ts';

const MEGABYTE = 1_000_000;

/** Keeps writing to a file, so that reading it fails temporarily. Returns a function that stops writing. */
function restlessFile(path: string): () => void {
  writeFileSync(path, Buffer.alloc(2 * MEGABYTE));
  let isWriting = true;
  const write = (): void => {
    if (!isWriting) return;
    appendFileSync(path, 'x');
    setImmediate(write);
  };
  write();
  const stop = (): void => {
    isWriting = false;
  };
  onTestFinished(stop);
  return stop;
}

const look = { type: 'sync', path: 'busy.bin' as NotebookPath, event: 'modified' } as const;

describe('temporary failures', () => {
  it('are retried with increasing delays without blocking other paths, and end as dead letters that can be revived', async () => {
    const { codex, notebook, create } = await openHarness({ settings: { retry_backoff: 0.01 }, random: () => 1 });
    const stop = restlessFile(join(notebook.path, 'busy.bin'));
    await codex.publishSync(notebook, [look]);
    await codex.publishSync(notebook, [look]);
    expect(await create('other.md', 'x')).toMatchObject({ status: 'completed' });
    const dead = await codex.wait(1, WAIT_MS);
    expect(dead?.event).toMatchObject({ status: 'failed', error_code: 'STALE_READ', retry_count: 3 });
    expect(dead?.event.processed_at).not.toBeNull();
    const second = await codex.wait(2, WAIT_MS);
    expect(second?.event.status).toBe('failed');
    stop();
    await retryFailed(codex, 1);
    codex.lanes.wake(notebook.id);
    expect((await codex.wait(1, WAIT_MS))?.event).toMatchObject({ status: 'completed', error_message: null });
    await expect(retryFailed(codex, 1)).rejects.toMatchObject({ code: 'EVENT_STATE' });
    expect(await discardFailed(codex, 2)).toMatchObject({ status: 'discarded' });
  });

  it('are not retried after later operations on the same path', async () => {
    const { codex, run, create } = await openHarness();
    await create('taken.md', 'x');
    await create('a.md', 'one');
    const file = { path: notebookPath('a.md') };
    const failed = await run({ type: 'move', file, dest_path: notebookPath('taken.md') });
    await run({ type: 'update', file, content: Buffer.from('two') });
    await expect(retryFailed(codex, failed.id)).rejects.toMatchObject({ code: 'EVENT_OVERTAKEN' });
  });

  it('do not end the process when the end of a commit cannot be stored: it is asked for again', async () => {
    const { codex, notebook, create } = await openHarness();
    await create('a.md', 'one');
    const { store } = codex;
    const refuse = `CREATE TEMP TRIGGER refuse BEFORE UPDATE OF commit_sha ON file_events
      WHEN NEW.event_type = 'batch_commit' BEGIN SELECT RAISE(ABORT, 'no space left'); END`;
    await store.write('test', (tx) => tx.run(refuse));
    const requests = [{ type: 'batch_commit' }] as const;
    const { events } = await codex.publish({ notebookId: notebook.id, author: 'Ada', requests });
    await expect.poll(() => codex.problems.get(notebook.id), { timeout: WAIT_MS }).toContain('no space left');
    await store.write('test', (tx) => tx.run('DROP TRIGGER refuse'));
    const done = await codex.wait(events[0]?.id ?? 0, WAIT_MS);
    expect(done?.event).toMatchObject({ status: 'completed', commit_sha: expect.stringMatching(/^[0-9a-f]{40}$/u) });
  });
});

describe('a create', () => {
  it('succeeds although another program keeps deleting its folder', async () => {
    const { codex, notebook } = await openHarness({ settings: { retry_backoff: 0.01, worker_batch_size: 5 } });
    const creates = Array.from({ length: 40 }, (_, n) => {
      const requests = [{ type: 'create', path: notebookPath(`d/e/${n}.md`), content: Buffer.from('x') }] as const;
      return codex.run({ notebookId: notebook.id, author: 'Ada', requests }, WAIT_MS);
    });
    const deleting = setInterval(() => rmSync(join(notebook.path, 'd'), { recursive: true, force: true }), 3);
    setTimeout(() => clearInterval(deleting), 1_000);
    const events = (await Promise.all(creates)).flat();
    clearInterval(deleting);
    expect(events.filter(({ status }) => status !== 'completed')).toEqual([]);
  });

  it('can be tried again while its path is free, whatever happened around it', async () => {
    const { codex, notebook, run, create } = await openHarness();
    await create('d/a.md', 'one');
    const failed = await create('d/a.md', 'two');
    expect(failed).toMatchObject({ status: 'failed' });
    await run({ type: 'delete_folder', path: notebookPath('d') });
    await retryFailed(codex, failed.id);
    codex.lanes.wake(notebook.id);
    expect((await codex.wait(failed.id, WAIT_MS))?.event).toMatchObject({ status: 'completed' });
  });
});

describe('changes by other programs', () => {
  it('neither fill the queue for requests nor delay them by more than a group or two', async () => {
    const settings = { worker_batch_size: 5, max_pending: 20 };
    const { codex, notebook, create } = await openHarness({ settings });
    const found = Array.from({ length: 300 }, (_, n) => {
      writeFileSync(join(notebook.path, `found-${n}.md`), String(n));
      return { type: 'sync', path: notebookPath(`found-${n}.md`), event: 'created' } as const;
    });
    await codex.publishSync(notebook, found);
    expect(await create('asked.md', 'x')).toMatchObject({ status: 'completed' });
    expect(countPending(codex.store.reader, notebook.id)).toBeGreaterThan(200);
  });
});

describe('failures that will not pass', () => {
  it('are told at once, and hold nobody up', async () => {
    const { run, create } = await openHarness();
    await create('a.md', 'one');
    expect(await create('a.md', 'two')).toMatchObject({ status: 'failed', error_code: 'FILE_EXISTS', retry_count: 0 });
    const file = { path: notebookPath('a.md') };
    expect(await run({ type: 'update', file, content: Buffer.from('two') })).toMatchObject({ status: 'completed' });
  });
});
