import type { ChapterMark } from './chapters.ts';
import { seriesList } from './names/series-text.ts';
import { plainText, presentFields, type Sidecar } from './sidecar.ts';

/** Reads the metadata that Audiobookshelf stores with a book: `metadata.json`, or `metadata.abs` in older versions. */
export function readAbsMetadata(text: string): Sidecar {
  const found = text.trimStart().startsWith('{') ? readJson(text) : readAbs(text);
  const chapters = listOf(found['chapters']).flatMap((chapter) => (isObject(chapter) ? markOf(chapter) : []));
  const isAbridged = found['abridged'];
  const fields = presentFields({
    title: line(found['title']),
    subtitle: line(found['subtitle']),
    authors: lines(found['authors']),
    narrators: lines(found['narrators']),
    series: lines(found['series']).flatMap((series) => seriesList(series, undefined)),
    year: yearOf(line(found['publishedYear'])),
    publisher: line(found['publisher']),
    language: line(found['language']),
    isbn: line(found['isbn']),
    asin: line(found['asin']),
    description: plainText(line(found['description'], 32 * 1024) ?? ''),
    genres: lines(found['genres']),
    edition: isAbridged === true || isAbridged === 'Y' ? 'abridged' : undefined,
  });
  return { source: 'abs', fields, ...(chapters.length < 2 ? {} : { chapters }) };
}

type Values = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Values => typeof value === 'object' && value !== null;
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value.slice(0, 10_000) : []);

/** Returns no values for a damaged file. Early versions had the fields inside `metadata`. */
function readJson(text: string): Values {
  try {
    const read: unknown = JSON.parse(text);
    if (!isObject(read)) return {};
    return isObject(read['metadata']) ? { ...read, ...read['metadata'] } : read;
  } catch {
    return {};
  }
}

const LISTS: ReadonlySet<string> = new Set(['authors', 'narrators', 'series', 'genres']);

/** Reads `metadata.abs`: lines of `name=value`, then sections: one `[DESCRIPTION]`, and one `[CHAPTER]` per chapter. */
function readAbs(text: string): Values {
  const [head = '', ...sections] = text.split(/^\[(?=[A-Z]+\]\s*$)/mu);
  const fields = Object.entries(pairs(head)).map(([name, value]) => [
    name,
    LISTS.has(name) ? value.split(/\s*,\s*/u) : value,
  ]);
  const bodies = sections.map((section) => [
    section.slice(0, section.indexOf(']')),
    section.slice(section.indexOf(']') + 1),
  ]);
  return {
    ...Object.fromEntries(fields),
    description: bodies.find(([name]) => name === 'DESCRIPTION')?.[1]?.trim(),
    chapters: bodies.filter(([name]) => name === 'CHAPTER').map(([, body]) => pairs(body ?? '')),
  };
}

function pairs(text: string): Readonly<Record<string, string>> {
  const found = text.split(/\r?\n/u).flatMap((row) => {
    const at = row.indexOf('=');
    return at < 1 || /^[;#]/u.test(row) ? [] : [[row.slice(0, at).trim(), row.slice(at + 1).trim()] as const];
  });
  return Object.fromEntries(found);
}

const LINE_MAX = 500;

function line(value: unknown, max: number = LINE_MAX): string | undefined {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim().slice(0, max) : '';
  return text === '' ? undefined : text;
}

/** Returns names as text. Early versions stored objects with a name and, for series, a sequence. */
const lines = (value: unknown): readonly string[] =>
  listOf(value).flatMap((one) => {
    if (!isObject(one)) return line(one) ?? [];
    const [name, sequence] = [line(one['name']), line(one['sequence'])];
    return name === undefined ? [] : sequence === undefined ? name : `${name} #${sequence}`;
  });

function yearOf(text: string | undefined): number | undefined {
  const year = Number(/^\d{4}/u.exec(text ?? '')?.[0]);
  return Number.isInteger(year) ? year : undefined;
}

function markOf(chapter: Values): readonly ChapterMark[] {
  const seconds = Number(chapter['start']);
  return Number.isFinite(seconds) ? [{ title: line(chapter['title']) ?? '', startMs: seconds * 1000 }] : [];
}
