import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/audiobooks.ts';
import { worksOf, writeLibraryBeforeWorks } from '../../test/before-works.ts';
import { openAudiobooks } from '../service/audiobooks.ts';
import { verify } from '../service/verify.ts';
import { workListenSeconds, workPlays, works } from './definitions.ts';
import { openStore } from './open.ts';

async function migrated(more?: readonly string[]) {
  const path = join(temporaryFolder(), 'audiobooks.db');
  await writeLibraryBeforeWorks(path, more);
  return { path, audiobooks: await openAudiobooks({ path }) };
}

describe('a library from before works', () => {
  it('gets works: editions of one title and author share one, books without an author do not', async () => {
    const { audiobooks } = await migrated();
    const { store } = audiobooks;
    const [dune, again, orphan, twin] = await worksOf(audiobooks);
    expect(dune).toBe(again);
    expect(orphan).not.toBe(twin);
    expect(await store.list(works, {})).toHaveLength(3);
    expect(await store.get(workPlays, { work: dune! })).toBe(6);
    expect(await store.get(workListenSeconds, { work: dune! })).toBe(100);
    expect((await verify(audiobooks, false)).problems).toEqual([]);
    await audiobooks.close();
  });

  it('is backed up before the migration, which runs once', async () => {
    const { path, audiobooks } = await migrated();
    expect(existsSync(`${path}.before-version-2`)).toBe(true);
    const revision = await audiobooks.store.revision();
    await audiobooks.close();
    const again = await openStore({ path });
    expect(await again.revision()).toBe(revision);
    expect(await again.engine.get('meta:version')).toBe('2');
    expect(JSON.parse(String(await again.engine.get('mig:0000000002')))).toMatchObject({ id: 2 });
    await again.close();
  });

  it('is migrated in several transactions if it is large', async () => {
    const { audiobooks } = await migrated(Array.from({ length: 600 }, (_, number) => `Book ${number % 300}`));
    expect(await audiobooks.store.list(works, {})).toHaveLength(303);
    expect((await verify(audiobooks, false)).problems).toEqual([]);
    await audiobooks.close();
  });

  it('is refused if it is newer than this program', async () => {
    const path = join(temporaryFolder(), 'audiobooks.db');
    const store = await openStore({ path });
    await store.transact(async (tx) => tx.writeKey('meta:version', '99'));
    await store.close();
    await expect(openStore({ path })).rejects.toMatchObject({ code: 'SCHEMA_NEWER' });
  });
});
