import { sessionView } from '../../model/audiobookshelf/views.ts';
import { clientBooks, clientLibrary, pageOf } from '../../service/audiobookshelf/library-items.ts';
import { listSessions } from '../../service/audiobookshelf/playback.ts';
import {
  changeItems,
  changeList,
  type ClientListKind,
  createList,
  deleteList,
  listId,
  listsIn,
  listView,
} from '../../service/audiobookshelf/playlists.ts';
import { visibleLibraries } from '../../service/libraries.ts';
import { lastYear, statisticsOf, totalListenSeconds } from '../../service/statistics/read-statistics.ts';
import { type ClientRoute, signedIn, text, type UserRequest, wholeNumber } from './router.ts';

const idOf = (request: UserRequest): string => listId(request, request.path['list'] ?? '');

/** Returns the routes for playlists or collections. The two kinds differ only in path and field names. */
function routesOf(kind: ClientListKind): readonly ClientRoute[] {
  const base = `/api/${kind}s`;
  const item = kind === 'playlist' ? 'item' : 'book';
  const listed = (request: UserRequest) => itemsIn(request.body[`${item}s`]);
  return [
    signedIn('GET', `/api/libraries/:library/${kind}s`, async (request) => {
      const { id } = await clientLibrary(request, request.path['library'] ?? '');
      const all = await listsIn(request, id, kind);
      const page = {
        limit: wholeNumber(request.query.get('limit'), 0),
        page: wholeNumber(request.query.get('page'), 0),
      };
      return { results: pageOf(all, page), total: all.length, ...page };
    }),
    signedIn('GET', base, async (request) => {
      const all = [];
      for (const { id } of await visibleLibraries(request.audiobooks, request.listener))
        all.push(...(await listsIn(request, id, kind)));
      return { [`${kind}s`]: all };
    }),
    signedIn('POST', base, async (request) => {
      const library = await clientLibrary(request, text(request.body['libraryId']) ?? '');
      const name = text(request.body['name'])?.slice(0, 200) ?? 'Untitled';
      return createList(request, kind, { name, library: library.id, items: listed(request) });
    }),
    signedIn('GET', `${base}/:list`, (request) => listView(request, idOf(request))),
    signedIn('PATCH', `${base}/:list`, (request) =>
      changeList(request, idOf(request), {
        name: text(request.body['name'])?.slice(0, 200),
        items: listed(request),
      }),
    ),
    signedIn('DELETE', `${base}/:list`, async (request) => {
      await deleteList(request, idOf(request));
      return 'OK';
    }),
    signedIn('POST', `${base}/:list/${item}`, (request) =>
      changeItems(request, idOf(request), { add: itemsIn([request.body['id'] ?? request.body]) }),
    ),
    signedIn('DELETE', `${base}/:list/${item}/:book`, (request) =>
      changeItems(request, idOf(request), { remove: [request.path['book'] ?? ''] }),
    ),
    signedIn('POST', `${base}/:list/batch/add`, (request) =>
      changeItems(request, idOf(request), { add: listed(request) }),
    ),
    signedIn('POST', `${base}/:list/batch/remove`, (request) =>
      changeItems(request, idOf(request), { remove: listed(request) }),
    ),
  ];
}

/** Returns book ids, which clients send as text or as objects with `libraryItemId`. */
function itemsIn(given: unknown): readonly string[] {
  return (Array.isArray(given) ? given : [])
    .map((item: unknown) => text(typeof item === 'object' && item !== null ? Reflect.get(item, 'libraryItemId') : item))
    .filter((id) => id !== undefined);
}

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;
const RECENT = 10;

async function statistics(request: UserRequest): Promise<object> {
  const { audiobooks, ids, listener } = request;
  const year = lastYear(audiobooks.now(), 'UTC');
  const found = await statisticsOf(audiobooks, listener, year);
  const recent = (await listSessions(audiobooks, listener)).slice(0, RECENT);
  const books = new Map(
    (
      await clientBooks(
        request,
        recent.map(({ book_id: id }) => id),
      )
    ).map((book) => [book.id, book]),
  );
  const dayOfWeek = new Map<string, number>();
  for (const { date, seconds } of found.days) {
    const day = DAYS[new Date(date).getUTCDay()] ?? DAYS[0];
    dayOfWeek.set(day, (dayOfWeek.get(day) ?? 0) + seconds);
  }
  const items = found.books.flatMap(({ book, seconds }) => {
    if (book === null) return [];
    const id = ids.toClient(book.id);
    return [[id, { id, timeListening: seconds, mediaMetadata: { title: book.title } }]];
  });
  return {
    totalTime: await totalListenSeconds(audiobooks, listener),
    items: Object.fromEntries(items) as object,
    days: Object.fromEntries(
      found.days.filter(({ seconds }) => seconds > 0).map(({ date, seconds }) => [date, seconds]),
    ),
    dayOfWeek: Object.fromEntries(dayOfWeek),
    today: found.days.find(({ date }) => date === year.to)?.seconds ?? 0,
    recentSessions: recent.flatMap((session) => {
      const book = books.get(session.book_id);
      return book === undefined ? [] : [sessionView(ids, session, book)];
    }),
  };
}

/** Routes for playlists, collections and statistics. */
export const listRoutes: readonly ClientRoute[] = [
  ...routesOf('playlist'),
  ...routesOf('collection'),
  signedIn('GET', '/api/me/listening-stats', statistics),
];
