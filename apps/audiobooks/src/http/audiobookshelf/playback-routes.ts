import { isHoldfastError } from '@holdfast/base';
import { zipStream } from '../../adapters/zip-stream.ts';
import { minifiedItem, momentMs, progressView, sessionView } from '../../model/audiobookshelf/views.ts';
import type { Book } from '../../model/book.ts';
import { audiobookErrors } from '../../model/errors.ts';
import { clientBook, clientBooks, wholeBook } from '../../service/audiobookshelf/library-items.ts';
import {
  listSessions,
  type NewSession,
  openTrack,
  ownSession,
  recordLocalSession,
  startSession,
  syncSession,
} from '../../service/audiobookshelf/playback.ts';
import { openAudioFile } from '../../service/covers.ts';
import { playableFiles } from '../../service/feeds.ts';
import { forgetProgress, listProgress, progressIn } from '../../service/listening/progress.ts';
import { changePosition, dropBookmark, putBookmark } from '../../service/audiobookshelf/positions.ts';
import { bookmarkView } from '../../model/audiobookshelf/views.ts';
import { audioResponse } from '../streams.ts';
import { userOf } from './account-routes.ts';
import { type ClientRoute, ifFound, number, open, signedIn, text, type UserRequest, wholeNumber } from './router.ts';

const OK = 'OK';

/** Routes for playing, files, sessions, positions and bookmarks. */
export const playbackRoutes: readonly ClientRoute[] = [
  signedIn('POST', '/api/items/:item/play', play),
  open('GET', '/public/session/:session/track/:index', async ({ clients, path, request }) => {
    const index = wholeNumber(path['index'] ?? null, 0);
    const response = audioResponse(
      request,
      await openTrack(clients.audiobooks, path['session'] ?? '', index),
      'inline',
    );
    // The app's web view has another origin.
    response.headers.set('cross-origin-resource-policy', 'cross-origin');
    return response;
  }),
  signedIn('GET', '/api/items/:item/file/:file', (request) => file(request, 'inline')),
  signedIn('GET', '/api/items/:item/file/:file/download', (request) => file(request, 'attachment')),
  signedIn('GET', '/api/items/:item/download', wholeDownload),
  signedIn('GET', '/api/session/:session', async (request) => {
    const session = await ownSession(request.audiobooks, request.listener, request.path['session'] ?? '');
    const [book] = await clientBooks(request, [session.book_id]);
    if (book === undefined) throw audiobookErrors.BOOK_NOT_FOUND('There is no such book.');
    return sessionView(request.ids, session, book, await wholeBook(request.audiobooks, book));
  }),
  signedIn('POST', '/api/session/local', async (request) => {
    await local(request, request.body);
    return OK;
  }),
  signedIn('POST', '/api/session/local-all', localAll),
  signedIn('POST', '/api/session/:session/sync', (request) => sync(request, false)),
  signedIn('POST', '/api/session/:session/close', (request) => sync(request, true)),
  signedIn('PATCH', '/api/me/progress/batch/update', batchProgress),
  signedIn('GET', '/api/me/progress', async (request) => ({
    mediaProgress: (await userOf(request, request)).mediaProgress,
  })),
  signedIn('GET', '/api/me/progress/:item', oneProgress),
  signedIn('PATCH', '/api/me/progress/:item', async (request) => {
    await change(request, await bookOf(request), request.body);
    return OK;
  }),
  signedIn('DELETE', '/api/me/progress/:item', async (request) => {
    const { id } = await bookOf(request);
    await forgetProgress(request.audiobooks, request.listener, id);
    return OK;
  }),
  signedIn('GET', '/api/me/progress/:item/remove-from-continue-listening', async (request) => {
    await changePosition(request.audiobooks, request.listener, await bookOf(request), { isHidden: true });
    return userOf(request, request);
  }),
  signedIn('GET', '/api/me/items-in-progress', inProgress),
  signedIn('POST', '/api/me/item/:item/bookmark', bookmark),
  signedIn('PATCH', '/api/me/item/:item/bookmark', bookmark),
  signedIn('DELETE', '/api/me/item/:item/bookmark/:time', async (request) => {
    const second = number(request.path['time']) ?? -1;
    await dropBookmark(request.audiobooks, request.listener, await bookOf(request), second);
    return OK;
  }),
  signedIn('GET', '/api/me/listening-sessions', async (request) => sessionPage(request, undefined)),
  signedIn('GET', '/api/me/item/listening-sessions/:item', async (request) =>
    sessionPage(request, (await bookOf(request)).id),
  ),
];

const bookOf = (request: UserRequest): Promise<Book> =>
  clientBook(request, request.listener, request.path['item'] ?? '');

const DEVICE_FIELDS_MAX = 20;

/** Stores the device description that the client sent, because some clients require it in the response. */
function deviceOf({ body, signIn }: UserRequest, given: unknown = body['deviceInfo']): NewSession {
  const fields = Object.entries(typeof given === 'object' && given !== null ? given : {})
    .filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value) && String(value).length <= 200)
    .slice(0, DEVICE_FIELDS_MAX) as [string, string | number | boolean][];
  const known = { deviceId: signIn?.token_id ?? 'unknown', manufacturer: '', model: '', clientVersion: '' };
  const mediaPlayer = text(body['mediaPlayer'])?.slice(0, 100) ?? 'unknown';
  return { device: { ...known, ...Object.fromEntries(fields) }, mediaPlayer };
}

async function play(request: UserRequest): Promise<object> {
  const { audiobooks, body, ids, listener } = request;
  // Refuses to transcode. If a player that cannot play the file got the same file again, it would repeat the request
  // forever.
  if (body['forceTranscode'] === true || body['forceTranscode'] === '1')
    return new Response('This server does not transcode', { status: 400 });
  const book = await bookOf(request);
  const session = await startSession(audiobooks, listener, book, deviceOf(request));
  return sessionView(ids, session, book, await wholeBook(audiobooks, book));
}

async function file(request: UserRequest, disposition: 'inline' | 'attachment'): Promise<Response> {
  const { audiobooks, ids, listener, path } = request;
  const book = await bookOf(request);
  if (disposition === 'attachment' && !listener.can.download)
    throw audiobookErrors.SEGMENT_NOT_FOUND('There is no such file.');
  const opened = await openAudioFile(audiobooks, book.id, ids.fromClient(path['file'] ?? '') ?? '');
  return audioResponse(request.request, opened, disposition);
}

/** If a book has one file, sends that file; otherwise sends a ZIP archive. */
async function wholeDownload(request: UserRequest): Promise<Response> {
  const { audiobooks, listener } = request;
  const book = await bookOf(request);
  const files = listener.can.download ? await playableFiles(audiobooks, book.id) : [];
  const [first, ...others] = files;
  if (first === undefined) throw audiobookErrors.SEGMENT_NOT_FOUND('There is nothing to download.');
  if (others.length === 0)
    return audioResponse(request.request, await openAudioFile(audiobooks, book.id, first.id), 'attachment');
  const archive = zipStream(
    files.map(({ id, format }, index) => ({
      name: `${String(index + 1).padStart(3, '0')}.${format}`,
      open: () => openAudioFile(audiobooks, book.id, id),
    })),
  );
  const name = encodeURIComponent(`${book.title}.zip`.toWellFormed());
  return new Response(archive, {
    headers: { 'content-type': 'application/zip', 'content-disposition': `attachment; filename*=UTF-8''${name}` },
  });
}

const milliseconds = (value: unknown): number | undefined => {
  const read = number(value);
  return read === undefined ? undefined : Math.max(0, Math.round(read * 1_000));
};

async function sync(request: UserRequest, isClosing: boolean): Promise<string> {
  const { audiobooks, body, listener, path } = request;
  const session = await ownSession(audiobooks, listener, path['session'] ?? '');
  const report = {
    positionMs: milliseconds(body['currentTime']),
    listenedMs: milliseconds(body['timeListened']) ?? 0,
  };
  await syncSession(audiobooks, listener, session, report, isClosing);
  return OK;
}

type Body = Readonly<Record<string, unknown>>;

async function local(request: UserRequest, session: Body): Promise<boolean> {
  const { audiobooks, listener } = request;
  const book = await clientBook(request, listener, text(session['libraryItemId']) ?? '');
  const [id, now] = [text(session['id']) ?? '', audiobooks.now()];
  const positionMs = milliseconds(session['currentTime']);
  if (!/^[\w-]{8,64}$/u.test(id) || positionMs === undefined)
    throw audiobookErrors.PLAYBACK_SESSION_NOT_FOUND('The session has no id or no position.');
  const updatedAtMs = number(session['updatedAt']) ?? now;
  const { isCurrent } = await recordLocalSession(audiobooks, listener, book, {
    ...deviceOf(request, session['deviceInfo'] ?? request.body['deviceInfo']),
    mediaPlayer: text(session['mediaPlayer'])?.slice(0, 100) ?? 'unknown',
    id,
    startedAtMs: number(session['startedAt']) ?? updatedAtMs,
    updatedAtMs,
    positionMs,
    totalListenedMs: milliseconds(session['timeListening']) ?? 0,
  });
  return isCurrent;
}

const SESSIONS_MAX = 500;

/** The request always succeeds; the response has a separate result for each session. */
async function localAll(request: UserRequest): Promise<object> {
  const given: unknown = request.body['sessions'];
  const sessions = (Array.isArray(given) ? given : []).slice(0, SESSIONS_MAX) as readonly Body[];
  const results = [];
  for (const session of sessions) {
    const id = String(session['id']);
    try {
      results.push({ id, success: true, progressSynced: await local(request, session) });
    } catch (error) {
      if (!isHoldfastError(error)) throw error;
      results.push({ id, success: false, progressSynced: false, error: error.message });
    }
  }
  return { results };
}

async function oneProgress(request: UserRequest): Promise<object> {
  const book = await bookOf(request);
  const found = await progressIn(request.audiobooks, request.listener, book.id);
  if (found === undefined) throw audiobookErrors.BOOK_NOT_FOUND('The book was not started.');
  return progressView(request.ids, found, book.duration_ms);
}

async function change(request: UserRequest, book: Book, given: Body): Promise<void> {
  const share = number(given['progress']);
  const atMs = number(given['lastUpdate']);
  const { isFinished, hideFromContinueListening } = given;
  await changePosition(request.audiobooks, request.listener, book, {
    finished: typeof isFinished === 'boolean' ? isFinished : undefined,
    positionMs:
      milliseconds(given['currentTime']) ?? (share === undefined ? undefined : Math.round(share * book.duration_ms)),
    isHidden: typeof hideFromContinueListening === 'boolean' ? hideFromContinueListening : undefined,
    atMs: atMs === undefined || atMs <= 0 ? undefined : atMs,
  });
}

async function batchProgress(request: UserRequest): Promise<string> {
  const given: unknown = request.body['list'];
  for (const entry of (Array.isArray(given) ? given : []) as readonly Body[]) {
    const book = await ifFound(clientBook(request, request.listener, text(entry['libraryItemId']) ?? ''));
    if (book !== undefined) await change(request, book, entry);
  }
  return OK;
}

const IN_PROGRESS = 25;

async function inProgress(request: UserRequest): Promise<object> {
  const { audiobooks, ids, listener, query } = request;
  const limit = wholeNumber(query.get('limit'), IN_PROGRESS) || IN_PROGRESS;
  const { items } = await listProgress(audiobooks, listener, { limit: 200, cursor: undefined });
  const started = items.filter(({ finished, hidden }) => !finished && hidden !== true);
  const found = await clientBooks(
    request,
    started.map(({ book_id: id }) => id),
  );
  const times = new Map(started.map(({ book_id: id, updated_at: at }) => [id, momentMs(at)]));
  const libraryItems = found.slice(0, limit).map((book) => ({
    ...minifiedItem(ids, book),
    progressLastUpdate: times.get(book.id),
  }));
  return { libraryItems };
}

async function bookmark(request: UserRequest): Promise<object> {
  const { audiobooks, body, ids, listener } = request;
  const book = await bookOf(request);
  const second = number(body['time']) ?? 0;
  const mark = await putBookmark(audiobooks, listener, book, { second, note: text(body['title']) ?? '' });
  return bookmarkView(ids, mark);
}

const SESSIONS_PER_PAGE = 10;

async function sessionPage(request: UserRequest, book: string | undefined): Promise<object> {
  const { audiobooks, ids, listener, query } = request;
  const all = await listSessions(audiobooks, listener, book);
  const itemsPerPage = wholeNumber(query.get('itemsPerPage'), SESSIONS_PER_PAGE) || SESSIONS_PER_PAGE;
  const page = wholeNumber(query.get('page'), 0);
  const shown = all.slice(page * itemsPerPage, (page + 1) * itemsPerPage);
  const found = new Map(
    (
      await clientBooks(
        request,
        shown.map(({ book_id: id }) => id),
      )
    ).map((each) => [each.id, each]),
  );
  return {
    total: all.length,
    numPages: Math.ceil(all.length / itemsPerPage),
    page,
    itemsPerPage,
    sessions: shown.flatMap((session) => {
      const own = found.get(session.book_id);
      return own === undefined ? [] : [sessionView(ids, session, own)];
    }),
  };
}
