import { MEBIBYTE } from '@holdfast/base';
import { bytes, defineRoute, ok, requireMatch, revisionTag } from '@holdfast/http';
import { z } from 'zod';

import type { Book } from '../model/book.ts';
import { audiobookErrors } from '../model/errors.ts';
import type { Audiobooks } from '../service/audiobooks.ts';
import { replaceCover } from '../service/changes/replace-cover.ts';
import { type Cover, COVER_SIZES } from '../service/covers.ts';
import { bookAsked, bookToEdit, readPermission, writePermission } from './caller.ts';
import { bookRowSchema, idParameter } from './schemas.ts';
import { bookRows } from './views.ts';

/** What it is, is decided by its bytes; these are only what may be announced. */
const PICTURES = ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'application/octet-stream'];
const PICTURE_BYTES_MAX: number = 16 * MEBIBYTE;

const size = z.coerce
  .number<string | number>()
  .pipe(z.literal([...COVER_SIZES]))
  .default(512);

export function coverRoutes(app: Audiobooks) {
  const cover = defineRoute({
    method: 'GET',
    path: '/books/{id}/cover',
    permission: readPermission,
    summary: 'The cover of a book as WebP, no larger than asked for',
    request: {
      params: z.object({ id: idParameter }),
      query: z.object({ size, v: z.string().max(64).optional() }),
    },
    responses: { 200: bytes('image/webp') },
    errors: [audiobookErrors.BOOK_NOT_FOUND, audiobookErrors.COVER_NOT_FOUND, audiobookErrors.PICTURES_UNAVAILABLE],
    handler: async (input) => {
      const { book } = await bookAsked(app, input, input.params.id);
      const found = await app.covers.cover(book, input.query.size);
      if (found === undefined) throw audiobookErrors.COVER_NOT_FOUND(`There is no picture of ${book.title}.`);
      const isNamed = input.query.v !== undefined && input.query.v === book.cover_asset_id;
      return coverResponse(
        input.request,
        found,
        isNamed ? 'private, max-age=31536000, immutable' : 'private, no-cache',
      );
    },
  });
  const replace = defineRoute({
    method: 'PUT',
    path: '/books/{id}/cover',
    permission: writePermission,
    summary: 'Another cover, as the bytes of a picture, under If-Match; it is never fetched from an address',
    request: { params: z.object({ id: idParameter }), upload: { types: PICTURES, limitBytes: PICTURE_BYTES_MAX } },
    responses: { 200: bookRowSchema },
    errors: [
      audiobookErrors.BOOK_NOT_FOUND,
      audiobookErrors.RIGHTS_MISSING,
      audiobookErrors.PICTURE_INVALID,
      audiobookErrors.PICTURES_UNAVAILABLE,
    ],
    handler: async (input) => {
      const { caller, book } = await bookToEdit(app, input, input.params.id);
      const match = requireMatch(input.request);
      const check = ({ revision }: Book): void => match.assert(revisionTag(revision));
      check(book);
      const picture = await collected(input.upload.stream);
      const { value } = await replaceCover(app, { book, bytes: picture, check, by: caller.name });
      const [row] = await bookRows(app.store, [value], caller.userId);
      if (row === undefined) throw new TypeError('There is a row for every book');
      return ok(row, { etag: revisionTag(value.revision) });
    },
  });
  return [cover, replace] as const;
}

async function collected(stream: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** An address with the version of the picture always leads to the same bytes. */
export function coverResponse(request: Request, { bytes: picture, version, format }: Cover, caching: string): Response {
  const etag = `"${version}"`;
  const headers = { etag, 'cache-control': caching };
  if (request.headers.get('if-none-match') === etag) return new Response(null, { status: 304, headers });
  return new Response(picture as Uint8Array<ArrayBuffer>, {
    headers: { ...headers, 'content-type': `image/${format}`, 'content-length': String(picture.byteLength) },
  });
}
