import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { listened, newBook, report, tell } from '../../../test/player.ts';
import { runProgram } from '../../../test/process.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import {
  bookListenSeconds,
  bookPlays,
  books,
  playbackEvents,
  userListenSeconds,
  workListenSeconds,
} from '../../store/definitions.ts';
import { type Audiobooks, openAudiobooks } from '../audiobooks.ts';
import { catchUp, pruneEvents, rebuildStatistics } from './count.ts';

/** Kills counting and pruning between any two steps; totals must be unaffected. */

async function inside<T>(path: string, body: (audiobooks: Audiobooks) => Promise<T>): Promise<T> {
  const audiobooks = await openAudiobooks({ path });
  try {
    return await body(audiobooks);
  } finally {
    await audiobooks.store.close();
  }
}

async function totals(audiobooks: Audiobooks): Promise<readonly number[]> {
  const { store } = audiobooks;
  const found = [await store.get(userListenSeconds, { user: 'U' })];
  for (const { id: book, work_id: work } of await store.list(books, {})) {
    found.push(await store.get(bookPlays, { book }), await store.get(bookListenSeconds, { book }));
    found.push(await store.get(workListenSeconds, { work: work! }));
  }
  return found;
}

/** Stores enough reports that counting and pruning each take several steps. */
async function listenedTo(): Promise<{ readonly path: string; readonly expected: readonly number[] }> {
  const path = join(temporaryFolder(), 'audiobooks.db');
  await inside(path, async (audiobooks) => {
    const [one, two] = [await newBook(audiobooks), await newBook(audiobooks)];
    for (const [index, book] of [one, two, one, two, one].entries()) {
      await tell(audiobooks, listened(book, `sitting ${index}`, index * 4_000, 3_450));
    }
    await tell(audiobooks, [
      report(one, 'end', 30_000, { event_type: 'complete', position_ms: 3_600_000, session_id: 'end' }),
    ]);
  });
  const copy = join(temporaryFolder(), 'audiobooks.db');
  copyFileSync(path, copy);
  const expected = await inside(copy, async (audiobooks) => {
    await catchUp(audiobooks, 'U');
    return totals(audiobooks);
  });
  expect(expected[0]).toBe(5 * 3_450);
  return { path, expected };
}

it('killed between any two steps of counting and pruning, nothing is lost or counted twice', async () => {
  const { path, expected } = await listenedTo();
  const kill = async (action: string, failpoint: string): Promise<void> => {
    const { wasKilled, output } = await runProgram('listening-victim', [path, action], failpoint);
    expect(wasKilled, `${action} ${failpoint} ${output}`).toBe(true);
  };
  await kill('count', 'audiobooks.stats.counted:1');
  await kill('count', 'audiobooks.stats.counted:1');
  await kill('rebuild', 'audiobooks.stats.reset:1');
  for (const step of ['prune.kept:1', 'prune.kept:2', 'prune.removed:1', 'prune.removed:2']) {
    await kill('prune', `audiobooks.${step}`);
    await inside(path, async (audiobooks) => {
      await catchUp(audiobooks, 'U');
      expect(await totals(audiobooks), step).toEqual(expected);
    });
  }
  await kill('rebuild', 'audiobooks.stats.reset:1');
  await inside(path, async (audiobooks) => {
    await pruneEvents(audiobooks, { keepDays: 0, keepEvents: 3 });
    await rebuildStatistics(audiobooks);
    expect(await totals(audiobooks)).toEqual(expected);
    expect(await audiobooks.store.list(playbackEvents, { user_id: 'U' })).toHaveLength(2 * 3);
    expect((await audiobooks.store.verify()).problems).toEqual([]);
  });
});
