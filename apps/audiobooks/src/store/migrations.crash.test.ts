import { join } from 'node:path';
import { expect, it } from 'vitest';
import { worksOf, writeLibraryBeforeWorks } from '../../test/before-works.ts';
import { runProgram } from '../../test/process.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { openAudiobooks } from '../service/audiobooks.ts';
import { verify } from '../service/verify.ts';
import { works } from './definitions.ts';

it.each([1, 2, 3])('a migration that is killed after step %i continues where it stopped', async (step) => {
  const folder = temporaryFolder();
  const path = join(folder, 'audiobooks.db');
  await writeLibraryBeforeWorks(
    path,
    Array.from({ length: 600 }, (_, number) => `Book ${number % 300}`),
  );
  const { wasKilled } = await runProgram('operation-victim', [path, folder, 'scan'], `keyspace.migrated:${step}`);
  expect(wasKilled).toBe(true);
  const audiobooks = await openAudiobooks({ path });
  expect((await verify(audiobooks, false)).problems).toEqual([]);
  expect(await worksOf(audiobooks)).not.toContain(null);
  expect(await audiobooks.store.list(works, {})).toHaveLength(303);
  await audiobooks.close();
});
