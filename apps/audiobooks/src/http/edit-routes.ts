import { defineRoute, ok, page, pageOf, pageQuery, requireMatch, revisionOfTag, revisionTag } from '@holdfast/http';
import { z } from 'zod';

import { BOOK_FIELDS } from '../model/book.ts';
import { audiobookErrors } from '../model/errors.ts';
import { id } from '../model/stored.ts';
import type { Audiobooks } from '../service/audiobooks.ts';
import { deleteBook, restoreBook } from '../service/changes/delete-book.ts';
import { editBook } from '../service/changes/edit-book.ts';
import { undoField } from '../service/changes/undo-field.ts';
import { showBook } from '../service/queries/show-book.ts';
import { books } from '../store/definitions.ts';
import { historyOfBook } from '../store/history.ts';
import { bookAsked, bookToEdit, type Caller, readPermission, writePermission } from './caller.ts';
import { bookSchema, historySchema, idParameter } from './schemas.ts';
import { bookView } from './views.ts';

const params = z.object({ id: idParameter });
const found = [audiobookErrors.BOOK_NOT_FOUND, audiobookErrors.RIGHTS_MISSING];
const line = z.string().nullable().optional();
const lines = z.array(z.string()).max(200).optional();
/** A cover is sent as a picture, never as the id or address of one. */
const lockable = z.enum(BOOK_FIELDS);

const changeSchema = z.strictObject({
  title: z.string().optional(),
  subtitle: line,
  authors: lines,
  narrators: lines,
  series: z
    .array(z.strictObject({ name: z.string(), sequence: z.string().nullable().optional() }))
    .max(50)
    .optional(),
  year: z.int().nullable().optional(),
  publisher: line,
  language: line,
  isbn: line,
  asin: line,
  description: line,
  genres: lines,
  tags: lines,
  edition: line,
  work_id: id.nullable().optional().meta({ description: 'The work it is an edition of; null for one of its own' }),
  locks: z
    .array(lockable)
    .optional()
    .meta({ description: 'Exactly these fields are locked afterwards; left out, what is changed is locked too' }),
});

export function editRoutes(app: Audiobooks) {
  const change = defineRoute({
    method: 'PATCH',
    path: '/books/{id}',
    permission: writePermission,
    summary: 'Change what is said about a book, under If-Match with the ETag that was read',
    request: { params, body: changeSchema },
    responses: { 200: bookSchema },
    errors: [...found, audiobookErrors.BOOK_STALE, audiobookErrors.FIELD_INVALID, audiobookErrors.WORK_NOT_FOUND],
    handler: async (input) => {
      const { caller, book } = await bookToEdit(app, input, input.params.id);
      const match = requireMatch(input.request);
      match.assert(revisionTag(book.revision));
      const { work_id: work, locks, ...set } = input.body;
      if (typeof work === 'string') await visibleWork(app, caller, work);
      await editBook(app, {
        book: book.id,
        set: withoutUndefined(set),
        ...(locks === undefined ? {} : { keepOpen: true, lock: locks, unlock: others(locks) }),
        ...(work === undefined ? {} : { work }),
        ifRevision: match.tags === '*' ? undefined : revisionOfTag(revisionTag(book.revision)),
        by: caller.name,
      });
      return shown(app, caller, book.id);
    },
  });
  return [change, ...lifeRoutes(app), ...historyRoutes(app)] as const;
}

function lifeRoutes(app: Audiobooks) {
  const remove = defineRoute({
    method: 'DELETE',
    path: '/books/{id}',
    permission: writePermission,
    summary: 'Take a book off the lists; nothing is lost and no file is touched',
    request: { params },
    responses: { 200: bookSchema },
    errors: found,
    handler: async (input) => {
      const { caller, book } = await bookToEdit(app, input, input.params.id);
      if (book.deleted_at === null) await deleteBook(app, book.id);
      return shown(app, caller, book.id);
    },
  });
  const restore = defineRoute({
    method: 'POST',
    path: '/books/{id}/restore',
    permission: writePermission,
    summary: 'Bring a book back that was taken off the lists',
    request: { params },
    responses: { 200: bookSchema },
    errors: found,
    handler: async (input) => {
      const { caller, book } = await bookToEdit(app, input, input.params.id);
      if (book.deleted_at !== null) await restoreBook(app, book.id);
      return shown(app, caller, book.id);
    },
  });
  return [remove, restore] as const;
}

function historyRoutes(app: Audiobooks) {
  const history = defineRoute({
    method: 'GET',
    path: '/books/{id}/history',
    permission: readPermission,
    summary: 'What was changed about a book, the latest first',
    request: { params, query: z.object({ ...pageQuery, field: lockable.optional() }) },
    responses: { 200: pageOf(historySchema) },
    errors: [audiobookErrors.BOOK_NOT_FOUND],
    handler: async (input) => {
      const { book } = await bookAsked(app, input, input.params.id);
      const { items, cursor } = await historyOfBook(app.store, book.id, input.query.field, input.query);
      return ok(page(items, cursor));
    },
  });
  const undo = defineRoute({
    method: 'POST',
    path: '/books/{id}/history/{entry}/undo',
    permission: writePermission,
    summary: 'Give a field the value back that it had before a change',
    request: { params: params.extend({ entry: idParameter }) },
    responses: { 200: bookSchema },
    errors: [...found, audiobookErrors.HISTORY_NOT_FOUND, audiobookErrors.UNDO_CONFLICT],
    handler: async (input) => {
      const { caller, book } = await bookToEdit(app, input, input.params.id);
      await undoField(app, { book: book.id, entry: input.params.entry, by: caller.name });
      return shown(app, caller, book.id);
    },
  });
  return [history, undo] as const;
}

async function shown(app: Audiobooks, caller: Caller, bookId: string) {
  const view = await showBook(app, bookId);
  return ok(await bookView(app.store, view, caller), { etag: revisionTag(view.book.revision) });
}

/** A work of which the caller sees a book. */
async function visibleWork(audiobooks: Audiobooks, caller: Caller, work: string): Promise<void> {
  for await (const book of audiobooks.store.scan(books.by.work, { work_id: work })) {
    if (caller.sees(book.library_id)) return;
  }
  throw audiobookErrors.WORK_NOT_FOUND(`There is no work ${work}.`);
}

function others(locks: readonly string[]): readonly string[] {
  return BOOK_FIELDS.filter((field) => !locks.includes(field));
}

function withoutUndefined(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
