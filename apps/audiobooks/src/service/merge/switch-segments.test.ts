import { describe, expect, it } from 'vitest';
import { scanFinds, scannedBook, scannedFile, temporaryAudiobooks } from '../../../test/audiobooks.ts';
import { listenTo, progressOf } from '../../../test/listening.ts';
import type { EncodedFile } from '../../model/engines.ts';
import { books, durationMaps, operationLogs, operations, segments } from '../../store/definitions.ts';
import { insertOperation, makeOperation } from '../../store/operations.ts';
import { activeSegments } from '../../store/timelines.ts';
import type { Audiobooks } from '../audiobooks.ts';
import { switchBack, switchSegments } from './switch-segments.ts';

async function bookOfThree() {
  const audiobooks = await temporaryAudiobooks();
  const files = [1, 2, 3].map((number) => scannedFile(`A/${number}.mp3`, number, { durationMs: number * 10_000 }));
  await scanFinds(audiobooks, [scannedBook('A', files)]);
  const [book] = await audiobooks.store.list(books, {});
  return { audiobooks, files, book: book! };
}

async function newOperation(audiobooks: Audiobooks): Promise<string> {
  const request = { type: 'merge', target: audiobooks.newId(), params: {}, createdBy: 'test' } as const;
  return (
    await insertOperation(audiobooks.store, makeOperation(request, audiobooks.newId(), '2026-01-01T00:00:00.000Z'))
  ).id;
}

async function encodedFor(audiobooks: Audiobooks, bookId: string): Promise<EncodedFile> {
  let start = 0;
  const offsets = (await activeSegments(audiobooks.store, bookId)).map((segment) => {
    const offset = { segmentId: segment.id, startMs: start, durationMs: segment.duration_ms + 5 };
    start += offset.durationMs;
    return offset;
  });
  return { file: scannedFile('A/A.m4b', 77, { durationMs: start, format: 'm4b' }), offsets, originals: [] };
}

describe('the transaction of a merge', () => {
  it('switches segments, order, map and everyone, and says so in the log', async () => {
    const { audiobooks, book } = await bookOfThree();
    await listenTo(audiobooks, book.id, 1, 7, 'first');
    await listenTo(audiobooks, book.id, 2, 30, 'last');
    const old = await activeSegments(audiobooks.store, book.id);
    const operationId = await newOperation(audiobooks);
    const encoded = [await encodedFor(audiobooks, book.id)];
    const switched = await switchSegments(audiobooks, { bookId: book.id, generation: 1, encoded, operationId });

    const [merged, ...others] = await activeSegments(audiobooks.store, book.id);
    expect(others).toEqual([]);
    expect(merged).toMatchObject({ file_path: 'A/A.m4b', format: 'm4b', order: 0 });
    for (const { id } of old) {
      expect(await audiobooks.store.get(segments, { id })).toMatchObject({ active: false, superseded_by: merged!.id });
    }
    const after = await audiobooks.store.get(books, { id: book.id });
    expect(after).toMatchObject({ generation: 2, segment_count: 1, duration_ms: 60_015 });
    expect(await progressOf(audiobooks, book.id, 'first')).toMatchObject({
      segment_id: merged!.id,
      position_seconds: 17.005,
      generation: 2,
    });
    expect(await progressOf(audiobooks, book.id, 'last')).toMatchObject({ book_position_ms: 60_010 });
    expect(await audiobooks.store.list(durationMaps, { book_id: book.id })).toHaveLength(2);
    expect((await audiobooks.store.list(operationLogs, { op: operationId })).map(({ seq }) => seq)).toEqual([
      1, 2, 3, 4,
    ]);
    expect((await audiobooks.store.get(operations, { id: operationId }))?.result).toEqual(switched);
    expect((await audiobooks.store.verify()).problems).toEqual([]);
  });

  it('is undone by the inverse map, also for those who went on listening', async () => {
    const { audiobooks, files, book } = await bookOfThree();
    await listenTo(audiobooks, book.id, 1, 7);
    const operationId = await newOperation(audiobooks);
    const encoded = [await encodedFor(audiobooks, book.id)];
    const switched = await switchSegments(audiobooks, { bookId: book.id, generation: 1, encoded, operationId });
    await listenTo(audiobooks, book.id, 0, 35.01, 'later');
    const restored = switched.old_segments.map(({ id, path }, index) => ({
      bookId: book.id,
      segmentId: id,
      from: path,
      to: path,
      signature: files[index]!,
    }));
    await switchBack(audiobooks, { switched, restored, operationId: await newOperation(audiobooks) });
    const active = await activeSegments(audiobooks.store, book.id);
    expect(active.map(({ file_path: path }) => path)).toEqual(['A/1.mp3', 'A/2.mp3', 'A/3.mp3']);
    expect(await progressOf(audiobooks, book.id)).toMatchObject({ segment_id: active[1]!.id, position_seconds: 7 });
    expect(await progressOf(audiobooks, book.id, 'later')).toMatchObject({
      segment_id: active[2]!.id,
      position_seconds: 5,
    });
    expect((await audiobooks.store.verify()).problems).toEqual([]);
    const again = switchBack(audiobooks, { switched, restored, operationId: await newOperation(audiobooks) });
    await expect(again).rejects.toMatchObject({ code: 'UNDO_CONFLICT' });
  });

  it('is refused when the files changed meanwhile, and changes nothing then', async () => {
    const { audiobooks, files, book } = await bookOfThree();
    const encoded = [await encodedFor(audiobooks, book.id)];
    await scanFinds(audiobooks, [scannedBook('A', [...files, scannedFile('A/4.mp3', 4)])]);
    const revision = await audiobooks.store.revision();
    const request = { bookId: book.id, generation: 1, encoded, operationId: audiobooks.newId() };
    await expect(switchSegments(audiobooks, request)).rejects.toMatchObject({ code: 'MERGE_STALE' });
    expect(await audiobooks.store.revision()).toBe(revision);
  });

  it('is not taken back by a scan that still sees the originals', async () => {
    const { audiobooks, files, book } = await bookOfThree();
    await listenTo(audiobooks, book.id, 1, 7);
    const encoded = await encodedFor(audiobooks, book.id);
    const originals = (await activeSegments(audiobooks.store, book.id)).map(({ id, file_path: path }, index) => ({
      segmentId: id,
      path,
      signature: files[index]!,
    }));
    const operationId = await newOperation(audiobooks);
    await switchSegments(audiobooks, {
      bookId: book.id,
      generation: 1,
      encoded: [{ ...encoded, originals }],
      operationId,
    });
    await scanFinds(audiobooks, [scannedBook('A', [encoded.file, ...files])]);
    expect(await audiobooks.store.list(books, {})).toMatchObject([{ id: book.id, segment_count: 1, generation: 2 }]);
    expect(await progressOf(audiobooks, book.id)).toMatchObject({ position_seconds: 17.005 });
  });
});
