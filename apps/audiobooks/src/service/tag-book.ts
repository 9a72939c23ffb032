import { audiobookErrors } from '../model/errors.ts';
import type { Operation, OperationOptions } from '../model/operation.ts';
import { segments } from '../store/definitions.ts';
import { writeSegments } from '../store/timelines.ts';
import { bookFacts } from './book-facts.ts';
import { type Audiobooks, stampFor } from './audiobooks.ts';
import { libraryById } from './libraries.ts';
import { type OperationOutcome, runOperation } from './operations/run-operation.ts';
import type { OperationContext, TagsWritten } from '../model/engines.ts';
import type { FileSignature } from '../model/scanned.ts';
import { resolveBook } from './queries/resolve.ts';

export interface TagRequest extends OperationOptions {
  readonly book: string;
}

export async function tagBook(audiobooks: Audiobooks, request: TagRequest): Promise<Operation> {
  const book = await resolveBook(audiobooks.store, request.book);
  if (book.library_id === null) throw audiobookErrors.LIBRARY_NOT_FOUND(`${book.title} has no files.`);
  const library = await libraryById(audiobooks, book.library_id);
  const params = { book: book.id, library: library.id };
  const operation = { ...request, type: 'tag', target: `book:${book.id}`, params, createdBy: request.by } as const;
  return runOperation(audiobooks, operation, (context) => writeTags(audiobooks, book.id, context));
}

/** Writes the tags of all files. Can be repeated after an interruption: it skips files that already have the tags. */
export async function writeTags(
  audiobooks: Audiobooks,
  bookId: string,
  context: OperationContext,
): Promise<OperationOutcome> {
  const book = await resolveBook(audiobooks.store, bookId);
  const { root } = await libraryById(audiobooks, book.library_id ?? '');
  const written: TagsWritten = ({ segmentId, signature }) => noteWritten(audiobooks, segmentId, signature);
  await audiobooks.engines.tags.recover({ root, context, written });
  const facts = await bookFacts(audiobooks.store, book);
  let current = await filesDone(context);
  await audiobooks.engines.tags.write({
    root,
    book: facts,
    context,
    written: async (file) => {
      await written(file);
      current += 1;
      context.progress(current, facts.files.length, 'files');
    },
  });
  return { result: { book: book.id, files: await filesDone(context) } };
}

async function filesDone({ journal }: OperationContext): Promise<number> {
  return (await journal.steps()).filter(({ state }) => state === 'done').length;
}

function noteWritten(audiobooks: Audiobooks, id: string, signature: FileSignature): Promise<void> {
  const { at } = stampFor(audiobooks);
  const { device, inode, size, mtimeNs } = signature;
  return audiobooks.store.transact(async (tx) => {
    const before = await tx.get(segments, { id });
    if (before === undefined) return;
    const facts = { device, inode, size_bytes: size, mtime_ns: mtimeNs, hash_sha256: null, updated_at: at };
    await writeSegments(tx, [{ before, after: { ...before, ...facts } }]);
  });
}
