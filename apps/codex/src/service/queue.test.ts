import { describe, expect, it } from 'vitest';

import { openHarness } from '../../test/harness.ts';
import { notebookPath } from '../model/path.ts';

describe('operations through the queue', () => {
  it('creates, updates, moves and deletes files, on disk and in the index', async () => {
    const { run, create, tree, engine } = await openHarness();
    const created = await create('notes/a.md', 'one');
    expect(created).toMatchObject({ status: 'completed', error_message: null });
    const id = created.file_id as string;
    expect(tree()).toEqual({ 'notes/a.md': 'one' });
    await run({ type: 'update', file: { id }, content: Buffer.from('two') });
    expect(tree()).toEqual({ 'notes/a.md': 'two' });
    const moved = await run({ type: 'move', file: { id }, dest_path: notebookPath('archive/b.md') });
    expect(moved).toMatchObject({ status: 'completed', error_message: null });
    expect(tree()).toEqual({ 'archive/b.md': 'two' });
    const deleted = await run({ type: 'delete', file: { id } });
    expect(deleted).toMatchObject({ status: 'completed', error_message: null });
    expect(tree()).toEqual({});
    const back = await run({ type: 'undo_delete', event_id: deleted.id });
    expect(back).toMatchObject({ status: 'completed', error_message: null });
    expect(tree()).toEqual({ 'archive/b.md': 'two' });
    const sha = await engine.git.flush(1);
    expect(sha).toMatch(/^[0-9a-f]{40}$/);
  });
});
