import { bytes, defineRoute } from '@holdfast/http';
import { z } from 'zod';

import { audiobookErrors } from '../model/errors.ts';
import type { Audiobooks } from '../service/audiobooks.ts';
import { type Cover, COVER_SIZES } from '../service/covers.ts';
import { callerOf, readPermission, visibleBook } from './caller.ts';
import { idParameter } from './schemas.ts';

const size = z.coerce
  .number<string | number>()
  .pipe(z.literal([...COVER_SIZES]))
  .default(512);

// oxlint-disable-next-line typescript/explicit-function-return-type -- the exact type of the routes types the client
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
    errors: [audiobookErrors.BOOK_NOT_FOUND, audiobookErrors.COVER_NOT_FOUND],
    handler: async (input) => {
      const caller = await callerOf(app, input);
      const book = await visibleBook(app.catalogue.store, caller, input.params.id);
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
  return [cover] as const;
}

/** An address with the version of the picture always leads to the same bytes. */
export function coverResponse(request: Request, { bytes: picture, version }: Cover, caching: string): Response {
  const etag = `"${version}"`;
  const headers = { etag, 'cache-control': caching };
  if (request.headers.get('if-none-match') === etag) return new Response(null, { status: 304, headers });
  return new Response(picture as Uint8Array<ArrayBuffer>, {
    headers: { ...headers, 'content-type': 'image/webp', 'content-length': String(picture.byteLength) },
  });
}
