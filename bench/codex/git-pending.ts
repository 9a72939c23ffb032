import { stageContent } from '../../apps/codex/src/adapters/blobs.ts';
import { Tree } from '../../apps/codex/src/adapters/tree.ts';
import { notebookPath } from '../../apps/codex/src/model/path.ts';
import { insertEvent } from '../../apps/codex/src/store/events.ts';
import { putFile } from '../../apps/codex/src/store/files.ts';
import { addPending } from '../../apps/codex/src/store/git.ts';
import type { Store } from '../../apps/codex/src/store/open.ts';

/** Leaves pending changes for git as the worker does after writing files. */
export async function leaveForGit(
  store: Store,
  notebookId: number,
  root: string,
  files: readonly (readonly [path: string, text: string])[],
): Promise<void> {
  const at = new Date().toISOString();
  const author = 'Ada <ada@example.org>';
  const staged = await Promise.all(files.map(([, text]) => stageContent(root, Buffer.from(text))));
  using tree = new Tree(root);
  await store.write('changes', (tx) => {
    for (const [n, { hash, size, inline }] of staged.entries()) {
      const path = notebookPath(files[n]?.[0] ?? '');
      const operation = { type: 'delete', kind: 'file', path } as const;
      const { id: eventId } = insertEvent(tx, { notebookId, operation, author, now: at });
      tx.run("UPDATE file_events SET status = 'completed', processed_at = ? WHERE id = ?", at, eventId);
      const content = { blob_hash: hash, size, content: inline ?? null, mode: 0o644 };
      const row = {
        notebook_id: notebookId,
        kind: 'write',
        path,
        from_path: null,
        event_id: eventId,
        author,
        at,
      } as const;
      addPending(tx, { ...row, ...content });
      const state = tree.state(path);
      if (state === undefined) continue;
      const file = { id: `f-${path}`, notebookId, path, hash, state, contentType: 'text/markdown', eventId, now: at };
      putFile(tx, { ...file, git: { tracked: true, reason: null } });
    }
  });
}
