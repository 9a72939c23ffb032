import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { DAY } from '@holdfast/base';
import { describe, expect, it } from 'vitest';

import { openHarness } from '../../test/harness.ts';
import { blobPath } from '../adapters/blobs.ts';
import { notebookPath } from '../model/path.ts';
import { maintain } from './maintenance.ts';
import { metrics, prometheusText } from './metrics.ts';

const LONG = 'long '.repeat(2_000);

describe('housekeeping', () => {
  it('removes completed events after a day and failed ones after a week, but nothing that git still needs', async () => {
    let now = Date.now();
    const { codex, create } = await openHarness({ clock: () => now });
    await create('a.md', 'x');
    await create('a.md', 'y');
    const left = (): unknown[] => codex.store.reader.all('SELECT id, status FROM file_events ORDER BY id');
    now += 2 * DAY;
    expect((await maintain(codex)).events).toBe(0);
    await codex.git.flush(1);
    expect((await maintain(codex)).events).toBe(1);
    expect(left()).toEqual([{ id: 2, status: 'failed' }]);
    now += 6 * DAY;
    await maintain(codex);
    expect(left()).toEqual([]);
  });

  it('removes unfinished writes of processes that are gone at once, and leaves those of living ones', async () => {
    const { codex, notebook } = await openHarness();
    const folder = join(notebook.path, '.codex/tmp');
    const [dead, alive] = ['stage-4194304-aa', `stage-${process.pid}-bb`];
    for (const name of [dead, alive]) writeFileSync(join(folder, name), 'half');
    await maintain(codex);
    expect(readdirSync(folder)).toEqual([alive]);
  });

  it('removes staged content that nothing needs, and empties the trash after its time', async () => {
    let now = Date.now();
    const { codex, create, run, notebook, home } = await openHarness({ clock: () => now });
    const { content_hash } = await create('a.md', LONG);
    const blob = join(notebook.path, blobPath(content_hash ?? ''));
    utimesSync(blob, 0, 0);
    await maintain(codex);
    expect(existsSync(blob)).toBe(true);
    await codex.git.flush(1);
    await maintain(codex);
    expect(existsSync(blob)).toBe(false);
    const gone = await run({ type: 'delete', file: { path: notebookPath('a.md') } });
    await codex.git.flush(1);
    now += 8 * DAY;
    expect((await maintain(codex)).trash).toBe(1);
    expect(readdirSync(join(notebook.path, '.codex/trash'))).toEqual([]);
    // Symbolic links in `.codex` must not lead the cleanup out of it.
    await create('b.md', 'x');
    const { id } = await run({ type: 'delete', file: { path: notebookPath('b.md') } });
    const elsewhere = join(home, 'elsewhere');
    for (const name of ['tmp', 'trash']) {
      mkdirSync(join(elsewhere, name), { recursive: true });
      writeFileSync(join(elsewhere, name, String(id)), 'not ours');
      utimesSync(join(elsewhere, name, String(id)), 0, 0);
      rmSync(join(notebook.path, '.codex', name), { recursive: true });
      symlinkSync(join(elsewhere, name), join(notebook.path, '.codex', name));
    }
    now += 8 * DAY;
    await maintain(codex);
    expect(['tmp', 'trash'].flatMap((name) => readdirSync(join(elsewhere, name)))).toHaveLength(2);
    const late = run({ type: 'undo_delete', event_id: gone.id });
    await expect(late).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' });
  });
});

describe('metrics', () => {
  it('count what the design counts, and tell how far behind queue and git are', async () => {
    let now = Date.now();
    const { codex, create } = await openHarness({ clock: () => now });
    await create('a.md', 'x');
    await create('a.md', 'again');
    now += 3_000;
    const found = metrics(codex);
    expect(found).toMatchObject({ pending: 0, processing: 0, failed_24h: 1, completed_24h: 1, dead: 1 });
    expect(found.notebooks[0]).toMatchObject({ git_pending: 1 });
    expect(found.notebooks[0]?.git_lag_seconds).toBeGreaterThanOrEqual(3);
    expect(found.latency_p50_ms).not.toBeNull();
    now += 2 * DAY;
    expect(metrics(codex).failed_24h).toBe(0);
    expect(prometheusText(found)).toContain('codex_notebook_dead{notebook="1"} 1');
  });
});
