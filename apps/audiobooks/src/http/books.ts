import { routesFor } from '@holdfast/http';

import * as operations from '../operations/books.ts';
import type { Audiobooks } from '../service/audiobooks.ts';
import { requiredRevision, revisionEtag } from './request.ts';

export function bookRoutes(app: Audiobooks) {
  const route = routesFor<Audiobooks>(() => app);
  return [
    route(operations.listBooks, { method: 'GET', path: '/books' }),
    route(operations.showBook, {
      method: 'GET',
      path: '/books/{book}',
      // The response includes the caller's progress, which the ETag does not cover, so clients must not cache it.
      extras: (book) => ({ ...revisionEtag(book), headers: { 'cache-control': 'no-store' } }),
    }),
    route(operations.editBook, {
      method: 'PATCH',
      path: '/books/{book}',
      omit: ['if_revision'],
      from: requiredRevision,
      extras: revisionEtag,
    }),
    route(operations.deleteBook, { method: 'DELETE', path: '/books/{book}', extras: revisionEtag }),
    route(operations.restoreBook, { method: 'POST', path: '/books/{book}/restore', extras: revisionEtag }),
    route(operations.bookHistory, { method: 'GET', path: '/books/{book}/history' }),
    route(operations.revertChange, {
      method: 'POST',
      path: '/books/{book}/history/{entry}/undo',
      extras: revisionEtag,
    }),
    route(operations.listEbooks, { method: 'GET', path: '/books/{book}/ebooks' }),
    route(operations.search, { method: 'GET', path: '/search' }),
    route(operations.showShelves, { method: 'GET', path: '/shelves' }),
  ] as const;
}
