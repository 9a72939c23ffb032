import type { ChapterMark } from './chapters.ts';
import { splitPeople } from './names/people.ts';
import { seriesList } from './names/series-text.ts';
import type { Provenance, ScannedFields } from './scanned.ts';

export interface Sidecar {
  readonly source: Provenance;
  readonly fields: Partial<ScannedFields>;
  /** Chapters of the whole book. Their times count from the start of the book, not from the start of a file. */
  readonly chapters?: readonly ChapterMark[];
}

export type FieldsDraft = { -readonly [K in keyof ScannedFields]?: ScannedFields[K] | undefined };

const isThere = (value: unknown): boolean =>
  value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0);

/** Drops empty fields, so that another source can supply their values. */
export function presentFields(draft: FieldsDraft): Partial<ScannedFields> {
  return Object.fromEntries(Object.entries(draft).filter(([, value]) => isThere(value)));
}

function yearIn(text: string | undefined): number | undefined {
  const year = Number(/(?<!\d)((?:1[4-9]|20|21)\d{2})(?!\d)/u.exec(text ?? '')?.[1]);
  // For an unknown year, Calibre writes the year 101, which the pattern does not match.
  return Number.isInteger(year) ? year : undefined;
}

/** Reads an OPF package from Calibre or Audiobookshelf. */
export function readOpf(document: string): Sidecar {
  const elements = readXml(document);
  const named = (name: string): readonly XmlElement[] =>
    elements.filter((element) => element.name === name && element.text !== '');
  const one = (name: string): string | undefined =>
    named(name)[0]?.text.slice(0, name === 'description' ? 32 * 1024 : LINE_MAX);
  const meta = (name: string): string | undefined =>
    elements.find((element) => element.name === 'meta' && element.attributes['name'] === name)?.attributes['content'];
  const people = (role: string): readonly string[] =>
    named('creator')
      .filter(({ attributes }) => (attributes['role'] ?? 'aut') === role)
      .flatMap(({ text }) => splitPeople(text.slice(0, LINE_MAX)));
  const identifier = (scheme: string): string | undefined =>
    named('identifier')
      .find(({ attributes, text }) => (attributes['scheme'] ?? text).toLowerCase().includes(scheme))
      ?.text.replace(/^(?:urn:)?(?:isbn|asin)[:\s]*/iu, '');
  const series = meta('calibre:series');
  const fields = presentFields({
    title: one('title'),
    subtitle: one('subtitle'),
    authors: people('aut'),
    narrators: people('nrt'),
    series:
      series === undefined
        ? []
        : seriesList(series.slice(0, LINE_MAX), meta('calibre:series_index')?.replace(/\.0+$/u, '')),
    year: yearIn(one('date')),
    publisher: one('publisher'),
    language: one('language'),
    isbn: identifier('isbn'),
    asin: identifier('asin') ?? identifier('amazon'),
    description: plainText(one('description') ?? ''),
    genres: named('subject').map(({ text }) => text),
  });
  return { source: 'opf', fields };
}

const NFO_KEYS: ReadonlyMap<string, keyof ScannedFields> = new Map(
  Object.entries({
    title: 'title',
    'book title': 'title',
    album: 'title',
    subtitle: 'subtitle',
    author: 'authors',
    authors: 'authors',
    'written by': 'authors',
    artist: 'authors',
    narrator: 'narrators',
    narrators: 'narrators',
    'read by': 'narrators',
    'narrated by': 'narrators',
    reader: 'narrators',
    series: 'series',
    'series name': 'series',
    year: 'year',
    'release date': 'year',
    copyright: 'year',
    'publication date': 'year',
    publisher: 'publisher',
    language: 'language',
    genre: 'genres',
    genres: 'genres',
    isbn: 'isbn',
    asin: 'asin',
  }),
);

/** Longer lines are not metadata. */
const LINE_MAX = 500;

/**
 * Reads an NFO file. It has lines like ` Author:   Frank Herbert`, with decoration around them, and a description at
 * the end.
 */
export function readNfo(text: string): Sidecar {
  const values: Partial<Record<keyof ScannedFields, string>> = {};
  let position: string | undefined;
  const lines = text
    .slice(0, 256 * 1024)
    .split(/\r?\n/u)
    .map((line) => line.slice(0, LINE_MAX));
  for (const line of lines) {
    const match = /^[^\p{L}]*(?<key>[\p{L} ]{3,20}?)[\s.]*[:=]\s*(?<value>\S.*)$/u.exec(line)?.groups;
    const key = (match?.['key'] ?? '').trim().toLowerCase();
    const value = (match?.['value'] ?? '').replace(/[\s*|#=]+$/u, '');
    if (/^(?:position in series|series position|book number|volume)$/u.test(key)) position = value;
    const field = NFO_KEYS.get(key);
    if (field !== undefined && value !== '') values[field] ??= value;
  }
  const start = lines.findIndex((line) => /^\W*(?:book description|description|summary|synopsis)\W*$/iu.test(line));
  const about =
    start < 0
      ? ''
      : lines
          .slice(start + 1)
          .filter((line) => /\p{L}/u.test(line))
          .join(' ');
  const fields = presentFields({
    title: values.title,
    subtitle: values.subtitle,
    authors: splitPeople(values.authors ?? ''),
    narrators: splitPeople(values.narrators ?? ''),
    series: seriesList(values.series ?? '', position),
    year: yearIn(values.year),
    publisher: values.publisher,
    language: values.language,
    isbn: values.isbn,
    asin: values.asin,
    genres: (values.genres ?? '').split(/\s*[,;/]\s*/u).filter((genre) => genre !== ''),
    description: about.replaceAll(/\s+/gu, ' ').trim(),
  });
  return { source: 'nfo', fields };
}

/** Reads `desc.txt` or `reader.txt`: the whole file is the value of one field. */
export function readTextFile(name: string, text: string): Sidecar | undefined {
  const content = text.trim().slice(0, 64 * 1024);
  if (content === '') return undefined;
  if (/^(?:desc|description|summary)\.txt$/iu.test(name))
    return { source: 'text', fields: { description: plainText(content) } };
  if (/^(?:reader|narrator)\.txt$/iu.test(name)) {
    const narrators = splitPeople(content.split('\n')[0] ?? '');
    return narrators.length === 0 ? undefined : { source: 'text', fields: { narrators } };
  }
  return undefined;
}

export interface CueSheet {
  readonly title?: string;
  readonly performer?: string;
  readonly files: readonly { readonly name: string; readonly marks: readonly ChapterMark[] }[];
}

const FRAMES_PER_SECOND = 75;

/** Reads a cue sheet. Track times consist of minutes, seconds and frames. */
export function readCue(text: string): CueSheet {
  const files: { name: string; marks: { title: string; startMs: number }[] }[] = [];
  let title: string | undefined;
  let performer: string | undefined;
  let track: string | undefined;
  for (const line of text.slice(0, 1024 * 1024).split(/\r?\n/u)) {
    const { command = '', rest = '' } = /^\s*(?<command>[A-Z]+)\s+(?<rest>.*)$/u.exec(line)?.groups ?? {};
    const quoted = /^"(?<text>[^"]*)"/u.exec(rest)?.groups?.['text'] ?? rest.trim();
    if (command === 'FILE') files.push({ name: quoted, marks: [] });
    if (command === 'TRACK') track = '';
    if (command === 'TITLE' && track === undefined) title ??= quoted;
    else if (command === 'TITLE') track = quoted;
    if (command === 'PERFORMER' && track === undefined) performer ??= quoted;
    const time = command === 'INDEX' ? /^0?1\s+(\d{1,5}):(\d{2}):(\d{2})/u.exec(rest) : null;
    if (time === null) continue;
    const seconds = Number(time[1]) * 60 + Number(time[2]) + Number(time[3]) / FRAMES_PER_SECOND;
    files.at(-1)?.marks.push({ title: track ?? '', startMs: Math.round(seconds * 1000) });
  }
  return { ...(title === undefined ? {} : { title }), ...(performer === undefined ? {} : { performer }), files };
}

/**
 * A minimal XML reader for book metadata. Ignores DOCTYPE and expands only the five predefined entities, so that no
 * document can expand without limit, fetch anything or recurse.
 */
export interface XmlElement {
  /** Name without the namespace prefix. */
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** Text directly in this element, without the text of its child elements. */
  readonly text: string;
}

const TEXT_MAX = 512 * 1024;
const ELEMENTS_MAX = 10_000;
const TOKEN =
  /<[?!][^<>]*>|<\/(?<end>[\w:.-]+)\s*>|<(?<start>[\w:.-]+)(?<attributes>(?:\s+[\w:.-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(?<empty>\/?)>|(?<text>[^<]+)|</gu;
const ATTRIBUTE = /(?<name>[\w:.-]+)\s*=\s*(?:"(?<double>[^"]*)"|'(?<single>[^']*)')/gu;

export function readXml(document: string): readonly XmlElement[] {
  const elements: XmlElement[] = [];
  const open: { name: string; attributes: Readonly<Record<string, string>>; text: string }[] = [];
  for (const { groups = {} } of withoutSections(document.slice(0, TEXT_MAX)).matchAll(TOKEN)) {
    if (elements.length >= ELEMENTS_MAX || open.length > 1_000) break;
    const top = open.at(-1);
    if (top !== undefined && groups['text'] !== undefined) top.text += decodeEntities(groups['text']);
    if (groups['start'] !== undefined) {
      open.push({ name: localName(groups['start']), attributes: attributesOf(groups['attributes'] ?? ''), text: '' });
    }
    const isClosed = groups['end'] !== undefined || groups['empty'] === '/';
    const closed = isClosed ? open.pop() : undefined;
    if (closed !== undefined) elements.push({ ...closed, text: closed.text.trim() });
  }
  return elements;
}

/** Removes comments and the markers of CDATA sections. An unclosed section ends the document. */
function withoutSections(document: string): string {
  let text = '';
  let at = 0;
  for (;;) {
    const next = document.indexOf('<!', at);
    if (next < 0) return text + document.slice(at);
    text += document.slice(at, next);
    const [open, close] = document.startsWith('<!--', next) ? ['<!--', '-->'] : ['<![CDATA[', ']]>'];
    if (!document.startsWith(open, next)) {
      text += '<!';
      at = next + 2;
      continue;
    }
    const end = document.indexOf(close, next + open.length);
    if (end < 0) return text;
    if (close === ']]>')
      text += document
        .slice(next + open.length, end)
        .replaceAll('&', '&amp;')
        .replaceAll('<', '&lt;');
    at = end + close.length;
  }
}

function attributesOf(text: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...text.matchAll(ATTRIBUTE)].map(({ groups = {} }) => [
      localName(groups['name'] ?? ''),
      decodeEntities(groups['double'] ?? groups['single'] ?? ''),
    ]),
  );
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1).toLowerCase();

const ENTITIES: ReadonlyMap<string, string> = new Map(
  Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }),
);

function decodeEntities(text: string): string {
  return text.replaceAll(/&(?:#x(?<hex>[\da-f]{1,6})|#(?<decimal>\d{1,7})|(?<name>\w+));/giu, (...args: unknown[]) => {
    const groups = args.at(-1) as Readonly<Record<string, string | undefined>>;
    if (groups['name'] !== undefined) return ENTITIES.get(groups['name'].toLowerCase()) ?? String(args[0]);
    const code = groups['hex'] === undefined ? Number(groups['decimal']) : Number.parseInt(groups['hex'], 16);
    return code > 0x1f && code <= 0x10_ffff && !(code >= 0xd800 && code < 0xe000) ? String.fromCodePoint(code) : ' ';
  });
}

/** Converts a description, which is often HTML, to text. Paragraphs become lines; all other markup is dropped. */
export function plainText(html: string): string {
  if (!/<\/?[a-z][^<>]*>/iu.test(html)) return html.trim();
  const lines = html
    .replaceAll(/<(?:br|\/p|\/div|\/li|\/h\d)[^<>]*>/giu, '\n')
    .replaceAll(/<[^<>]*>/gu, '')
    .replaceAll('&nbsp;', ' ');
  return decodeEntities(lines)
    .replaceAll(/[^\S\n]+/gu, ' ')
    .replaceAll(/\s*\n\s*/gu, '\n')
    .trim();
}
