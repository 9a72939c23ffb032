import { SECOND } from '@holdfast/base';
import type { Book, Segment } from '../model/book.ts';
import { contentTypeOf } from '../model/scanned.ts';

/** OPDS 1.2: a library as Atom feeds that link to other feeds or to books. */

const PROFILE = 'application/atom+xml;profile=opds-catalog';
export const NAVIGATION = `${PROFILE};kind=navigation`;
export const ACQUISITION = `${PROFILE};kind=acquisition`;
export const OPEN_SEARCH = 'application/opensearchdescription+xml';

interface CatalogueFeed {
  /** Root URL of the feeds that belong to one private link. */
  readonly base: string;
  /** Path relative to the base. */
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
      xml('Description', {}, 'Search audiobooks in all fields'),
      xml('InputEncoding', {}, 'UTF-8'),
      xml('OutputEncoding', {}, 'UTF-8'),
      xml('Url', { type: ACQUISITION, template: `${base}/search?q={searchTerms}` }),
    ),
  );
}

function link(rel: string, href: string, type: string): XmlElement {
  return xml('link', { rel, href, type });
}

/** Returns a podcast feed for a book, with one episode per file. */
export function podcastOf(book: Book, files: readonly Segment[], address: string): string {
  const author = book.authors.map(({ name }) => name).join(', ');
  const about = book.description ?? [book.subtitle, author].filter((text) => text !== null && text !== '').join(' · ');
  return xmlDocument(
    xml(
      'rss',
      {
        version: '2.0',
        'xmlns:itunes': 'http://www.itunes.com/dtds/podcast-1.0.dtd',
        'xmlns:atom': 'http://www.w3.org/2005/Atom',
        'xmlns:psc': 'http://podlove.org/simple-chapters',
      },
      xml(
        'channel',
        {},
        xml('title', {}, book.title),
        xml('link', {}, `${address}/rss.xml`),
        xml('atom:link', { rel: 'self', type: 'application/rss+xml', href: `${address}/rss.xml` }),
        xml('description', {}, about === '' ? book.title : about),
        xml('language', {}, book.language ?? 'und'),
        ...book.genres.map((genre) => xml('category', {}, genre)),
        xml('itunes:category', { text: 'Arts' }, xml('itunes:category', { text: 'Books' })),
        xml('itunes:author', {}, author === '' ? book.title : author),
        xml('itunes:type', {}, 'serial'),
        xml('itunes:explicit', {}, 'false'),
        // Keeps the private link out of podcast directories.
        xml('itunes:block', {}, 'Yes'),
        book.cover_asset_id === null ? undefined : xml('itunes:image', { href: `${address}/cover.jpg` }),
        ...files.map((segment, index) => episode(book, segment, { index, count: files.length, address })),
      ),
    ),
  );
}

interface Placing {
  readonly index: number;
  readonly count: number;
  readonly address: string;
}

function episode(book: Book, segment: Segment, { index, count, address }: Placing): XmlElement {
  const title = count === 1 ? book.title : `${book.title}, part ${index + 1}`;
  // Podcast apps sort by date, so each part is dated one second after the part before it.
  const published = new Date(Date.parse(book.created_at) + index * SECOND).toUTCString();
  return xml(
    'item',
    {},
    xml('title', {}, title),
    xml('guid', { isPermaLink: 'false' }, `holdfast:${segment.id}`),
    xml('pubDate', {}, published),
    xml('itunes:episode', {}, String(index + 1)),
    xml('itunes:duration', {}, String(Math.round(segment.duration_ms / SECOND))),
    xml('enclosure', {
      url: `${address}/audio/${segment.id}.${segment.format}`,
      length: segment.size_bytes,
      type: contentTypeOf(segment.format),
    }),
    segment.chapters.length === 0 ? undefined : chapters(segment),
  );
}

function chapters(segment: Segment): XmlElement {
  return xml(
    'psc:chapters',
    { version: '1.2' },
    ...segment.chapters.map(({ title, startMs }) => xml('psc:chapter', { start: clock(startMs), title })),
  );
}

/** Formats as `01:02:03.456`. */
function clock(milliseconds: number): string {
  const hours = Math.floor(milliseconds / 3_600_000);
  return `${String(hours).padStart(2, '0')}${new Date(milliseconds % 3_600_000).toISOString().slice(13, 23)}`;
}

/** Minimal XML writer for feeds. Escapes all values, because they come from files and users. */

const ESCAPED: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

/** Matches characters that XML 1.0 forbids: control characters, lone surrogates and two non-characters. */
const FORBIDDEN = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

function escapeXml(text: string): string {
  return text.replace(FORBIDDEN, '').replace(/[&<>"'\t\n\r]/gu, (sign) => ESCAPED[sign] ?? '');
}

interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string | number | undefined>>;
  readonly children: readonly XmlChild[];
}
type XmlChild = XmlElement | string | undefined;

/** Omits undefined children and attributes. */
export function xml(
  name: string,
  attributes: XmlElement['attributes'] = {},
  ...children: readonly XmlChild[]
): XmlElement {
  return { name, attributes, children };
}

export function xmlDocument(root: XmlElement): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${render(root)}\n`;
}

function render({ name, attributes, children }: XmlElement): string {
  const written = Object.entries(attributes).flatMap(([attribute, value]) =>
    value === undefined ? [] : [` ${attribute}="${escapeXml(String(value))}"`],
  );
  const inside = children
    .filter((child) => child !== undefined)
    .map((child) => (typeof child === 'string' ? escapeXml(child) : render(child)))
    .join('');
  return inside === '' ? `<${name}${written.join('')}/>` : `<${name}${written.join('')}>${inside}</${name}>`;
}
