import { defineRoute, ok, page, pageOf, pageQuery } from '@holdfast/http';
import { z } from 'zod';

import { audiobookErrors } from '../model/errors.ts';
import type { Audiobooks } from '../service/audiobooks.ts';
import { mergeBooks } from '../service/changes/merge-books.ts';
import { mergeBook, transcodeBook } from '../service/merge/encode-book.ts';
import { DEFAULT_TEMPLATE, organiseBooks, planRename } from '../service/organise-books.ts';
import { duplicatesPage } from '../service/queries/find-duplicates.ts';
import { planMerge } from '../service/queries/plan-merge.ts';
import { scanLibrary } from '../service/scan-library.ts';
import { tagBook } from '../service/tag-book.ts';
import { bookAsked, callerOf, managePermission, visibleBook } from './caller.ts';
import { presentLibrary } from './library-routes.ts';
import { bookRowSchema, idParameter, mergePlanSchema, operationSchema, organisePlanSchema } from './schemas.ts';
import { begun } from './starting.ts';
import { bookRows } from './views.ts';

const inLibrary = [
  audiobookErrors.LIBRARY_NOT_FOUND,
  audiobookErrors.OPERATION_RUNNING,
  audiobookErrors.OPERATIONS_FULL,
];
const onBook = [audiobookErrors.BOOK_NOT_FOUND, audiobookErrors.OPERATION_RUNNING, audiobookErrors.OPERATIONS_FULL];
/** More of a plan than anybody reads; the numbers say how many there are. */
const SHOWN_MAX = 2_000;
const PLAN_MS = 120_000;

const organiseSchema = z.strictObject({
  library_id: idParameter,
  template: z.string().min(1).max(1_000).default(DEFAULT_TEMPLATE),
  books: z.array(idParameter).min(1).max(10_000).optional().meta({ description: 'Only these; left out, all' }),
});
const bitrate = z.int().min(16).max(512).optional().meta({ description: 'Kilobits per second, where it is encoded' });
const mergeSchema = z.strictObject({ book_id: idParameter, bitrate_kbps: bitrate });
const force = z.boolean().optional().meta({ description: 'Make it anew although it is one m4b already' });
/** From an allow-list: what is asked for never becomes an argument of another program by itself. */
const formats = z.enum(['m4a', 'mp3', 'opus', 'flac']);

export function workRoutes(app: Audiobooks) {
  const scan = defineRoute({
    method: 'POST',
    path: '/operations/scan',
    permission: managePermission,
    summary: 'Look through a library and bring the catalogue in line',
    request: { body: z.strictObject({ library_id: idParameter }) },
    responses: { 202: operationSchema },
    errors: [...inLibrary, audiobookErrors.LIBRARY_UNAVAILABLE],
    idempotent: true,
    handler: async (input) => {
      const library = await presentLibrary(app, input.body.library_id);
      return begun(app, input, (asking) => scanLibrary(app, { ...asking, library }));
    },
  });
  return [scan, ...organiseRoutes(app), ...mergeRoutes(app), ...fileRoutes(app), ...duplicateRoutes(app)] as const;
}

function organiseRoutes(app: Audiobooks) {
  const preview = defineRoute({
    method: 'POST',
    path: '/organise/preview',
    permission: managePermission,
    summary: 'What would be moved where, and what stands in the way; nothing is changed',
    request: { body: organiseSchema },
    responses: { 200: organisePlanSchema },
    errors: [...inLibrary, audiobookErrors.TEMPLATE_INVALID],
    limits: { timeoutMs: PLAN_MS },
    handler: async ({ body }) => {
      const library = await presentLibrary(app, body.library_id);
      const { moves, refusals } = await planRename(app, { ...body, library });
      return ok({
        template: body.template,
        moves: moves.slice(0, SHOWN_MAX).map(({ bookId, from, to }) => ({ book_id: bookId, from, to })),
        refusals: refusals.slice(0, SHOWN_MAX).map(({ bookId, ...refusal }) => ({ book_id: bookId, ...refusal })),
        total_moves: moves.length,
        total_refusals: refusals.length,
      });
    },
  });
  const organise = defineRoute({
    method: 'POST',
    path: '/operations/organise',
    permission: managePermission,
    summary: 'Move the files of a library to where the template says; can be undone',
    request: { body: organiseSchema },
    responses: { 202: operationSchema },
    errors: [...inLibrary, audiobookErrors.TEMPLATE_INVALID],
    idempotent: true,
    handler: async (input) => {
      const { body } = input;
      const library = await presentLibrary(app, body.library_id);
      return begun(app, input, (asking) => organiseBooks(app, { ...asking, ...body, library }));
    },
  });
  return [preview, organise] as const;
}

function mergeRoutes(app: Audiobooks) {
  const preview = defineRoute({
    method: 'POST',
    path: '/merge/preview',
    permission: managePermission,
    summary: 'What one file of all files of a book would have in it; nothing is changed',
    request: { body: mergeSchema },
    responses: { 200: mergePlanSchema },
    errors: [audiobookErrors.BOOK_NOT_FOUND, audiobookErrors.SEGMENT_NOT_FOUND],
    handler: async (input) => {
      const { caller, book } = await bookAsked(app, input, input.body.book_id);
      const plan = await planMerge(app, book, input.body.bitrate_kbps);
      const [row] = await bookRows(app.store, [book], caller.userId);
      if (row === undefined) throw new TypeError('There is a row for every book');
      return ok({
        book: row,
        files: plan.files.length,
        paths: plan.files.map(({ path }) => path),
        format: 'm4b',
        way: plan.way,
        chapters: plan.chapters.map(({ title, startMs, endMs }, index) => ({
          index,
          title,
          start_ms: startMs,
          end_ms: endMs,
        })),
        duration_ms: plan.files.reduce((sum, { durationMs }) => sum + durationMs, 0),
        size_bytes: plan.files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
      });
    },
  });
  const merge = defineRoute({
    method: 'POST',
    path: '/operations/merge',
    permission: managePermission,
    summary: 'Make one m4b with chapters of all files of a book; everyone keeps their place, and it can be undone',
    request: { body: mergeSchema.extend({ force }) },
    responses: { 202: operationSchema },
    errors: [...onBook, audiobookErrors.MERGE_NEEDLESS],
    idempotent: true,
    handler: async (input) => {
      const { book_id: book, bitrate_kbps: bitrateKbps, ...wish } = input.body;
      await bookAsked(app, input, book);
      const request = { ...wish, book, bitrateKbps };
      return begun(app, input, (asking) => mergeBook(app, { ...asking, ...request }));
    },
  });
  return [preview, merge] as const;
}

function fileRoutes(app: Audiobooks) {
  const transcode = defineRoute({
    method: 'POST',
    path: '/operations/transcode',
    permission: managePermission,
    summary: 'Encode every file of a book in another format; can be undone',
    request: { body: mergeSchema.extend({ format: formats }) },
    responses: { 202: operationSchema },
    errors: onBook,
    idempotent: true,
    handler: async (input) => {
      const { book_id: book, bitrate_kbps: bitrateKbps, format } = input.body;
      await bookAsked(app, input, book);
      const wish = { book, bitrateKbps, format };
      return begun(app, input, (asking) => transcodeBook(app, { ...asking, ...wish }));
    },
  });
  const tag = defineRoute({
    method: 'POST',
    path: '/operations/tag',
    permission: managePermission,
    summary: 'Write what is known about a book into its files',
    request: { body: z.strictObject({ book_id: idParameter }) },
    responses: { 202: operationSchema },
    errors: onBook,
    idempotent: true,
    handler: async (input) => {
      const { book_id: book } = input.body;
      await bookAsked(app, input, book);
      return begun(app, input, (asking) => tagBook(app, { ...asking, book }));
    },
  });
  return [transcode, tag] as const;
}

function duplicateRoutes(app: Audiobooks) {
  const list = defineRoute({
    method: 'GET',
    path: '/duplicates',
    permission: managePermission,
    summary: 'Books that are probably there twice; a page can be empty and still lead on',
    request: { query: z.object(pageQuery) },
    responses: { 200: pageOf(z.object({ reason: z.string(), books: z.array(bookRowSchema) })) },
    handler: async (input) => {
      const caller = await callerOf(app, input);
      const isVisible = ({ library_id: library }: { readonly library_id: string | null }): boolean =>
        caller.sees(library);
      const { items, cursor } = await duplicatesPage(app, isVisible, input.query);
      const groups = items.map(async ({ reason, books }) => ({
        reason,
        books: await bookRows(app.store, books, caller.userId),
      }));
      return ok(page(await Promise.all(groups), cursor));
    },
  });
  const merge = defineRoute({
    method: 'POST',
    path: '/duplicates/merge',
    permission: managePermission,
    summary: 'Keep one of two books: who listened to the other goes on with it at the same place',
    request: { body: z.strictObject({ keep: idParameter, drop: idParameter }) },
    responses: { 200: z.object({ book: bookRowSchema, operation_id: idParameter }) },
    errors: [audiobookErrors.BOOK_NOT_FOUND, audiobookErrors.FIELD_INVALID],
    idempotent: true,
    handler: async (input) => {
      const caller = await callerOf(app, input);
      const { keep, drop } = input.body;
      for (const id of [keep, drop]) await visibleBook(app.store, caller, id);
      const { value, operation } = await mergeBooks(app, { keep, other: drop, by: caller.name });
      const [row] = await bookRows(app.store, [value], caller.userId);
      if (row === undefined) throw new TypeError('There is a row for every book');
      return ok({ book: row, operation_id: operation.id });
    },
  });
  return [list, merge] as const;
}
