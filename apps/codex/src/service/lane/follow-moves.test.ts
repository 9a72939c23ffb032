import { appendFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { type Harness, openHarness, WAIT_MS } from '../../../test/harness.ts';
import type { EventResult, FileEvent } from '../../model/event.ts';
import { notebookPath } from '../../model/path.ts';
import { listUnresolved } from '../links.ts';
import { busyNotebooks, eventsOfBatch } from '../../store/events.ts';

async function settle({ codex }: Harness): Promise<void> {
  const deadline = performance.now() + WAIT_MS;
  while (busyNotebooks(codex.store.reader).length > 0) {
    if (performance.now() > deadline) throw new Error('the queue did not become empty');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

function updatesOf({ codex }: Harness, move: FileEvent): readonly FileEvent[] {
  const { links_correlation_id: id } = JSON.parse(move.result ?? '{}') as EventResult;
  return id === undefined ? [] : eventsOfBatch(codex.store.reader, id);
}

const move = (harness: Harness, from: string, to: string, links?: 'keep'): Promise<FileEvent> =>
  harness.run({ type: 'move', file: { path: notebookPath(from) }, dest_path: notebookPath(to), links });

describe('links that follow a move', () => {
  it('are rewritten in the notes that have them, in those alone, and in the note that moved', async () => {
    const harness = await openHarness();
    const { create, tree, run } = harness;
    await create('a.md', '[[sub/b]] [x](sub/b.md) [[c]]\r\n');
    await create('sub/b.md', '[up](../a.md) [beside](c.md) ![[p.png]]');
    await create('sub/c.md', 'no links');
    await create('sub/p.png', 'png');
    const done = await move(harness, 'sub/b.md', 'deep/er/new.md');
    await settle(harness);
    expect(tree()).toMatchObject({
      'a.md': '[[deep/er/new]] [x](deep/er/new.md) [[c]]\r\n',
      'deep/er/new.md': '[up](../../a.md) [beside](../../sub/c.md) ![[p.png]]',
      'sub/c.md': 'no links',
    });
    const updates = updatesOf(harness, done);
    expect(updates).toMatchObject([
      { status: 'completed', author: 'Ada', event_type: 'update' },
      { status: 'completed' },
    ]);
    // Moving a whole folder and moving it back leaves everything as before.
    const before = tree();
    const folder = (path: string, dest: string): Promise<FileEvent> =>
      run({ type: 'move_folder', path: notebookPath(path), dest_path: notebookPath(dest) });
    await folder('deep', 'x/y');
    await settle(harness);
    expect(harness.read('a.md')).toBe('[[x/y/er/new]] [x](x/y/er/new.md) [[c]]\r\n');
    await folder('x/y', 'deep');
    await settle(harness);
    expect(tree()).toEqual(before);
  });

  it('stay as they are when that is wanted, or when they still mean the same', async () => {
    const harness = await openHarness();
    const { create, read } = harness;
    await create('a.md', '[[b]] [b](b.md)');
    await create('b.md', '');
    expect(updatesOf(harness, await move(harness, 'b.md', 'c.md', 'keep'))).toEqual([]);
    await settle(harness);
    expect(read('a.md')).toBe('[[b]] [b](b.md)');
    await create('n.md', '[[d]]');
    await create('d.md', '');
    const moved = await move(harness, 'd.md', 'sub/d.md');
    await settle(harness);
    expect(updatesOf(harness, moved)).toEqual([]);
    expect(read('n.md')).toBe('[[d]]');
  });

  it('are rewritten in definitions, properties and HTML, or reported as unresolved', async () => {
    const harness = await openHarness();
    const { create, read, codex } = harness;
    await create('a.md', '---\nup: "[[b]]"\nbare: [[b]]\n---\n[t][r] <a href="b.md">b</a>\n\n[r]: b.md\n');
    await create('b.md', '');
    await move(harness, 'b.md', "sub/b's.md");
    await settle(harness);
    expect(read('a.md')).toBe(
      '---\nup: "[[b\'s]]"\nbare: [[b]]\n---\n[t][r] <a href="sub/b%27s.md">b</a>\n\n[r]: sub/b%27s.md\n',
    );
    const { data } = await listUnresolved(codex, { notebook: undefined, limit: 10, cursor: undefined });
    expect(data).toMatchObject([{ target: 'b', from: [{ path: 'a.md', line: 3 }] }]);
  });

  it('never overwrite what somebody writes at the same time', async () => {
    const harness = await openHarness({ settings: { retry_backoff: 0.01 } });
    const { create, codex, notebook } = harness;
    for (const name of ['a', 'b', 'c']) await create(`${name}.md`, `[[old/t]] ${name}`);
    await create('old/t.md', '');
    // Somebody has edited a.md on disk, and codex has not synced it yet. An update of b.md is queued behind the move.
    appendFileSync(join(notebook.path, 'a.md'), ' by hand');
    const requests = [
      { type: 'move', file: { path: notebookPath('old/t.md') }, dest_path: notebookPath('new/t.md') },
      { type: 'update', file: { path: notebookPath('b.md') }, content: Buffer.from('[[old/t]] b, changed') },
      { type: 'delete', file: { path: notebookPath('c.md') } },
    ] as const;
    await Promise.all(requests.map((request) => codex.publish({ notebookId: 1, author: 'Bo', requests: [request] })));
    await settle(harness);
    expect(harness.tree()).toEqual({
      'a.md': '[[new/t]] a by hand',
      'b.md': '[[new/t]] b, changed',
      'new/t.md': '',
    });
    expect(codex.store.reader.all("SELECT * FROM file_events WHERE status = 'failed'")).toEqual([]);
  });

  it('follow two moves that were done at once', async () => {
    const harness = await openHarness();
    const { create, codex, tree } = harness;
    await create('x/a.md', '[[y/b]] [b](../y/b.md)');
    await create('y/b.md', '[[x/a]] [a](../x/a.md)');
    await Promise.all(
      (
        [
          ['x', 'z/p'],
          ['y', 'z/q'],
        ] as const
      ).map(([path, dest]) =>
        codex.publish({
          notebookId: 1,
          author: 'Bo',
          requests: [{ type: 'move_folder', path: notebookPath(path), dest_path: notebookPath(dest) }],
        }),
      ),
    );
    await settle(harness);
    expect(tree()).toEqual({ 'z/p/a.md': '[[z/q/b]] [b](../q/b.md)', 'z/q/b.md': '[[z/p/a]] [a](../p/a.md)' });
  });
});
