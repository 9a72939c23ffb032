import { join } from 'node:path';

import { type Audiobooks, browseBooks, localListener, recordPlayback } from '@holdfast/audiobooks';
import type { Keyspace } from '@holdfast/keyspace';

import { makeTask, openOurs, sidOf } from '../keyspace/workload.ts';
import { addTask } from '../keyspace/transaction.ts';
import { compare, type Context, type Figure } from '../lib/harness.ts';
import { generateLibrary } from './generated.ts';

const CALLERS = 64;
const BOOKS = 500;
const START = Date.UTC(2026, 0, 1);

/**
 * Workload: 64 listeners, each in their own book, report positions one after the other, as players do every fifteen
 * seconds. Each report is a durable event with two indexes and a number, plus the position with its index. Baseline:
 * the group commit of a plain keyspace, as in the benchmark keyspace.group_commit. The sides alternate in the same
 * process. Timed: from the first call until every commit is acknowledged.
 */
export async function benchmark(context: Context): Promise<readonly Figure[]> {
  const { audiobooks, close } = await generateLibrary(context.folder, 'library', BOOKS, context.progress);
  const plain = await openOurs(join(context.folder, 'plain.db'));
  const { items } = await browseBooks(audiobooks, localListener('bench'), { limit: CALLERS });
  const books = items.map(({ id }) => id);
  const perCaller = context.quick ? 3 : 25;
  const { ratio, oursMicros, baselineMicros } = await compare({
    operations: 1,
    rounds: context.quick ? 3 : 15,
    warmUpRounds: 4,
    ours: (round) => reportAll(audiobooks, books, round, perCaller),
    baseline: (round) => addAll(plain, round, perCaller),
  });
  await close();
  await plain.close();
  const perSecond = (micros: number): number => Math.round((CALLERS * perCaller * 1_000_000) / micros);
  return [
    {
      name: 'audiobooks.progress',
      // `ratio` compares times; reports per second are the inverse.
      value: 1 / ratio,
      unit: '×',
      baseline: `the keyspace's own group commit: ${perSecond(baselineMicros)}/s (ours ${perSecond(oursMicros)}/s)`,
      goal: 0.5,
      better: 'higher',
    },
  ];
}

async function reportAll(
  audiobooks: Audiobooks,
  books: readonly string[],
  round: number,
  perCaller: number,
): Promise<void> {
  await Promise.all(
    Array.from({ length: CALLERS }, async (_, caller) => {
      const listener = localListener(`listener-${caller}`);
      for (let step = round * perCaller; step < (round + 1) * perCaller; step++) {
        const { accepted } = await recordPlayback(audiobooks, listener, [
          {
            event_id: `event-${step}`,
            book_id: books[caller] ?? '',
            event_type: 'progress',
            position_ms: (step * 1_000) % 500_000,
            generation: 1,
            occurred_at: new Date(START + step * 15_000).toISOString(),
            play_speed: 1,
            device_id: 'bench',
            session_id: 'bench',
          },
        ]);
        if (accepted !== 1) throw new Error('A report was not taken in');
      }
    }),
  );
}

async function addAll(keyspace: Keyspace, round: number, perCaller: number): Promise<void> {
  await Promise.all(
    Array.from({ length: CALLERS }, async (_, caller) => {
      const first = (round * CALLERS + caller) * perCaller;
      for (let n = first; n < first + perCaller; n++) await addTask(keyspace, sidOf(caller), makeTask(n));
    }),
  );
}
