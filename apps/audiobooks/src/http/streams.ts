import { MINUTE } from '@holdfast/base';
import { Broadcaster, bytes, defineRoute, events, fileResponse, ok, sse } from '@holdfast/http';
import { z } from 'zod';
import { audiobookErrors } from '../model/errors.ts';
import { contentTypeOf } from '../model/scanned.ts';
import { MANAGE, READ } from '../operations/fields.ts';
import type { OpenedFile } from '../adapters/library-root.ts';
import { type AudioFile, openAudioFile } from '../service/covers.ts';
import { openEbook } from '../service/ebooks.ts';
import type { Audiobooks } from '../service/audiobooks.ts';
import { changeFeed, changesFor } from '../service/change-feed.ts';
import { visibleBook } from '../service/listener.ts';
import { exportLibrary, importStream } from '../service/transfer/export-import.ts';
import { requestListener } from './request.ts';

export function streamRoutes(app: Audiobooks) {
  return [...audioRoutes(app), changeRoute(app), ...transferRoutes(app)] as const;
}

const params = z.object({ book: z.string().min(1), segment: z.string().min(1) });
const errors = [audiobookErrors.BOOK_NOT_FOUND, audiobookErrors.SEGMENT_NOT_FOUND];
const audio = { 200: bytes('audio/mpeg'), 206: bytes('audio/mpeg') } as const;

function audioRoutes(app: Audiobooks) {
  const stream = defineRoute({
    method: 'GET',
    path: '/books/{book}/segments/{segment}/stream',
    permission: READ,
    summary:
      'Stream one audio file of a book, or a byte range of it; also works for replaced files that are still kept',
    request: { params },
    responses: audio,
    errors,
    handler: async (input) => {
      const book = await visibleBook(app.reader, await requestListener(app, input), input.params.book);
      return audioResponse(input.request, await openAudioFile(app, book.id, input.params.segment), 'inline');
    },
  });
  const download = defineRoute({
    method: 'GET',
    path: '/books/{book}/segments/{segment}/download',
    permission: READ,
    summary: 'Download one audio file of a book; requires download access',
    request: { params },
    responses: audio,
    errors,
    handler: async (input) => {
      const listener = await requestListener(app, input);
      const book = await visibleBook(app.reader, listener, input.params.book);
      if (!listener.can.download) throw audiobookErrors.SEGMENT_NOT_FOUND('There is no such file.');
      return audioResponse(input.request, await openAudioFile(app, book.id, input.params.segment), 'attachment');
    },
  });
  const ebook = defineRoute({
    method: 'GET',
    path: '/books/{book}/ebooks/{name}',
    permission: READ,
    summary: 'Download an e-book from the folder of a book; requires download access',
    request: { params: z.object({ book: z.string().min(1), name: z.string().min(1).max(255) }) },
    responses: { 200: bytes('application/epub+zip'), 206: bytes('application/epub+zip') },
    errors: [audiobookErrors.BOOK_NOT_FOUND, audiobookErrors.EBOOK_NOT_FOUND],
    handler: async (input) => {
      const { contentType, name, ...file } = await openEbook(app, await requestListener(app, input), input.params);
      return fileAnswer(input.request, file, contentType, attachment(name));
    },
  });
  return [stream, download, ebook] as const;
}

export function audioResponse(
  request: Request,
  { segment, ...file }: AudioFile,
  disposition: 'inline' | 'attachment',
): Response {
  const name = segment.file_path.slice(segment.file_path.lastIndexOf('/') + 1);
  return fileAnswer(
    request,
    file,
    contentTypeOf(segment.format),
    disposition === 'inline' ? 'inline' : attachment(name),
  );
}

const attachment = (name: string): string => `attachment; filename*=UTF-8''${encodeURIComponent(name.toWellFormed())}`;

function fileAnswer(
  request: Request,
  { fd, size, version }: OpenedFile,
  contentType: string,
  disposition: string,
): Response {
  return fileResponse(request, {
    fd,
    size,
    etag: `"${version}"`,
    headers: {
      'content-type': contentType,
      'cache-control': 'private, no-cache',
      'content-disposition': disposition,
    },
  });
}

const opened = new WeakMap<Audiobooks, Broadcaster>();

/** Opens the change feed when the first client connects; all clients share one reader of the feed. */
export function sharedChanges(app: Audiobooks): Broadcaster {
  const known = opened.get(app);
  if (known !== undefined) return known;
  const broadcaster = new Broadcaster(changeFeed(app.store));
  app.closing.addEventListener('abort', () => void broadcaster.close(), { once: true });
  opened.set(app, broadcaster);
  return broadcaster;
}

function changeRoute(app: Audiobooks) {
  return defineRoute({
    method: 'GET',
    path: '/events',
    permission: READ,
    summary:
      "Stream changes to books, libraries and playlists, and to the caller's progress and access; administrators also receive operations",
    request: { query: z.object({ since: z.string().optional() }) },
    responses: { 200: events(z.unknown()) },
    handler: async (input) =>
      sse(input, { feed: sharedChanges(app), filter: changesFor(await requestListener(app, input)) }),
  });
}

const JSON_LINES = 'application/x-ndjson';
const IMPORT_BYTES_MAX: number = 2 * 1024 ** 3;

function transferRoutes(app: Audiobooks) {
  const download = defineRoute({
    method: 'GET',
    path: '/export',
    permission: MANAGE,
    summary: 'Export everything except the audio as JSON lines, from one snapshot',
    responses: { 200: bytes(JSON_LINES) },
    handler: () =>
      new Response(byteStream(exportLibrary(app)), {
        headers: { 'content-type': JSON_LINES, 'content-disposition': 'attachment; filename="audiobooks.jsonl"' },
      }),
  });
  const upload = defineRoute({
    method: 'POST',
    path: '/import',
    permission: MANAGE,
    summary: 'Import an export; repeating it changes nothing',
    request: { upload: { types: [JSON_LINES], limitBytes: IMPORT_BYTES_MAX } },
    responses: { 200: z.object({ records: z.int(), unchanged: z.int() }) },
    errors: [audiobookErrors.IMPORT_INVALID],
    limits: { timeoutMs: 60 * MINUTE },
    handler: async (input) => ok(await importStream(app, input.upload.stream)),
  });
  return [download, upload] as const;
}

const CHUNK_CHARACTERS = 64 * 1024;

/** Encodes lines only as fast as the client reads them. */
function byteStream(lines: AsyncGenerator<string, void, undefined>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        let chunk = '';
        while (chunk.length < CHUNK_CHARACTERS) {
          const next = await lines.next();
          if (next.done === true) {
            if (chunk !== '') controller.enqueue(encoder.encode(chunk));
            controller.close();
            return;
          }
          chunk += `${next.value}\n`;
        }
        controller.enqueue(encoder.encode(chunk));
      },
      async cancel() {
        await lines.return();
      },
    },
    { highWaterMark: 0 },
  );
}
