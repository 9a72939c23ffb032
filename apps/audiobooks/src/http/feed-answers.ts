import { isHoldfastError } from '@holdfast/base';
import { z } from 'zod';

import type { Book } from '../model/book.ts';
import { audiobookErrors } from '../model/errors.ts';
import type { Audiobooks } from '../service/audiobooks.ts';
import type { CoverSize } from '../service/covers.ts';
import { coverResponse } from './cover-routes.ts';
import { soundFile, soundResponse } from './stream-routes.ts';

/** What the answers behind private links have in common. */

export const secretParameter: z.ZodString = z.string().min(1).max(100);
/** The id of a file and, for programs that look at it, an ending. */
export const soundParameter: z.ZodString = z.string().max(40);
export const feedErrors = [audiobookErrors.FEED_NOT_FOUND];

/** The whole address, as the client reached us: other programs know no other way to it. */
export function feedAddress(
  { request, isSecure }: { readonly request: Request; readonly isSecure: boolean },
  kind: 'feed' | 'opds',
  secret: string,
): string {
  return `${isSecure ? 'https' : 'http'}://${new URL(request.url).host}/api/audiobooks/${kind}/${secret}`;
}

/** The address is the key: nobody is told where somebody came from, and nobody in between keeps an answer. */
const PRIVATE = { 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex' } as const;
const CACHING = 'private, no-cache';

export function text(document: string, type: string): Response {
  return new Response(document, { headers: { ...PRIVATE, 'content-type': type, 'cache-control': CACHING } });
}

export async function picture(app: Audiobooks, request: Request, book: Book, size: CoverSize): Promise<Response> {
  const cover = await app.covers.cover(book, size, 'jpeg');
  if (cover === undefined) throw notFound();
  return withPrivacy(coverResponse(request, cover, CACHING));
}

export async function feedSound(app: Audiobooks, request: Request, book: Book, file: string): Promise<Response> {
  const [, segmentId = ''] = /^([0-9A-Z]{26})(?:\.[a-z0-9]{1,5})?$/u.exec(file) ?? [];
  if (segmentId === '') throw notFound();
  try {
    const { segment, file: opened } = await soundFile(app, book.id, segmentId);
    return withPrivacy(soundResponse(request, segment, opened, 'inline'));
  } catch (error) {
    throw isHoldfastError(error, 'SEGMENT_NOT_FOUND') ? notFound() : error;
  }
}

function withPrivacy(response: Response): Response {
  for (const [name, value] of Object.entries(PRIVATE)) response.headers.set(name, value);
  return response;
}

function notFound(): Error {
  return audiobookErrors.FEED_NOT_FOUND('This link leads nowhere.');
}
