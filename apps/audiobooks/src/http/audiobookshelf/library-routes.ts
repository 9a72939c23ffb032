import type { ImageFormat } from '../../adapters/resize-image.ts';
import { expandedItem, libraryView, minifiedItem, progressView } from '../../model/audiobookshelf/views.ts';
import { audiobookErrors } from '../../model/errors.ts';
import { type Group, parseFilter } from '../../service/audiobookshelf/catalogue.ts';
import {
  authorGroups,
  authorView,
  booksOf,
  clientBook,
  clientLibrary,
  filterData,
  homeShelves,
  listItems,
  type ListRequest,
  narratorGroups,
  pageOf,
  searchLibrary,
  seriesGroups,
  seriesView,
  sortedSeries,
  wholeBook,
} from '../../service/audiobookshelf/library-items.ts';
import { COVER_SIZES } from '../../service/covers.ts';
import { visibleLibraries } from '../../service/libraries.ts';
import { progressIn } from '../../service/listening/progress.ts';
import { statesOf } from '../../service/playlists/smart.ts';
import { playlists } from '../../store/definitions.ts';
import { coverResponse } from '../covers.ts';
import {
  type ClientRequest,
  type ClientRoute,
  ifFound,
  open,
  signedIn,
  type UserRequest,
  wholeNumber,
} from './router.ts';

/** Routes for libraries, books, authors, series, covers and search. */
export const libraryRoutes: readonly ClientRoute[] = [
  signedIn('GET', '/api/libraries', async (request) => ({
    libraries: (await visibleLibraries(request.audiobooks, request.listener)).map((library, index) =>
      libraryView(request.ids, library, index),
    ),
  })),
  signedIn('GET', '/api/libraries/:library', oneLibrary),
  signedIn('GET', '/api/libraries/:library/filterdata', async (request) =>
    filterData(request, (await libraryOf(request)).id),
  ),
  signedIn('GET', '/api/libraries/:library/items', items),
  signedIn('GET', '/api/libraries/:library/personalized', async (request) =>
    homeShelves(request, (await libraryOf(request)).id, wholeNumber(request.query.get('limit'), 10) || 10),
  ),
  signedIn('GET', '/api/libraries/:library/search', async (request) =>
    searchLibrary(
      request,
      (await libraryOf(request)).id,
      request.query.get('q') ?? '',
      Math.min(100, wholeNumber(request.query.get('limit'), 12) || 12),
    ),
  ),
  signedIn('GET', '/api/libraries/:library/series', manySeries),
  signedIn('GET', '/api/libraries/:library/series/:series', oneSeries),
  signedIn('GET', '/api/series/:series', oneSeries),
  signedIn('GET', '/api/libraries/:library/authors', manyAuthors),
  signedIn('GET', '/api/libraries/:library/narrators', narrators),
  signedIn('GET', '/api/authors/:author', oneAuthor),
  open('GET', '/api/authors/:author/image', () => {
    throw audiobookErrors.COVER_NOT_FOUND('Authors have no pictures.');
  }),
  signedIn('POST', '/api/items/batch/get', batch),
  signedIn('GET', '/api/items/:item', oneItem),
  open('GET', '/api/items/:item/cover', cover),
];

const libraryOf = (request: UserRequest) => clientLibrary(request, request.path['library'] ?? '');

async function oneLibrary(request: UserRequest): Promise<object> {
  const library = await libraryOf(request);
  const view = libraryView(request.ids, library, 0);
  if (request.query.get('include')?.includes('filterdata') !== true) return view;
  const { audiobooks, listener } = request;
  // The official clients show their playlists page only if this number is not 0.
  const { length: numUserPlaylists } = await audiobooks.reader.list(playlists.by.user, { user_id: listener.userId });
  return { filterdata: await filterData(request, library.id), issues: 0, numUserPlaylists, library: view };
}

/** Parses the page that the client requests. `page` counts from 0; a limit of 0 means all entries. */
function pageRequest({ query }: UserRequest): ListRequest {
  return {
    sort: query.get('sort') ?? 'media.metadata.title',
    isReverse: query.get('desc') === '1',
    filter: parseFilter(query.get('filter')),
    limit: wholeNumber(query.get('limit'), 0),
    page: wholeNumber(query.get('page'), 0),
    isCollapsed: query.get('collapseseries') === '1',
  };
}

function pageView(request: UserRequest, { sort, isReverse, limit, page, isCollapsed }: ListRequest, total: number) {
  const { query } = request;
  return {
    total,
    limit,
    page,
    sortBy: sort,
    sortDesc: isReverse,
    filterBy: query.get('filter') ?? '',
    mediaType: 'book',
    minified: query.get('minified') === '1',
    collapseseries: isCollapsed,
    include: query.get('include') ?? '',
    offset: page * limit,
  };
}

async function items(request: UserRequest): Promise<object> {
  const wanted = pageRequest(request);
  const { total, results } = await listItems(request, await libraryOf(request), wanted);
  return { results, ...pageView(request, wanted, total) };
}

async function manySeries(request: UserRequest): Promise<object> {
  const wanted = pageRequest(request);
  const { id } = await libraryOf(request);
  const groups = sortedSeries(await seriesGroups(request, id), wanted.sort, wanted.isReverse);
  const results = await Promise.all(pageOf(groups, wanted).map((group) => seriesView(request, id, group)));
  return { results, ...pageView(request, wanted, groups.length) };
}

/** Finds a group by the id in the path. If the path has no library, searches all visible libraries. */
async function findGroup(
  request: UserRequest,
  name: string,
  groups: (library: string) => Promise<readonly Group[]>,
): Promise<{ readonly library: string; readonly group: Group } | undefined> {
  const wanted = request.ids.fromClient(request.path[name] ?? '');
  const libraries =
    request.path['library'] === undefined
      ? await visibleLibraries(request.audiobooks, request.listener)
      : [await libraryOf(request)];
  for (const { id: library } of libraries) {
    const group = (await groups(library)).find(({ id }) => id === wanted);
    if (group !== undefined) return { library, group };
  }
  return undefined;
}

async function oneSeries(request: UserRequest): Promise<object> {
  const found = await findGroup(request, 'series', (library) => seriesGroups(request, library));
  if (found === undefined) throw audiobookErrors.SERIES_NOT_FOUND('There is no such series.');
  const { books: _, ...view } = await seriesView(request, found.library, found.group);
  if (request.query.get('include')?.includes('progress') !== true) return view;
  const { audiobooks, ids, listener } = request;
  const all = found.group.entries.map(({ id }) => id);
  const states = await statesOf(audiobooks.reader, listener.userId, all);
  const finished = all.filter((_id, index) => states[index] === 'finished');
  const progress = {
    libraryItemIds: all.map((id) => ids.toClient(id)),
    libraryItemIdsFinished: finished.map((id) => ids.toClient(id)),
    isFinished: finished.length === all.length,
  };
  return { ...view, progress };
}

/** Returns all authors. Clients that send a limit or a page number get one page, in another shape. */
async function manyAuthors(request: UserRequest): Promise<object> {
  const wanted = pageRequest(request);
  const { id } = await libraryOf(request);
  const groups = await authorGroups(request, id);
  const sorted = sortedSeries(groups, wanted.sort, wanted.isReverse);
  const view = (group: Group) => authorView(request, id, group);
  if (!request.query.has('limit') && !request.query.has('page')) return { authors: groups.map(view) };
  return { results: pageOf(sorted, wanted).map(view), ...pageView(request, wanted, groups.length) };
}

async function narrators(request: UserRequest): Promise<object> {
  const groups = await narratorGroups(request, (await libraryOf(request)).id);
  return {
    narrators: groups.map(({ name, entries }) => ({
      id: encodeURIComponent(Buffer.from(name).toString('base64')),
      name,
      numBooks: entries.length,
    })),
  };
}

async function oneAuthor(request: UserRequest): Promise<object> {
  const found = await findGroup(request, 'author', (library) => authorGroups(request, library));
  if (found === undefined) throw audiobookErrors.AUTHOR_NOT_FOUND('There is no such author.');
  const { library, group } = found;
  const include = request.query.get('include') ?? '';
  const books = include.includes('items') ? await booksOf(request, group.entries) : undefined;
  const libraryItems = books?.map((book) => minifiedItem(request.ids, book));
  const ofAuthor = new Set(group.entries);
  const series = include.includes('series')
    ? (await seriesGroups(request, library)).filter(({ entries }) => entries.some((entry) => ofAuthor.has(entry)))
    : undefined;
  const seriesViews = series && (await Promise.all(series.map((each) => seriesView(request, library, each))));
  return {
    ...authorView(request, library, group),
    ...(libraryItems === undefined ? {} : { libraryItems }),
    ...(seriesViews === undefined
      ? {}
      : { series: seriesViews.map(({ books: itsBooks, ...each }) => ({ ...each, items: itsBooks })) }),
  };
}

async function oneItem(request: UserRequest): Promise<object> {
  const { audiobooks, ids, listener, path, query } = request;
  const book = await clientBook(request, listener, path['item'] ?? '');
  if (query.get('expanded') !== '1' && query.get('include') === null && query.get('minified') === '1')
    return minifiedItem(ids, book);
  const item = expandedItem(ids, await wholeBook(audiobooks, book));
  if (query.get('include')?.includes('progress') !== true) return item;
  const progress = await progressIn(audiobooks, listener, book.id);
  const userMediaProgress = progress === undefined ? null : progressView(ids, progress, book.duration_ms);
  return { ...item, userMediaProgress, rssFeed: null, mediaItemShare: null };
}

const BATCH_MAX = 500;

async function batch(request: UserRequest): Promise<object> {
  const given: unknown = request.body['libraryItemIds'];
  const ids = Array.isArray(given) ? given.filter((id) => typeof id === 'string').slice(0, BATCH_MAX) : [];
  const found = await Promise.all(ids.map((id) => ifFound(clientBook(request, request.listener, id))));
  const whole = found.filter((book) => book !== undefined).map((book) => wholeBook(request.audiobooks, book));
  return { libraryItems: (await Promise.all(whole)).map((each) => expandedItem(request.ids, each)) };
}

/** Origins of the web views in the official apps. Their pages may read covers and open this server's socket. */
export const WEB_VIEWS: readonly string[] = ['http://localhost', 'capacitor://localhost'];

/**
 * Sends a cover without checking credentials, because clients send none when they request images. The id in the URL
 * cannot be guessed.
 */
async function cover(request: ClientRequest): Promise<Response> {
  const { clients, path, query } = request;
  const found = await clientBook(
    { audiobooks: clients.audiobooks, ids: request.ids },
    { sees: () => true },
    path['item'] ?? '',
  );
  const wanted = Math.max(wholeNumber(query.get('width'), 0), wholeNumber(query.get('height'), 0)) || 512;
  const size = query.get('raw') === '1' ? 1_024 : (COVER_SIZES.find((each) => each >= wanted) ?? 1_024);
  const accepted = request.request.headers.get('accept') ?? '';
  const format: ImageFormat =
    query.get('format') === 'webp' || (query.get('format') === null && accepted.includes('image/webp'))
      ? 'webp'
      : 'jpeg';
  const picture = await clients.audiobooks.covers.cover(found, size, format);
  if (picture === undefined) throw audiobookErrors.COVER_NOT_FOUND('The book has no cover.');
  const response = coverResponse(request.request, picture, 'private, max-age=86400');
  const origin = request.request.headers.get('origin');
  response.headers.set('cross-origin-resource-policy', 'cross-origin');
  response.headers.set('vary', 'accept, origin');
  if (origin !== null && WEB_VIEWS.includes(origin)) response.headers.set('access-control-allow-origin', origin);
  return response;
}
