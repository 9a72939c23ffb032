import { afterAll, describe, expect, it } from 'vitest';

import { expectClean } from '../../test/clean-repository.ts';
import { filesOnDisk, openGitNotebook, removeFolders, temporaryFolder } from '../../test/git-notebook.ts';

afterAll(removeFolders);

describe('a server and a command that commit the same changes at the same time', () => {
  it('make each of them once', { timeout: 180_000 }, async () => {
    const base = temporaryFolder();
    const server = await openGitNotebook({ base });
    const command = await openGitNotebook({ base });
    try {
      await server.write('a.md', 'start');
      await server.flush();
      for (let round = 0; round < 8; round++) {
        // If this rename were committed twice, it would move the new content.
        await server.rename('a.md', `old/${round}.md`);
        await server.write('a.md', `round ${round}`);
        await Promise.all([server.flush(), command.flush()]);
      }
      // Each round makes two commits, because in a single commit the new file at the old path would hide the rename.
      expect(server.git('rev-list', '--count', 'HEAD').trim()).toBe('17');
      expect(filesOnDisk(server.folder)['old/7.md']).toBe('round 6');
      expect(server.pendingCount()).toBe(0);
      const shas = server.store.reader.all('SELECT DISTINCT commit_sha FROM file_events');
      expect(shas).toHaveLength(17);
      expectClean(server);
    } finally {
      await server.close();
      await command.close();
    }
  });
});
