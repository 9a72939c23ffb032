import { readFileSync, writeFileSync } from 'node:fs';

import { expect, it } from 'vitest';

import { openHarness } from '../../test/harness.ts';
import { openCodex } from './codex.ts';

it('leaves no watch behind if it cannot start on a damaged file, so the process can end', async () => {
  const { codex, home, create } = await openHarness();
  await create('a.md', 'text');
  const { path, reader } = codex.store;
  const { settings } = codex;
  const pages = reader.all<{ page: number }>(
    "SELECT rootpage AS page FROM sqlite_schema WHERE tbl_name IN ('notebooks', 'file_events', 'lanes')",
  );
  const { page_size: size } = reader.get<{ page_size: number }>('PRAGMA page_size')!;
  reader.get('PRAGMA wal_checkpoint(TRUNCATE)');
  await codex.close();
  const bytes = readFileSync(path);
  for (const { page } of pages) bytes.fill(0xa5, (page - 1) * size, page * size);
  writeFileSync(path, bytes);
  const watches = () => process.getActiveResourcesInfo().filter((name) => name === 'FSEventWrap').length;
  const before = watches();
  await expect(openCodex({ home, databasePath: path, settings })).rejects.toMatchObject({ code: 'STORE_CORRUPT' });
  expect(watches()).toBe(before);
});
