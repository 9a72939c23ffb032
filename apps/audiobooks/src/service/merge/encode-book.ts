import { failpoint } from '@holdfast/base';
import { audiobookErrors } from '../../model/errors.ts';
import type { Operation, OperationOptions } from '../../model/operation.ts';
import { activeSegments } from '../../store/segments.ts';
import { bookFacts } from '../book-facts.ts';
import type { Audiobooks } from '../audiobooks.ts';
import { libraryById } from '../libraries.ts';
import { runOperation } from '../operations/run-operation.ts';
import type { EncodeRequest } from '../../model/engines.ts';
import { resolveBook } from '../queries/resolve.ts';
import { switchSegments, type Switched } from './switch-segments.ts';

export interface EncodeBookRequest extends OperationOptions {
  readonly book: string;
  readonly bitrateKbps?: number | undefined;
}

/** Merges all files of a book into one m4b. Keeps all positions. */
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
  throw audiobookErrors.MERGE_NEEDLESS(`${title} is one m4b already: ${only.file_path}`);
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
    if (switched === undefined) throw audiobookErrors.MERGE_STALE('The new file was not handed over.');
    return { result: { ...switched }, undoable: true };
  });
}
