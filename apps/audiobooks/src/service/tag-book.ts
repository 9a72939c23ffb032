import { failpoint } from '@holdfast/base';
import type { Transaction } from '@holdfast/keyspace';
import type { Book, Segment } from '../model/book.ts';
import type { OperationContext, RetaggedFile, TagChange } from '../model/engines.ts';
import { audiobookErrors } from '../model/errors.ts';
import type { Operation, OperationOptions } from '../model/operation.ts';
import type { Library } from '../model/records.ts';
import { assets, books, fileFacts, operations, segments } from '../store/definitions.ts';
import { activeSegments, writeSegments } from '../store/timelines.ts';
import { factsOfFile } from './apply-scan/scanned-fields.ts';
import { type Audiobooks, stampFor } from './audiobooks.ts';
import { bookFacts } from './book-facts.ts';
import { libraryById } from './libraries.ts';
import { type OperationOutcome, runOperation } from './operations/run-operation.ts';
import { resolveBook } from './queries/resolve.ts';

/** Undo data, stored as the result of the operation. */
interface Tagged {
  readonly book_id: string;
  readonly switched: true;
  readonly tagged: readonly {
    readonly id: string;
    readonly kept_at: string;
    readonly device: string;
    readonly inode: string;
    readonly size: number;
    readonly mtime_ns: string;
    /** Previous chapters of the segment, if they changed. */
    readonly chapters?: Segment['chapters'] | undefined;
  }[];
}

/** Lists the tags that would change, without changing anything. */
export async function planTags(audiobooks: Audiobooks, book: Book): Promise<readonly TagChange[]> {
  const { root } = await libraryOf(audiobooks, book);
  return audiobooks.engines.tags.preview({ root, book: await bookFacts(audiobooks.store, book) });
}

/** Writes a book's metadata into all of its files or none. */
export async function tagBook(
  audiobooks: Audiobooks,
  request: OperationOptions & { readonly book: string },
): Promise<Operation> {
  const book = await resolveBook(audiobooks.store, request.book);
  const library = await libraryOf(audiobooks, book);
  const params = { book: book.id, library: library.id };
  const operation = { ...request, type: 'tag', target: `book:${book.id}`, params, createdBy: request.by } as const;
  return runOperation(audiobooks, operation, async (context) => {
    const facts = await bookFacts(audiobooks.store, book);
    const before = new Map((await activeSegments(audiobooks.store, book.id)).map(({ id, chapters }) => [id, chapters]));
    let tagged: Tagged | undefined;
    await audiobooks.engines.tags.write({
      root: library.root,
      book: facts,
      context,
      committed: async (files) => {
        failpoint('audiobooks.tags.committing');
        tagged = {
          book_id: book.id,
          switched: true,
          tagged: files.map(({ segmentId: id, kept, file, chapters }) => {
            const { device, inode, size, mtimeNs } = file;
            const old = chapters === undefined ? {} : { chapters: before.get(id) };
            return { id, kept_at: kept, device, inode, size, mtime_ns: mtimeNs, ...old };
          }),
        };
        const result = { ...tagged };
        await storeFiles(audiobooks, book.id, files, (tx) =>
          tx.update(operations, { id: context.operationId }, (now) => ({ ...now, result })),
        );
        failpoint('audiobooks.tags.committed');
      },
    });
    return tagged === undefined
      ? { result: { book_id: book.id, tagged: [] } }
      : { result: { ...tagged }, undoable: true };
  });
}

async function libraryOf(audiobooks: Audiobooks, { library_id: id, title }: Book): Promise<Library> {
  if (id === null) throw audiobookErrors.LIBRARY_NOT_FOUND(`${title} has no files.`);
  return libraryById(audiobooks, id);
}

/** Stores signature, tags, chapters and embedded cover of replaced files, and runs `more` in the same transaction. */
function storeFiles(
  audiobooks: Audiobooks,
  bookId: string,
  files: readonly RetaggedFile[],
  more: (tx: Transaction) => Promise<unknown>,
): Promise<void> {
  const { at } = stampFor(audiobooks);
  return audiobooks.store.transact(async (tx) => {
    const book = await tx.get(books, { id: bookId });
    const asset = await tx.get(assets, { id: book?.cover_asset_id ?? '-' });
    for (const { segmentId: id, file, chapters } of files) {
      const before = await tx.get(segments, { id });
      if (before?.active !== true || before.file_path !== file.path)
        throw audiobookErrors.FILE_CHANGED(`${file.path} changed during the operation.`);
      const { device, inode, size, mtimeNs } = file;
      const signature = { device, inode, size_bytes: size, mtime_ns: mtimeNs, hash_sha256: null, updated_at: at };
      const after = { ...before, ...signature, chapters: [...(chapters ?? before.chapters)] };
      await writeSegments(tx, [{ before, after }]);
      await tx.put(fileFacts, { segment: id }, factsOfFile(file));
      if (asset?.kind === 'embedded' && asset.path === file.path && file.cover !== undefined)
        await tx.put(assets, { id: asset.id }, { ...asset, ...file.cover });
    }
    await more(tx);
  });
}

/** Restores the files from before their tags were written. */
export async function undoTags(
  audiobooks: Audiobooks,
  done: Operation,
  context: OperationContext,
): Promise<OperationOutcome> {
  const { book_id: bookId, tagged } = done.result as unknown as Tagged;
  const { root } = await libraryById(audiobooks, String(done.params['library']));
  const switched = [];
  const chapters = new Map(tagged.map((entry) => [entry.id, entry.chapters]));
  for (const { id, kept_at: kept, mtime_ns: mtimeNs, chapters: _, ...signature } of tagged) {
    const segment = await audiobooks.store.get(segments, { id });
    if (segment?.active !== true) throw audiobookErrors.UNDO_CONFLICT('The files of the book have changed since then.');
    switched.push({ segmentId: id, path: segment.file_path, kept, written: { ...signature, mtimeNs } });
  }
  await audiobooks.engines.tags.undo({
    root,
    context,
    files: switched,
    committed: async (restored) => {
      failpoint('audiobooks.tags.restoring');
      const undone = { undone_by: context.operationId, undoable: false };
      const files = restored.map((each) => ({ ...each, chapters: chapters.get(each.segmentId) }));
      await storeFiles(audiobooks, bookId, files, (tx) =>
        tx.update(operations, { id: done.id }, (now) => ({ ...now, ...undone })),
      );
      failpoint('audiobooks.tags.restored');
    },
  });
  return { result: { book_id: bookId, restored: tagged.length } };
}
