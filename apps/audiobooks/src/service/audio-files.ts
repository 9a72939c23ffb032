import { type OpenedFile, openInLibrary } from '../adapters/library-root.ts';
import { audiobookErrors } from '../model/errors.ts';
import type { Segment } from '../model/book.ts';
import { libraries, segments } from '../store/definitions.ts';
import type { Audiobooks } from './audiobooks.ts';

export interface AudioFile extends OpenedFile {
  readonly segment: Segment;
}

/** Opens the file of a segment. Opens only paths stored in the database. */
export async function openAudioFile({ store }: Audiobooks, bookId: string, segmentId: string): Promise<AudioFile> {
  const segment = await store.get(segments, { id: segmentId });
  const library =
    segment === undefined || segment.book_id !== bookId || segment.library_id === null
      ? undefined
      : await store.get(libraries, { id: segment.library_id });
  const file =
    library === undefined || segment === undefined ? undefined : openInLibrary(library.root, segment.file_path);
  if (segment === undefined || file === undefined) throw audiobookErrors.SEGMENT_NOT_FOUND('There is no such file.');
  return { ...file, segment };
}
