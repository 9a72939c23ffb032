import type { Book } from '../model/book.ts';
import { contentTypeOf } from '../model/content-types.ts';
import type { Segment } from '../model/segment.ts';
import { xml, xmlDocument, type XmlElement } from '../model/xml.ts';

/** OPDS 1.2: a library as Atom feeds that link to other feeds or to books. */

const PROFILE = 'application/atom+xml;profile=opds-catalog';
export const NAVIGATION = `${PROFILE};kind=navigation`;
export const ACQUISITION = `${PROFILE};kind=acquisition`;
export const OPEN_SEARCH = 'application/opensearchdescription+xml';

export interface CatalogueFeed {
  /** Root address of this link's feeds. */
  readonly base: string;
  /** Relative to the base. */
  readonly path: string;
  readonly kind: typeof NAVIGATION | typeof ACQUISITION;
  readonly title: string;
  readonly updated: string;
  readonly next?: string | undefined;
  readonly entries: readonly XmlElement[];
}

export function catalogueFeed({ base, path, kind, title, updated, next, entries }: CatalogueFeed): string {
  return xmlDocument(
    xml(
      'feed',
      {
        xmlns: 'http://www.w3.org/2005/Atom',
        'xmlns:dc': 'http://purl.org/dc/terms/',
        'xmlns:opds': 'http://opds-spec.org/2010/catalog',
      },
      xml('id', {}, `urn:holdfast:audiobooks:${path === '' ? 'root' : path}`),
      xml('title', {}, title),
      xml('updated', {}, updated),
      xml('author', {}, xml('name', {}, 'Holdfast')),
      link('self', `${base}${path}`, kind),
      link('start', base, NAVIGATION),
      link('search', `${base}/search.xml`, OPEN_SEARCH),
      next === undefined ? undefined : link('next', next, kind),
      ...entries,
    ),
  );
}

export function navigationEntry(
  base: string,
  { path, title, about, kind, updated }: { path: string; title: string; about: string; kind: string; updated: string },
): XmlElement {
  return xml(
    'entry',
    {},
    xml('id', {}, `urn:holdfast:audiobooks:${path}`),
    xml('title', {}, title),
    xml('updated', {}, updated),
    xml('content', { type: 'text' }, about),
    link('subsection', `${base}${path}`, kind),
  );
}

export function bookEntry(base: string, book: Book, files: readonly Segment[]): XmlElement {
  const place = `${base}/books/${book.id}`;
  return xml(
    'entry',
    {},
    xml('id', {}, `urn:holdfast:book:${book.id}`),
    xml('title', {}, book.title),
    xml('updated', {}, book.updated_at),
    ...book.authors.map(({ name }) => xml('author', {}, xml('name', {}, name))),
    book.language === null ? undefined : xml('dc:language', {}, book.language),
    book.publisher === null ? undefined : xml('dc:publisher', {}, book.publisher),
    book.published_year === null ? undefined : xml('dc:issued', {}, String(book.published_year)),
    book.isbn13 === null ? undefined : xml('dc:identifier', {}, `urn:isbn:${book.isbn13}`),
    ...book.genres.map((genre) => xml('category', { term: genre, label: genre })),
    book.description === null ? undefined : xml('summary', { type: 'text' }, book.description),
    ...(book.cover_asset_id === null ? [] : pictures(place)),
    ...files.map((segment, index) =>
      xml('link', {
        rel: 'http://opds-spec.org/acquisition',
        href: `${place}/audio/${segment.id}.${segment.format}`,
        type: contentTypeOf(segment.format),
        length: segment.size_bytes,
        title: files.length === 1 ? undefined : `Part ${index + 1} of ${files.length}`,
      }),
    ),
  );
}

function pictures(place: string): readonly XmlElement[] {
  return [
    link('http://opds-spec.org/image', `${place}/cover.jpg`, 'image/jpeg'),
    link('http://opds-spec.org/image/thumbnail', `${place}/thumbnail.jpg`, 'image/jpeg'),
  ];
}

export function openSearch(base: string): string {
  return xmlDocument(
    xml(
      'OpenSearchDescription',
      { xmlns: 'http://a9.com/-/spec/opensearch/1.1/' },
      xml('ShortName', {}, 'Holdfast'),
      xml('Description', {}, 'Audiobooks by words of any field'),
      xml('InputEncoding', {}, 'UTF-8'),
      xml('OutputEncoding', {}, 'UTF-8'),
      xml('Url', { type: ACQUISITION, template: `${base}/search?q={searchTerms}` }),
    ),
  );
}

function link(rel: string, href: string, type: string): XmlElement {
  return xml('link', { rel, href, type });
}
