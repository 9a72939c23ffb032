import { MEBIBYTE } from '@holdfast/base';
import { bytes, defineRoute, ok, requireMatch, revisionTag } from '@holdfast/http';
import { z } from 'zod';

import type { Book } from '../model/book.ts';
import { audiobookErrors } from '../model/errors.ts';
import { READ, WRITE } from '../operations/fields.ts';
import type { Audiobooks } from '../service/audiobooks.ts';
import { replaceCover } from '../service/changes/replace-cover.ts';
import { type Cover, COVER_SIZES } from '../service/covers.ts';
import { requireEdit, visibleBook } from '../service/listener.ts';
import { requestListener } from './request.ts';

/** Content types that an upload may declare. The server determines the actual type from the bytes. */
const PICTURE_TYPES = ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'application/octet-stream'];
const PICTURE_BYTES_MAX: number = 16 * MEBIBYTE;

const params = z.object({ book: z.string().min(1) });
const size = z.coerce
  .number<string | number>()
  .pipe(z.literal([...COVER_SIZES]))
  .default(512);

export function coverRoutes(app: Audiobooks) {
  const cover = defineRoute({
    method: 'GET',
    path: '/books/{book}/cover',
    permission: READ,
    summary: 'Get the cover of a book as WebP, no larger than the given size',
    request: { params, query: z.object({ size, v: z.string().max(64).optional() }) },
    responses: { 200: bytes('image/webp') },
    errors: [audiobookErrors.BOOK_NOT_FOUND, audiobookErrors.COVER_NOT_FOUND, audiobookErrors.PICTURES_UNAVAILABLE],
    handler: async (input) => {
      const book = await visibleBook(app.reader, await requestListener(app, input), input.params.book);
      const found = await app.covers.cover(book, input.query.size);
      if (found === undefined) throw audiobookErrors.COVER_NOT_FOUND(`${book.title} has no cover.`);
      const isVersioned = input.query.v !== undefined && input.query.v === book.cover_asset_id;
      const caching = isVersioned ? 'private, max-age=31536000, immutable' : 'private, no-cache';
      return coverResponse(input.request, found, caching);
    },
  });
  const replace = defineRoute({
    method: 'PUT',
    path: '/books/{book}/cover',
    permission: WRITE,
    summary: 'Replace the cover with an uploaded image; requires If-Match',
    request: { params, upload: { types: PICTURE_TYPES, limitBytes: PICTURE_BYTES_MAX } },
    responses: { 200: z.object({ id: z.string(), cover: z.string().nullable(), revision: z.int() }) },
    errors: [
      audiobookErrors.BOOK_NOT_FOUND,
      audiobookErrors.RIGHTS_MISSING,
      audiobookErrors.PICTURE_INVALID,
      audiobookErrors.PICTURES_UNAVAILABLE,
    ],
    handler: async (input) => {
      const listener = await requestListener(app, input);
      const book = await visibleBook(app.reader, listener, input.params.book);
      requireEdit(listener);
      const match = requireMatch(input.request);
      const check = ({ revision }: Book): void => match.assert(revisionTag(revision));
      check(book);
      const picture = await collected(input.upload.stream);
      const { value } = await replaceCover(app, { book, bytes: picture, check, by: listener.name });
      const { id, revision, cover_asset_id: asset } = value;
      const address = asset === null ? null : `/api/audiobooks/books/${id}/cover?v=${asset}`;
      return ok({ id, cover: address, revision }, { etag: revisionTag(revision) });
    },
  });
  return [cover, replace] as const;
}

async function collected(stream: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

export function coverResponse(request: Request, { bytes: picture, version, format }: Cover, caching: string): Response {
  const etag = `"${version}"`;
  const headers = { etag, 'cache-control': caching };
  if (request.headers.get('if-none-match') === etag) return new Response(null, { status: 304, headers });
  return new Response(picture as Uint8Array<ArrayBuffer>, {
    headers: { ...headers, 'content-type': `image/${format}`, 'content-length': String(picture.byteLength) },
  });
}
