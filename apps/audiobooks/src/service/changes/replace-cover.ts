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
  /** Called with the current book inside the transaction. */
  readonly check: (book: Book) => void;
  readonly by: string;
}

const LARGEST = 1_024;

/**
 * Makes an uploaded picture the cover. Checks that it is a picture and stores it in the `.holdfast` folder under a new
 * name. The previous cover stays for undo.
 */
export async function replaceCover(audiobooks: Audiobooks, request: ReplaceCoverRequest): Promise<Changed<Book>> {
  const { book, bytes, by } = request;
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
    await deletePicture(library.root, path);
    throw error;
  }
}
