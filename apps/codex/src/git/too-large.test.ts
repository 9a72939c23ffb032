import { describe, expect, it } from 'vitest';

import { expectClean } from '../../test/clean-repository.ts';
import { filesInCommit } from '../../test/git-notebook.ts';
import { openHarness, WAIT_MS } from '../../test/harness.ts';
import { notebookPath } from '../model/path.ts';

describe('a file that grew too large for git', () => {
  it('keeps its last small version there, and goes when it is deleted', async () => {
    const { codex, notebook, create, run } = await openHarness({ settings: { git_max_file_bytes: 100 } });
    const path = notebookPath('a.md');
    await create('a.md', 'small');
    await create('b.md', 'other');
    await codex.git.flush(notebook.id);
    await run({ type: 'update', file: { path }, content: Buffer.from('x'.repeat(101)) });
    await codex.git.flush(notebook.id);
    expect(filesInCommit(notebook.path)).toEqual({ 'a.md': 'small', 'b.md': 'other' });
    await codex.run(
      { notebookId: notebook.id, author: 'Ada', requests: [{ type: 'delete', file: { path } }] },
      WAIT_MS,
    );
    await codex.git.flush(notebook.id);
    expect(filesInCommit(notebook.path)).toEqual({ 'b.md': 'other' });
    expectClean({ folder: notebook.path });
  });
});
