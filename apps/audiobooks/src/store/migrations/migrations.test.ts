import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ulidSource } from '@holdfast/keyspace';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/audiobooks.ts';
import { seed, writeSeedDatabase } from '../../../test/seed-database.ts';
import { openAudiobooks } from '../../service/audiobooks.ts';
import { localListener } from '../../service/listener.ts';
import { browseBooks } from '../../service/queries/browse-books.ts';
import { showSeries } from '../../service/queries/groups.ts';
import { rebuildStatistics } from '../../service/statistics/count.ts';
import { verify } from '../../service/verify.ts';
import { readLog } from '../operations.ts';
import {
  bookListenSeconds,
  bookPlays,
  books,
  durationMaps,
  operationLogs,
  operations,
  playbackEvents,
  playlistItems,
  progress,
  workListenSeconds,
  workPlays,
  works,
} from '../definitions.ts';
import { openStore } from '../open.ts';
import { activeSegments } from '../timelines.ts';

async function migrated(more?: ReadonlyMap<string, string>) {
  const path = join(temporaryFolder(), 'audiobooks.db');
  await writeSeedDatabase(path, more);
  return { path, audiobooks: await openAudiobooks({ path }) };
}

describe('a library of the seed\u2019s first version', () => {
  it('gets works: editions of one title and author share one, books without an author do not', async () => {
    const { audiobooks } = await migrated();
    const { store } = audiobooks;
    const [dune, again, orphan, twin] = await store.list(books, {});
    expect(dune!.work_id).toBe(again!.work_id);
    expect(orphan!.work_id).not.toBe(twin!.work_id);
    expect(await store.list(works, {})).toHaveLength(3);
    expect(await store.get(workPlays, { work: dune!.work_id! })).toBe(7);
    expect(await store.get(workListenSeconds, { work: dune!.work_id! })).toBe(100);
    await store.close();
  });

  it('is sound afterwards: every record readable, every index right, nothing left of the old layout', async () => {
    const { audiobooks } = await migrated();
    expect((await verify(audiobooks, false)).problems).toEqual([]);
    const { items } = await browseBooks(audiobooks, localListener('U'), { limit: 10 });
    expect(items.map(({ title }) => title)).toEqual(['Best of: All', 'Best of: All', 'Dune', 'DUNE']);
    expect((await showSeries(audiobooks, 'Dune: Saga')).books).toHaveLength(1);
    expect(await audiobooks.store.get(books, { id: seed.dune })).toMatchObject({
      narrators: ['A', 'B'],
      isbn10: '080442957X',
      published_year: null,
      duration_ms: 121_000,
      created_at: '2026-01-19T09:00:00.000Z',
    });
    await audiobooks.store.close();
  });

  it('keeps order, map, progress, events, playlists, operations and their logs', async () => {
    const { audiobooks } = await migrated();
    const { store } = audiobooks;
    const { dune, user, operation, playlist, event, segment } = seed;
    expect((await activeSegments(store, dune)).map(({ id }) => id)).toEqual([segment(2), segment(1)]);
    expect(await store.list(durationMaps, { book_id: dune })).toMatchObject([
      { generation: 1, total_duration_ms: 121_000 },
    ]);
    const place = { book_position_ms: 70_500, position_seconds: 10, generation: 1 };
    expect(await store.get(progress, { user_id: user, book_id: dune })).toMatchObject({
      ...place,
      percent_complete: 58.26,
    });
    expect(await store.get(playbackEvents, { user_id: user, book_id: dune, id: event })).toMatchObject(place);
    expect(await store.get(playlistItems, { playlist, position: 1 })).toMatchObject({ book_id: dune });
    expect(await store.list(operations, {}, { reverse: true })).toMatchObject([{ id: operation, status: 'completed' }]);
    expect((await readLog(store, operation, 0, 10)).map(({ message }) => message)).toEqual(['line 1', 'line 2']);
    await store.transact(async (tx) =>
      tx.append(operationLogs, { op: operation }, (seq) => ({
        seq,
        timestamp: '2026-01-01T00:00:00.000Z',
        level: 'info',
        message: 'line 3',
        version: 1,
      })),
    );
    expect((await readLog(store, operation, 2, 10)).map(({ seq }) => seq)).toEqual([3]);
    await store.close();
  });

  it('keeps what was counted before, also when it is counted again', async () => {
    const { audiobooks } = await migrated();
    const { store } = audiobooks;
    expect(await store.get(playbackEvents, { user_id: seed.user, book_id: seed.dune, id: seed.event })).toMatchObject({
      seq: 1,
    });
    expect(await rebuildStatistics(audiobooks)).toEqual({ users: 1, events: 0, corrected: 0 });
    expect(await store.get(bookPlays, { book: seed.dune })).toBe(3);
    expect(await store.get(bookListenSeconds, { book: seed.dune })).toBe(100);
    await store.close();
  });

  it('is copied before, and migrated once', async () => {
    const { path, audiobooks } = await migrated();
    expect(existsSync(`${path}.before-version-5`)).toBe(true);
    const revision = await audiobooks.store.revision();
    await audiobooks.store.close();
    const again = await openStore({ path });
    expect(await again.revision()).toBe(revision);
    expect(await again.engine.get('meta:version')).toBe('5');
    expect(JSON.parse(String(await again.engine.get('mig:0000000002')))).toMatchObject({ id: 2 });
    await again.close();
  });

  it('of a thousand books is migrated in steps', async () => {
    const newId = ulidSource();
    const more = new Map<string, string>();
    for (let number = 0; number < 1_000; number++) {
      const id = newId();
      const at = '2026-01-19T10:00:00Z';
      const title = `Book ${number % 500}`;
      const value = {
        id,
        title,
        normalized_title: '',
        author_id: seed.author,
        series_id: null,
        created_at: at,
        updated_at: at,
        version: 1,
        tags: [],
      };
      more.set(`b:${id}`, JSON.stringify(value));
    }
    const { audiobooks } = await migrated(more);
    expect(await audiobooks.store.list(works, {})).toHaveLength(503);
    expect((await verify(audiobooks, false)).problems).toEqual([]);
    await audiobooks.store.close();
  });

  it('that is newer than this program is refused', async () => {
    const path = join(temporaryFolder(), 'audiobooks.db');
    await writeSeedDatabase(path, new Map([['meta:version', '99']]));
    await expect(openStore({ path })).rejects.toMatchObject({ code: 'SCHEMA_NEWER' });
  });
});
