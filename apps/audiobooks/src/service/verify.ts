import type { Problem, VerifyReport } from '@holdfast/keyspace';
import type { Book, Segment } from '../model/book.ts';
import { sameTimeline } from '../model/timeline.ts';
import { countersOf, readBook, withDerived, writeBook } from '../store/books.ts';
import { bookCounts, books, libraryCounts, segments, works } from '../store/definitions.ts';
import { activeSegments, newestMap, switchTimeline } from '../store/timelines.ts';
import { type Audiobooks, stampFor } from './audiobooks.ts';
import { listeningProblems, rebuildStatistics } from './statistics/count.ts';

/**
 * Lets the keyspace verify indexes and logs. Then verifies the application's rules: totals and timelines match the
 * segments, every segment has a book, replacements form no cycle, derived fields and counts are right, and statistics
 * match the events.
 */
export async function verify(audiobooks: Audiobooks, repair: boolean): Promise<VerifyReport> {
  const report = repair ? await audiobooks.store.repair() : await audiobooks.store.verify();
  const problems: Problem[] = [...report.problems];
  const counts = new Map<string, number>();
  for await (const book of audiobooks.store.scan(books, {})) {
    for (const [counter, parts] of countersOf(book)) {
      const key = counter.template.encode(parts);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    problems.push(...(await checkBook(audiobooks, book, repair)));
  }
  for await (const segment of audiobooks.store.scan(segments, {})) {
    problems.push(...(await checkSegment(audiobooks, segment)));
  }
  problems.push(...(await checkCounts(audiobooks, counts, repair)), ...(await checkListening(audiobooks, repair)));
  return { ...report, problems };
}

async function checkListening(audiobooks: Audiobooks, repair: boolean): Promise<readonly Problem[]> {
  const found = await listeningProblems(audiobooks);
  if (found.length > 0 && repair) await rebuildStatistics(audiobooks);
  return found.map((problem) => ({ kind: 'wrong_counter', ...problem, repaired: repair }));
}

async function checkBook(audiobooks: Audiobooks, book: Book, repair: boolean): Promise<readonly Problem[]> {
  const key = books.template.encode({ id: book.id });
  const found: string[] = [];
  const active = await activeSegments(audiobooks.store, book.id);
  const duration = active.reduce((sum, segment) => sum + segment.duration_ms, 0);
  if (duration !== book.duration_ms || active.length !== book.segment_count) {
    found.push(
      `records ${book.duration_ms} ms in ${book.segment_count} files, but has ${duration} ms in ${active.length}`,
    );
  }
  const map = await newestMap(audiobooks.store, book.id);
  if (active.length > 0 && !sameTimeline(map, active))
    found.push('the newest duration map does not match the segments');
  if ((map?.generation ?? 0) !== book.generation) found.push('the generation differs from the newest duration map');
  if (JSON.stringify(withDerived(book)) !== JSON.stringify(book))
    found.push('derived fields do not match their sources');
  if (book.work_id === null || (await audiobooks.store.get(works, { id: book.work_id })) === undefined) {
    found.push('belongs to no work');
  }
  if (found.length > 0 && repair) await repairBook(audiobooks, book.id);
  return found.map((detail) => ({ kind: 'wrong_index' as const, key, detail, repaired: repair }));
}

function repairBook(audiobooks: Audiobooks, id: string): Promise<void> {
  const stamp = stampFor(audiobooks);
  return audiobooks.store.transact(async (tx) => {
    const book = await readBook(tx, id);
    if (book === undefined) return;
    const active = await activeSegments(tx, id);
    const timed = await switchTimeline(tx, { book, segments: active, method: 'packets', at: stamp.at });
    const map = await newestMap(tx, id);
    const work = book.work_id === null ? undefined : await tx.get(works, { id: book.work_id });
    const fixed = { ...timed, generation: map?.generation ?? 0, work_id: work === undefined ? null : book.work_id };
    await writeBook(tx, book, fixed, stamp);
  });
}

async function checkSegment({ store }: Audiobooks, segment: Segment): Promise<readonly Problem[]> {
  const key = segments.template.encode({ id: segment.id });
  const problem = (detail: string): Problem => ({ kind: 'wrong_index', key, detail, repaired: false });
  if ((await readBook(store, segment.book_id)) === undefined) return [problem('its book does not exist')];
  const seen = new Set([segment.id]);
  for (let next = segment.superseded_by; next !== null;) {
    if (seen.has(next)) return [problem('its replacements form a cycle')];
    seen.add(next);
    const replaced = await store.get(segments, { id: next });
    if (replaced === undefined) return [problem(`its replacement ${next} does not exist`)];
    next = replaced.superseded_by;
  }
  return [];
}

async function checkCounts(
  { store }: Audiobooks,
  counts: ReadonlyMap<string, number>,
  repair: boolean,
): Promise<readonly Problem[]> {
  const wrong: Problem[] = [];
  const check = async (key: string, expected: number): Promise<void> => {
    const counter = bookCounts.template.matches(key) ? bookCounts : libraryCounts;
    const parts = counter.template.decode(key) as { kind: string; value: string };
    const stored = await store.engine.get(key);
    if (Number(stored ?? 0) === expected) return;
    wrong.push({
      kind: 'wrong_counter',
      key,
      detail: `is ${Number(stored ?? 0)}, counted ${expected}`,
      repaired: repair,
    });
    if (repair)
      await store.transact(async (tx) => tx.add(counter as typeof bookCounts, parts, expected - Number(stored ?? 0)));
  };
  for (const [key, expected] of counts) await check(key, expected);
  for (const { template } of [bookCounts, libraryCounts]) {
    const { gte, lt } = template.range({});
    for (const [key] of await store.engine.range({ gte, lt, limit: 10_000_000, reverse: false })) {
      if (!counts.has(key)) await check(key, 0);
    }
  }
  return wrong;
}
