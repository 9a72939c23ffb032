import { beforeEach, describe, expect, it } from 'vitest';
import { scanFinds, scannedBook, scannedFile, temporaryAudiobooks } from '../../../test/audiobooks.ts';
import { counting } from '../../../test/counting-engine.ts';
import { report, tell } from '../../../test/player.ts';
import type { SmartQuery } from '../../model/smart-query.ts';
import { books, playlistItems } from '../../store/definitions.ts';
import type { Audiobooks } from '../audiobooks.ts';
import { localListener } from '../listener.ts';
import { shelvesOf } from '../shelves.ts';
import { addItems, moveItem, pageOfItems, removeItems } from './items.ts';
import { changePlaylist, createPlaylist, listPlaylists, removePlaylist, seenPlaylist } from './playlists.ts';
import { evaluateQuery } from './smart.ts';

let audiobooks: Audiobooks;
let ids: readonly string[];
const local = localListener('U');
const ann = { ...local, can: { ...local.can, edit: false } };
const editor = localListener('E');

/** Thirty books in three series; every fifth book is long, and titles sort by number. */
beforeEach(async () => {
  audiobooks = await temporaryAudiobooks();
  await scanFinds(
    audiobooks,
    Array.from({ length: 30 }, (_, number) =>
      scannedBook(
        `F/${number}`,
        [scannedFile(`F/${number}/1.mp3`, number, { durationMs: number % 5 === 0 ? 7_200_000 : 600_000 })],
        {
          title: `Story ${String(number).padStart(2, '0')}`,
          authors: [`Author ${number % 3}`],
          series: [{ name: `Saga ${number % 3}`, sequence: String(Math.floor(number / 3) + 1) }],
          genres: [number % 2 === 0 ? 'History' : 'Crime'],
          year: 2_000 + number,
        },
      ),
    ),
  );
  ids = (await audiobooks.store.list(books.by.sortTitle, {})).map(({ id }) => id);
});

describe('a playlist', () => {
  it('keeps its order through insertions, moves and removals, however many go to one place', async () => {
    const { id: playlist } = await createPlaylist(audiobooks, ann, { name: 'Mine' });
    const wanted: string[] = [];
    const order = async () =>
      (await pageOfItems(audiobooks.store, ann, playlist, { limit: 100 })).items.map(({ book }) => book.id);
    for (const [number, book] of ids.entries()) {
      // Repeated insertion before the second item soon exhausts the gap, so the playlist is renumbered.
      await addItems(audiobooks, ann, { playlist, books: [book], before: number < 2 ? undefined : wanted[1] });
      wanted.splice(number < 2 ? number : 1, 0, book);
    }
    expect(await order()).toEqual(wanted);
    await moveItem(audiobooks, ann, { playlist, book: wanted[29]!, before: wanted[0] });
    wanted.unshift(wanted.pop()!);
    await moveItem(audiobooks, ann, { playlist, book: wanted[3]! });
    wanted.push(...wanted.splice(3, 1));
    const [removed] = wanted.splice(5, 1);
    await removeItems(audiobooks, ann, { playlist, books: [removed!] });
    expect(await order()).toEqual(wanted);
    const first = await pageOfItems(audiobooks.store, ann, playlist, { limit: 20 });
    const rest = await pageOfItems(audiobooks.store, ann, playlist, { limit: 20, cursor: first.cursor });
    expect([...first.items, ...rest.items].map(({ book }) => book.id)).toEqual(wanted);
    const again = await addItems(audiobooks, ann, { playlist, books: [wanted[0]!] });
    expect(again.items).toMatchObject([{ book_id: wanted[0], position: null }]);
    await expect(removeItems(audiobooks, ann, { playlist, books: [removed!] })).rejects.toMatchObject({
      code: 'PLAYLIST_ITEM_NOT_FOUND',
    });
    expect((await audiobooks.store.verify()).problems).toEqual([]);
  });

  it('is full at some point, wherever a book is to be put', async () => {
    const { id: playlist } = await createPlaylist(audiobooks, ann, { name: 'Long' });
    const item = JSON.stringify({ book_id: audiobooks.newId(), added_at: '2026-01-01T00:00:00.000Z', version: 1 });
    await audiobooks.store.transact(async (tx) => {
      for (let position = 1; position < 10_000; position++) {
        tx.writeKey(playlistItems.template.encode({ playlist, position: 1_024 * position }), item);
      }
    });
    const [last, ...further] = ids as [string, string, string];
    await addItems(audiobooks, ann, { playlist, books: [last] });
    for (const before of [undefined, last]) {
      const refused = addItems(audiobooks, ann, { playlist, books: [further[0]], before });
      await expect(refused).rejects.toMatchObject({ code: 'PLAYLIST_FULL' });
    }
  });

  it('belongs to one person, or to everybody and those who may edit', async () => {
    const own = await createPlaylist(audiobooks, ann, { name: 'Mine' });
    const shared = await createPlaylist(audiobooks, editor, { name: 'Ours', shared: true });
    await expect(seenPlaylist(audiobooks.store, editor, own.id)).rejects.toMatchObject({ code: 'PLAYLIST_NOT_FOUND' });
    await expect(removePlaylist(audiobooks, editor, own.id)).rejects.toMatchObject({ code: 'PLAYLIST_NOT_FOUND' });
    await expect(changePlaylist(audiobooks, ann, shared.id, { name: 'x' })).rejects.toMatchObject({
      code: 'RIGHTS_MISSING',
    });
    const refused = createPlaylist(audiobooks, ann, { name: 'x', shared: true });
    await expect(refused).rejects.toMatchObject({ code: 'RIGHTS_MISSING' });
    const names = async (limit: number) => {
      const found: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await listPlaylists(audiobooks, ann, { limit, cursor });
        found.push(...page.items.map(({ name }) => name));
        ({ cursor } = page);
      } while (cursor !== undefined);
      return found;
    };
    expect(await names(1)).toEqual(['Mine', 'Ours']);
    expect(await names(10)).toEqual(['Mine', 'Ours']);
  });
});

describe('a smart playlist', () => {
  const ask = async (query: Partial<SmartQuery>, limit = 7) => {
    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await evaluateQuery(audiobooks, ann, { sort: 'title', limit: null, ...query }, { limit, cursor });
      found.push(...page.items.map(({ title }) => title));
      ({ cursor } = page);
    } while (cursor !== undefined);
    return found;
  };

  it('has what its conditions say, page by page', async () => {
    await tell(audiobooks, [report(ids[4]!, 'a', 60), report(ids[6]!, 'b', 600, { event_type: 'complete' })]);
    const history = { field: 'genre', op: 'is', value: 'history' } as const;
    expect(await ask({ all: [history] })).toHaveLength(15);
    expect(await ask({ all: [history, { field: 'state', op: 'is', value: 'unstarted' }] })).toHaveLength(13);
    expect(await ask({ all: [history, { field: 'duration', op: 'more', value: 60 }] })).toEqual([
      'Story 00',
      'Story 10',
      'Story 20',
    ]);
    expect(
      await ask({
        any: [
          { field: 'year', op: 'less', value: 2_002 },
          { field: 'title', op: 'starts', value: 'Story 2' },
        ],
      }),
    ).toHaveLength(12);
    expect(
      await ask({
        all: [
          { field: 'series', op: 'is', value: 'Saga 1' },
          { field: 'genre', op: 'is_not', value: 'history' },
        ],
      }),
    ).toHaveLength(5);
    expect(await ask({ all: [], sort: 'recent' })).toEqual(['Story 06', 'Story 04']);
    expect(await ask({ all: [], sort: 'added', limit: 3 }, 2)).toHaveLength(3);
  });

  it('reads no more than its page needs when an index has what it asks for', async () => {
    const counted = counting(audiobooks);
    const query: SmartQuery = { all: [{ field: 'series', op: 'is', value: 'Saga 1' }], sort: 'title', limit: null };
    await evaluateQuery(counted.audiobooks, ann, query, { limit: 5 });
    expect(counted.reads()).toBeLessThanOrEqual(3 * 10);
  });
});

describe('shelves', () => {
  it('offer what was begun, and the next of what was finished', async () => {
    const done = { event_type: 'complete' } as const;
    await tell(audiobooks, [
      report(ids[0]!, 'a', 1, done),
      report(ids[3]!, 'b', 2, done),
      report(ids[1]!, 'c', 3, done),
    ]);
    await tell(audiobooks, [report(ids[7]!, 'd', 4), report(ids[11]!, 'e', 90)]);
    const found = await shelvesOf(audiobooks, ann);
    const titles = (shelf: readonly { title: string }[]) => shelf.map(({ title }) => title);
    expect(titles(found.continue)).toEqual(['Story 11', 'Story 07']);
    expect(titles(found.finished)).toEqual(['Story 01', 'Story 03', 'Story 00']);
    // One book of Saga 1 is in progress; two of Saga 0 are finished.
    expect(titles(found.next_in_series)).toEqual(['Story 06']);
    expect(found.recently_added).toHaveLength(20);
  });
});
