import { MINUTE } from '@holdfast/base';
import { bytes, defineRoute, routesFor } from '@holdfast/http';
import { z } from 'zod';

import { PROVIDERS } from '../model/choices.ts';
import { audiobookErrors } from '../model/errors.ts';
import { WRITE } from '../operations/fields.ts';
import * as operations from '../operations/metadata.ts';
import type { Audiobooks } from '../service/audiobooks.ts';
import { requireEdit } from '../service/listener.ts';
import { previewCover } from '../service/metadata/match.ts';
import { requestListener, requiredRevision } from './request.ts';

export function metadataRoutes(app: Audiobooks) {
  const route = routesFor<Audiobooks>(() => app);
  const limits = { timeoutMs: MINUTE };
  const cover = defineRoute({
    method: 'GET',
    path: '/matches/cover',
    permission: WRITE,
    summary: 'Get a cover that a provider found, as WebP; contacts only hosts of enabled providers',
    request: { query: z.object({ provider: z.enum(PROVIDERS), url: z.string().max(2_000) }) },
    responses: { 200: bytes('image/webp') },
    errors: [
      audiobookErrors.COVER_NOT_FOUND,
      audiobookErrors.RIGHTS_MISSING,
      audiobookErrors.PROVIDER_DISABLED,
      audiobookErrors.PROVIDER_UNAVAILABLE,
      audiobookErrors.PROVIDER_INVALID,
      audiobookErrors.PICTURES_UNAVAILABLE,
    ],
    limits,
    handler: async (input) => {
      requireEdit(await requestListener(app, input));
      const picture = await previewCover(app, input.query);
      const headers = { 'content-type': 'image/webp', 'cache-control': 'private, max-age=3600' };
      return new Response(picture as Uint8Array<ArrayBuffer>, { headers });
    },
  });
  return [
    route(operations.listProviders, { method: 'GET', path: '/providers' }),
    route(operations.enableProvider, { method: 'PUT', path: '/providers/{provider}' }),
    route(operations.disableProvider, { method: 'DELETE', path: '/providers/{provider}' }),
    route(operations.searchMatches, { method: 'POST', path: '/books/{book}/matches', status: 200, limits }),
    route(operations.applyMatch, {
      method: 'POST',
      path: '/books/{book}/matches/apply',
      status: 200,
      omit: ['if_revision'],
      from: requiredRevision,
      limits,
    }),
    route(operations.findChapters, { method: 'POST', path: '/books/{book}/chapters/find', status: 200, limits }),
    cover,
  ] as const;
}
