import { failpoint } from '@holdfast/base';
import type { Book } from '../../model/book.ts';
import type { Chapter } from '../../model/chapters.ts';
import type { EncodeRequest, OperationContext } from '../../model/engines.ts';
import { audiobookErrors } from '../../model/errors.ts';
import type { Operation, OperationOptions } from '../../model/operation.ts';
import { fileFacts } from '../../store/definitions.ts';
import { activeSegments } from '../../store/timelines.ts';
import type { Audiobooks } from '../audiobooks.ts';
import { bookFacts } from '../book-facts.ts';
import { libraryById } from '../libraries.ts';
import { type OperationOutcome, runOperation } from '../operations/run-operation.ts';
import { resolveBook } from '../queries/resolve.ts';
import { bookChapters } from '../views.ts';
import { switchBack, type Switched, switchSegments } from './switch-segments.ts';

interface MergePlan {
  readonly files: readonly { readonly path: string; readonly durationMs: number; readonly sizeBytes: number }[];
  /** Whether the audio is copied or encoded again. */
  readonly method: 'copy' | 'encode';
  readonly chapters: readonly Chapter[];
}

/** Plans a merge from the data of the last scan; changes nothing. */
export function planMerge({ store }: Audiobooks, book: Book, bitrateKbps: number | undefined): Promise<MergePlan> {
  return store.snapshot(async (reads) => {
    const segments = await activeSegments(reads, book.id);
    if (segments.length === 0) throw audiobookErrors.SEGMENT_NOT_FOUND(`${book.title} has no files.`);
    const facts = await reads.getMany(
      fileFacts,
      segments.map(({ id }) => ({ segment: id })),
    );
    const streams = new Set(facts.map((known) => JSON.stringify(known?.stream ?? null)));
    const areMp4 = segments.every(({ format, codec }) => /^m4[ab]$/u.test(format) && /^(?:aac|alac)$/u.test(codec));
    return {
      files: segments.map(({ file_path: path, duration_ms: durationMs, size_bytes: sizeBytes }) => ({
        path,
        durationMs,
        sizeBytes,
      })),
      method: areMp4 && streams.size === 1 && bitrateKbps === undefined ? 'copy' : 'encode',
      chapters: await bookChapters(reads, book, segments),
    };
  });
}

interface EncodeBookRequest extends OperationOptions {
  readonly book: string;
  readonly bitrateKbps?: number | undefined;
}

/** Merges all files of a book into one m4b. Converts all positions to the new file. */
export async function mergeBook(
  audiobooks: Audiobooks,
  request: EncodeBookRequest & { readonly force?: boolean | undefined },
): Promise<Operation> {
  if (request.force !== true && request.bitrateKbps === undefined) await refuseMerged(audiobooks, request.book);
  return encode(audiobooks, request, 'merge', {}, (prepared) => audiobooks.engines.merge.merge(prepared));
}

async function refuseMerged({ store }: Audiobooks, given: string): Promise<void> {
  const { id, title } = await resolveBook(store, given);
  const [only, ...others] = await activeSegments(store, id);
  if (only?.format !== 'm4b' || others.length > 0) return;
  throw audiobookErrors.MERGE_NEEDLESS(`${title} is already a single m4b: ${only.file_path}`);
}

/** Converts every file of a book to another format. */
export function transcodeBook(
  audiobooks: Audiobooks,
  request: EncodeBookRequest & { readonly format: string },
): Promise<Operation> {
  const { format } = request;
  return encode(audiobooks, request, 'transcode', { format }, (prepared) =>
    audiobooks.engines.merge.transcode({ ...prepared, format }),
  );
}

async function encode(
  audiobooks: Audiobooks,
  request: EncodeBookRequest,
  type: 'merge' | 'transcode',
  more: Readonly<Record<string, unknown>>,
  run: (prepared: EncodeRequest) => Promise<void>,
): Promise<Operation> {
  const book = await resolveBook(audiobooks.store, request.book);
  if (book.library_id === null) throw audiobookErrors.LIBRARY_NOT_FOUND(`${book.title} has no files.`);
  const library = await libraryById(audiobooks, book.library_id);
  const params = { book: book.id, library: library.id, ...more };
  const operation = { ...request, type, target: `book:${book.id}`, params, createdBy: request.by };
  return runOperation(audiobooks, operation, async (context) => {
    const facts = await bookFacts(audiobooks.store, book);
    let switched: Switched | undefined;
    await run({
      root: library.root,
      book: facts,
      ...(request.bitrateKbps === undefined ? {} : { bitrateKbps: request.bitrateKbps }),
      context,
      switchSegments: async (encoded) => {
        failpoint('audiobooks.merge.switching');
        const { operationId } = context;
        switched = await switchSegments(audiobooks, {
          bookId: book.id,
          generation: facts.generation,
          encoded,
          operationId,
        });
        failpoint('audiobooks.merge.switched');
      },
    });
    if (switched === undefined) throw audiobookErrors.MERGE_STALE('The engine returned no new file.');
    return { result: { ...switched }, undoable: true };
  });
}

/** Undoes a merge: restores the original files and converts all positions back. */
export async function undoMerge(
  audiobooks: Audiobooks,
  done: Operation,
  context: OperationContext,
): Promise<OperationOutcome> {
  const switched = done.result as unknown as Switched;
  const library = await libraryById(audiobooks, String(done.params['library']));
  await audiobooks.engines.merge.undo({
    root: library.root,
    context,
    restore: switched.old_segments.map(({ id, path, kept_at: from }) => ({ segmentId: id, from, to: path })),
    remove: switched.new_segments.map(({ path }) => path),
    committed: async (restored) => {
      failpoint('audiobooks.merge.switching-back');
      await switchBack(audiobooks, { switched, restored, operationId: context.operationId });
      failpoint('audiobooks.merge.switched-back');
    },
  });
  return { result: { book: switched.book_id } };
}

/** Returns whether undo has already switched the book back to its original files. */
export async function isSwitchedBack({ store }: Audiobooks, done: Operation): Promise<boolean> {
  const switched = done.result as unknown as Switched;
  const active = await activeSegments(store, switched.book_id);
  return active.some(({ id }) => switched.old_segments.some((old) => old.id === id));
}
