import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runProgram } from '../../../test/process.ts';
import { seed, writeSeedDatabase } from '../../../test/seed-database.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { openAudiobooks } from '../../service/audiobooks.ts';
import { verify } from '../../service/verify.ts';
import { bookCounts, books, works } from '../definitions.ts';

it.each([1, 2, 3, 6, 10, 14])('a migration that is killed after step %i goes on where it was', async (step) => {
  const folder = temporaryFolder();
  const path = join(folder, 'audiobooks.db');
  await writeSeedDatabase(path);
  const { wasKilled } = await runProgram('operation-victim', [path, folder, 'scan'], `keyspace.migrated:${step}`);
  expect(wasKilled).toBe(true);
  const audiobooks = await openAudiobooks({ path });
  expect((await verify(audiobooks, false)).problems).toEqual([]);
  expect(await audiobooks.store.list(books, {})).toHaveLength(4);
  expect(await audiobooks.store.list(works, {})).toHaveLength(3);
  expect(await audiobooks.store.get(bookCounts, { kind: 'author', value: seed.author })).toBe(2);
  await audiobooks.store.close();
});
