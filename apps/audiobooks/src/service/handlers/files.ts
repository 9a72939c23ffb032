import type { mergeOptions, mergePreview, organiseInput, transcodeOptions } from '../../operations/files.ts';
import type { ByBook, ByLibrary, OperationView, PageRequest } from '../../operations/fields.ts';
import type { Caller, ObjectValue } from '@holdfast/operation';
import type { Operation, OperationOptions } from '../../model/operation.ts';
import type { Audiobooks } from '../audiobooks.ts';
import { mergeBooks } from '../changes/merge-books.ts';
import { chooseLibrary, findLibrary } from '../libraries.ts';
import { listenerOf, visibleBook } from '../listener.ts';
import { mergeBook, planMerge, transcodeBook } from '../merge/encode-book.ts';
import { organiseBooks, planRename } from '../organise-books.ts';
import { duplicatesPage } from '../queries/find-duplicates.ts';
import { scanLibrary } from '../scan-library.ts';
import { planTags, tagBook } from '../tag-book.ts';
import { undoOperation as undoDone } from '../operations/recover-operations.ts';
import { bookRowOf, bookRows, chapterViews, operationView } from '../views.ts';

/**
 * Starts a long operation. A server answers as soon as the operation is stored; commands and tools wait until it ends.
 */
async function startOperation(
  { background, inBackground, onProgress }: Audiobooks,
  { name, userId, idempotencyKey: key, signal }: Caller,
  run: (options: OperationOptions) => Promise<Operation>,
): Promise<OperationView> {
  // Idempotency keys belong to one user, so that nobody gets another user's operation.
  const idempotencyKey = key === undefined ? undefined : `${userId ?? ''}:${key}`;
  const options = { by: name, idempotencyKey };
  return operationView(
    inBackground
      ? await background.start((started) => run({ ...started, ...options }))
      : await run({ ...options, signal, onProgress }),
  );
}

export async function scan(audiobooks: Audiobooks, { library: given }: ByLibrary, caller: Caller) {
  const library = await findLibrary(audiobooks, given);
  return startOperation(audiobooks, caller, (options) => scanLibrary(audiobooks, { ...options, library }));
}

const LISTED_MAX = 2_000;

export async function previewOrganise(audiobooks: Audiobooks, input: ObjectValue<typeof organiseInput>) {
  const { library: given, template, books } = input;
  const library = await chooseLibrary(audiobooks, given, books);
  const { moves, refusals } = await planRename(audiobooks, { library, template, books });
  return {
    library: library.id,
    template,
    moves: moves.slice(0, LISTED_MAX).map(({ bookId, from, to }) => ({ book_id: bookId, from, to })),
    refusals: refusals.slice(0, LISTED_MAX).map(({ bookId, ...refusal }) => ({ book_id: bookId, ...refusal })),
    total_moves: moves.length,
    total_refusals: refusals.length,
  };
}

export async function organise(audiobooks: Audiobooks, input: ObjectValue<typeof organiseInput>, caller: Caller) {
  const { library: given, template, books } = input;
  const library = await chooseLibrary(audiobooks, given, books);
  return startOperation(audiobooks, caller, (options) =>
    organiseBooks(audiobooks, { ...options, library, template, books }),
  );
}

export async function previewMerge(audiobooks: Audiobooks, input: ObjectValue<typeof mergePreview>, caller: Caller) {
  const { book: given, bitrate_kbps: bitrate } = input;
  const listener = await listenerOf(audiobooks, caller);
  const book = await visibleBook(audiobooks.reader, listener, given);
  const { files, method, chapters } = await planMerge(audiobooks, book, bitrate);
  return {
    book: await bookRowOf(audiobooks.reader, book, listener.userId),
    files: files.length,
    paths: files.map(({ path }) => path),
    format: 'm4b',
    method,
    chapters: chapterViews(chapters),
    duration_ms: files.reduce((sum, { durationMs }) => sum + durationMs, 0),
    size_bytes: files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
  };
}

async function visibleBookId(audiobooks: Audiobooks, caller: Caller, given: string): Promise<string> {
  return (await visibleBook(audiobooks.reader, await listenerOf(audiobooks, caller), given)).id;
}

export async function mergeFiles(audiobooks: Audiobooks, input: ObjectValue<typeof mergeOptions>, caller: Caller) {
  const { book: given, bitrate_kbps: bitrateKbps, force } = input;
  const book = await visibleBookId(audiobooks, caller, given);
  return startOperation(audiobooks, caller, (options) =>
    mergeBook(audiobooks, { ...options, book, bitrateKbps, force }),
  );
}

export async function transcode(audiobooks: Audiobooks, input: ObjectValue<typeof transcodeOptions>, caller: Caller) {
  const { book: given, bitrate_kbps: bitrateKbps, format } = input;
  const book = await visibleBookId(audiobooks, caller, given);
  return startOperation(audiobooks, caller, (options) =>
    transcodeBook(audiobooks, { ...options, book, bitrateKbps, format }),
  );
}

export async function previewTags(audiobooks: Audiobooks, { book: given }: ByBook, caller: Caller) {
  const listener = await listenerOf(audiobooks, caller);
  const book = await visibleBook(audiobooks.reader, listener, given);
  const changes = await planTags(audiobooks, book);
  return {
    book: await bookRowOf(audiobooks.reader, book, listener.userId),
    files: new Set(changes.map(({ path }) => path)).size,
    changes: [...changes],
  };
}

export async function writeTags(audiobooks: Audiobooks, { book: given }: ByBook, caller: Caller) {
  const book = await visibleBookId(audiobooks, caller, given);
  return startOperation(audiobooks, caller, (options) => tagBook(audiobooks, { ...options, book }));
}

export function undo(audiobooks: Audiobooks, { operation }: { readonly operation: string }, caller: Caller) {
  return startOperation(audiobooks, caller, (options) =>
    undoDone(audiobooks, { ...options, operation: operation.toUpperCase() }),
  );
}

export async function listDuplicates(audiobooks: Audiobooks, page: PageRequest, caller: Caller) {
  const listener = await listenerOf(audiobooks, caller);
  const { items, cursor } = await duplicatesPage(audiobooks, (book) => listener.sees(book), page);
  const groups = items.map(async ({ reason, books, overlapPercent }) => ({
    reason,
    overlap_percent: overlapPercent ?? null,
    books: await bookRows(audiobooks.reader, books, listener.userId),
  }));
  return { data: await Promise.all(groups), next_cursor: cursor ?? null };
}

export async function mergeDuplicates(
  audiobooks: Audiobooks,
  input: { readonly keep: string; readonly drop: string },
  caller: Caller,
) {
  const listener = await listenerOf(audiobooks, caller);
  const keep = await visibleBook(audiobooks.reader, listener, input.keep);
  const drop = await visibleBook(audiobooks.reader, listener, input.drop);
  const { value, operation } = await mergeBooks(audiobooks, { keep: keep.id, other: drop.id, by: listener.name });
  return { book: await bookRowOf(audiobooks.reader, value, listener.userId), operation_id: operation.id };
}
