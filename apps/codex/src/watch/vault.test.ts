import { lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { expect, it } from 'vitest';

import { openHarness, WAIT_MS } from '../../test/harness.ts';
import { addNotebook } from '../service/notebooks.ts';
import { countPendingAfter } from '../store/git.ts';

const vault = {
  '.obsidian/app.json': '{"attachmentFolderPath":"files"}',
  '.obsidian/workspace.json': '{}',
  'Home.md': '---\naliases: [Start]\n---\r\n# Home\r\n[[Daily/2026-01-30#Plan]] ==x== %%c%% ^id\r\n',
  'Daily/2026-01-30.md': '\uFEFF# Plan\n\n> [!tip]\n> text[^1]\n\n[^1]: note\n',
  'broken.md': '---\na: [\n---\nno newline at the end',
  'files/p.png': '\u0089PNG\0',
  'Canvas.canvas': '{"nodes":[]}',
};

function snapshot(folder: string): unknown {
  const entries = readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted();
  return entries
    .filter((path) => !/^\.(?:git|codex)(?:\/|$)/u.test(path))
    .map((path) => {
      const { mode, mtimeMs, ino, size } = lstatSync(join(folder, path));
      const isFile = lstatSync(join(folder, path)).isFile();
      return isFile ? [path, mode, mtimeMs, ino, size, readFileSync(join(folder, path), 'base64')] : [path, mode];
    });
}

it('opening an Obsidian vault changes none of its files', async () => {
  const { codex, home } = await openHarness({ settings: { watch: true, git_quiet_interval: 0.05 } });
  const folder = join(home, 'notebooks', 'vault');
  for (const [path, text] of Object.entries(vault)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text, path.endsWith('.png') ? 'latin1' : 'utf8');
  }
  const before = snapshot(folder);
  const { id } = await addNotebook(codex, { name: 'vault', path: folder });
  const known = (): number =>
    codex.store.reader.get<{ n: number }>('SELECT count(*) AS n FROM note_index WHERE notebook_id = ?', id)?.n ?? 0;
  // Obsidian's workspace is ignored.
  await expect.poll(known, { timeout: WAIT_MS }).toBe(Object.keys(vault).length - 1);
  await codex.git.flush(id);
  expect(countPendingAfter(codex.store.reader, id, 0, 10)).toBe(0);
  expect(snapshot(folder)).toEqual(before);
});
