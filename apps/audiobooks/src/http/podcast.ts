import { SECOND } from '@holdfast/base';

import type { Book } from '../model/book.ts';
import { contentTypeOf } from '../model/content-types.ts';
import type { Segment } from '../model/segment.ts';
import { xml, xmlDocument, type XmlElement } from '../model/xml.ts';

/** Presents a book as a podcast with one episode per file. */
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
        book.language === null ? undefined : xml('language', {}, book.language),
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
  // Podcast programs sort by date, so each part is one second later than the one before.
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

/** `01:02:03.456` */
function clock(milliseconds: number): string {
  const hours = Math.floor(milliseconds / 3_600_000);
  return `${String(hours).padStart(2, '0')}${new Date(milliseconds % 3_600_000).toISOString().slice(13, 23)}`;
}
