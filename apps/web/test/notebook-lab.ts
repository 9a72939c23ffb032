import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { Connection } from '@holdfast/sqlite';
import type { Page } from 'playwright-core';
import { expect, vi } from 'vitest';

import type { TestServer } from './server.ts';

const notes: Readonly<Record<string, string>> = {
  '.gitignore': 'shelf\n',
  'welcome.md': '---\ntitle: Welcome\ntags: [start, home]\nstatus: open\n---\n\nSee [[garden]] and [[greenhouse]].\n',
  'ideas/garden.md': '---\ntags: [garden]\n---\n# Garden\n\nBeds along the wall. Back to [[welcome]].\n',
  'ideas/kitchen.md': 'The kettle boils at 98 degrees.\n',
  'ideas/<img src=x onerror="document.title=1">.md': 'A name is text.\n',
  'runs/2026/first run.md': 'It boiled.\n',
  'templates/meeting.md': '# Meeting\n',
};

/** A typical folder of notes, added as a notebook. */
export function seedLab(server: TestServer): string {
  const folder = join(server.project, 'lab');
  for (const [path, text] of Object.entries(notes)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  server.run('holdfast', 'notebooks', 'add', 'lab', folder);
  return folder;
}

/** Creates a notebook with one folder of many files. Only index rows exist, because the tree reads nothing else. */
export async function seedPile(server: TestServer, { request }: Page, many: number): Promise<void> {
  server.run('holdfast', 'notebooks', 'add', 'pile');
  // Waits for the first scan before it adds the rows, because the scan would remove them.
  const place = `${server.url}/api/codex/notebooks/2`;
  const isWatching = async (): Promise<boolean | undefined> => {
    const status = (await (await request.get(`${place}/status`)).json()) as { watcher: { watching: boolean } | null };
    return status.watcher?.watching;
  };
  await vi.waitUntil(isWatching, { timeout: 15_000 });
  expect((await request.post(`${place}/reconcile`, { headers: { origin: server.url } })).status()).toBe(200);
  const database = new Connection(join(server.home, 'codex.db'));
  const at = '2026-01-01T00:00:00.000Z';
  database.exec(`
    INSERT INTO folders (id, notebook_id, path, path_key, created_at)
      SELECT 'pile-folder', id, 'all', 'all', '${at}' FROM notebooks WHERE name = 'pile';
    WITH RECURSIVE number (i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM number WHERE i + 1 < ${many})
    INSERT INTO files (id, notebook_id, path, path_key, size, hash, content_type, created_at, updated_at)
      SELECT printf('pile-%05d', i), notebooks.id, printf('all/note %05d.md', i), printf('all/note %05d.md', i),
        0, '', 'text/markdown', '${at}', '${at}'
      FROM number, notebooks WHERE notebooks.name = 'pile';
  `);
  database.close();
}
