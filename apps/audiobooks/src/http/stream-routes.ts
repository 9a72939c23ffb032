import { bytes, defineRoute, fileResponse } from '@holdfast/http';
import { z } from 'zod';

import { type OpenedFile, openInLibrary } from '../adapters/open-in-library.ts';
import { contentTypeOf } from '../model/content-types.ts';
import { audiobookErrors } from '../model/errors.ts';
import type { Segment } from '../model/segment.ts';
import type { Audiobooks } from '../service/audiobooks.ts';
import { libraries, segments } from '../store/definitions.ts';
import { bookAsked, readPermission } from './caller.ts';
import { idParameter } from './schemas.ts';

const params = z.object({ id: idParameter, segment: idParameter });
const errors = [audiobookErrors.BOOK_NOT_FOUND, audiobookErrors.SEGMENT_NOT_FOUND];

export function streamRoutes(app: Audiobooks) {
  const stream = defineRoute({
    method: 'GET',
    path: '/books/{id}/segments/{segment}/stream',
    permission: readPermission,
    summary: 'The sound of one file of a book, or a range of it; also of files that were replaced, while they are kept',
    request: { params },
    responses: { 200: bytes('audio/mpeg'), 206: bytes('audio/mpeg') },
    errors,
    handler: async (input) => {
      const { book } = await bookAsked(app, input, input.params.id);
      const { segment, file } = await soundFile(app, book.id, input.params.segment);
      return soundResponse(input.request, segment, file, 'inline');
    },
  });
  const download = defineRoute({
    method: 'GET',
    path: '/books/{id}/segments/{segment}/download',
    permission: readPermission,
    summary: 'One file of a book to keep, for those who may take files away',
    request: { params },
    responses: { 200: bytes('audio/mpeg'), 206: bytes('audio/mpeg') },
    errors,
    handler: async (input) => {
      const { caller, book } = await bookAsked(app, input, input.params.id);
      if (!caller.can.download) throw audiobookErrors.SEGMENT_NOT_FOUND('There is no such file.');
      const { segment, file } = await soundFile(app, book.id, input.params.segment);
      return soundResponse(input.request, segment, file, 'attachment');
    },
  });
  return [stream, download] as const;
}

export interface SoundFile {
  readonly segment: Segment;
  readonly file: OpenedFile;
}

/** The file of a segment of this book; no other path than the one in the catalogue is ever opened. */
export async function soundFile(audiobooks: Audiobooks, bookId: string, segmentId: string): Promise<SoundFile> {
  const segment = await audiobooks.store.get(segments, { id: segmentId });
  const library =
    segment === undefined || segment.book_id !== bookId || segment.library_id === null
      ? undefined
      : await audiobooks.store.get(libraries, { id: segment.library_id });
  const file =
    library === undefined || segment === undefined ? undefined : openInLibrary(library.root, segment.file_path);
  if (segment === undefined || file === undefined) throw audiobookErrors.SEGMENT_NOT_FOUND('There is no such file.');
  return { segment, file };
}

export function soundResponse(
  request: Request,
  { format, file_path: path }: Segment,
  file: OpenedFile,
  disposition: 'inline' | 'attachment',
): Response {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return fileResponse(request, {
    fd: file.fd,
    size: file.size,
    etag: `"${file.version}"`,
    headers: {
      'content-type': contentTypeOf(format),
      'cache-control': 'private, no-cache',
      'content-disposition':
        disposition === 'inline' ? 'inline' : `attachment; filename*=UTF-8''${encodeURIComponent(name.toWellFormed())}`,
    },
  });
}
