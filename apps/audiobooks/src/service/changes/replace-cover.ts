import { deletePicture, savePicture } from '../../adapters/cover-files.ts';
import { imageType, resizeImage } from '../../adapters/resize-image.ts';
import type { Book } from '../../model/book.ts';
import { audiobookErrors } from '../../model/errors.ts';
import { OWN_FOLDER } from '../../model/path-names.ts';
import type { Asset } from '../../model/records.ts';
import { writeBook } from '../../store/books.ts';
import { assets } from '../../store/definitions.ts';
import { type Audiobooks, stampFor } from '../audiobooks.ts';
import { libraryById } from '../libraries.ts';
import { resolveBook } from '../queries/resolve.ts';
import { changeAtOnce, type Changed, setFields } from './change.ts';

export interface ReplaceCoverRequest {
  readonly book: Book;
  readonly bytes: Uint8Array;
  /** Called inside the transaction with the current book; throws to refuse the change. */
  readonly check: (book: Book) => void;
  readonly by: string;
}

const LARGEST = 1_024;

/**
 * Makes an uploaded picture the cover of a book. Checks that it is a picture and stores it in the `.holdfast` folder
 * under a new name. The previous cover stays for undo.
 */
export async function replaceCover(audiobooks: Audiobooks, request: ReplaceCoverRequest): Promise<Changed<Book>> {
  const { book, by } = request;
  const { asset, discard } = await storePicture(audiobooks, book, request.bytes);
  const { id } = asset;
  try {
    const operation = { type: 'edit', params: { book: book.id, fields: ['cover'] }, createdBy: by } as const;
    return await changeAtOnce(audiobooks, operation, async ({ tx, editor }) => {
      const before = await resolveBook(tx, book.id);
      request.check(before);
      await tx.put(assets, { id }, asset);
      const edited = await setFields(tx, before, { cover: id }, { cover: 'edit' }, editor);
      const locks = [...new Set([...before.locks, 'cover'])].sort();
      const after = await writeBook(tx, before, { ...edited, locks }, editor);
      return {
        value: after,
        result: { books: [book.id], locks: [{ book: book.id, before: before.locks, after: locks }] },
      };
    });
  } catch (error) {
    await discard();
    throw error;
  }
}

export interface StoredPicture {
  readonly asset: Asset;
  /** Deletes the file. For callers that cannot store the asset. */
  readonly discard: () => Promise<void>;
}

/** Checks that the bytes are a picture and writes them to the `.holdfast` folder. The caller stores the asset. */
export async function storePicture(audiobooks: Audiobooks, book: Book, bytes: Uint8Array): Promise<StoredPicture> {
  const kind = imageType(bytes);
  if (kind === undefined || (await resizeImage(bytes, LARGEST)) === undefined) {
    throw audiobookErrors.PICTURE_INVALID('The file is not an image, or it is damaged.');
  }
  if (book.library_id === null) throw audiobookErrors.LIBRARY_NOT_FOUND(`${book.title} is in no library.`);
  const library = await libraryById(audiobooks, book.library_id);
  const { at, newId } = stampFor(audiobooks);
  const id = newId();
  const path = `${OWN_FOLDER}/covers/${id}.${kind === 'jpeg' ? 'jpg' : kind}`;
  const asset: Asset = {
    id,
    book_id: book.id,
    kind: 'file',
    library_id: library.id,
    path,
    mime: `image/${kind}`,
    offset: 0,
    length: bytes.byteLength,
    created_at: at,
    version: 1,
  };
  await savePicture(library.root, path, bytes);
  return { asset, discard: () => deletePicture(library.root, path) };
}
