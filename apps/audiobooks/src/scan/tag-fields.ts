import { splitPeople } from '../model/names/people.ts';
import { seriesList, seriesWithPosition } from '../model/names/series-text.ts';
import { comparable, readableName, readBrackets } from '../model/names/text.ts';
import { readTitleFolder } from '../model/names/title-folder.ts';
import type { AudioTags, ScannedFields, ScannedFile, ScannedSeries } from '../model/scanned.ts';
import { type FieldsDraft, plainText, presentFields } from '../model/sidecar.ts';

/** Derives the fields of a book from the tags of its files. */
export function fieldsFromTags(files: readonly ScannedFile[]): Partial<ScannedFields> {
  const tags = files.map((file) => file.tags);
  const named = bookTitle(tags);
  const authors = people(tags, ({ albumArtists, artists }) => (albumArtists.length > 0 ? albumArtists : artists));
  const narrators = narratorsOf(tags, authors);
  const series = seriesOf(tags, named.series);
  const description = longest(tags.map((one) => one.description));
  const fields: FieldsDraft = {
    title: named.title,
    subtitle: common(tags.map(({ subtitle }) => subtitle)) ?? named.subtitle,
    authors,
    narrators: narrators.length > 0 ? narrators : named.narrators,
    series,
    year: common(tags.map(({ year }) => year)) ?? named.year,
    publisher: common(tags.map(({ publisher }) => publisher)),
    language: common(tags.map(({ language }) => language)),
    isbn: common(tags.map(({ isbn }) => isbn)),
    asin: common(tags.map(({ asin }) => asin)),
    description: description === undefined ? undefined : plainText(description),
    genres: [...new Set(tags.flatMap(({ genres }) => genres))].filter((genre) => !IS_FORM.test(genre)).slice(0, 20),
    edition: named.edition,
  };
  return presentFields(fields);
}

/** Matches genres that only mean "audiobook". */
const IS_FORM = /^(?:audio ?books?|spoken( word)?|speech|other|books?( & spoken)?|hörbuch|unknown)$/iu;
const JUNK_TITLE = /^(?:unknown( album| title)?|track ?\d*|audio ?track ?\d*|untitled|title|album|\d{1,4})$/iu;

type Named = Partial<Pick<ScannedFields, 'title' | 'subtitle' | 'narrators' | 'year' | 'edition'>> & {
  readonly series?: readonly ScannedSeries[];
};

/**
 * Reads the album, or the title of a single file without an album. Both may contain series, year and more, as folder
 * names do.
 */
function bookTitle(tags: readonly AudioTags[]): Named {
  const album = mostCommon(tags.map((one) => one.album));
  const text = album ?? (tags.length === 1 ? tags[0]?.title : undefined);
  if (text === undefined || JUNK_TITLE.test(text.trim())) return {};
  return readTitleText(text);
}

/**
 * Reads the title in a tag, which often has the form `Title: Series, Book 1`. Unlike in folder names, a dash is part of
 * the title.
 */
function readTitleText(text: string): Named & { readonly title: string } {
  const [head = '', ...tail] = readableName(withoutParts(text)).split(/:\s+/u);
  const behind = seriesWithPosition(tail.join(': '));
  if (behind?.isCertain === true) {
    const named = readTitleFolder(head, { author: '' });
    return { ...named, series: [{ name: behind.name, sequence: behind.sequence }] };
  }
  // If the context has an author, even an empty one, the words before a dash are not read as the author.
  const { subtitle, ...named } = readTitleFolder(withoutParts(text), { author: '' });
  const hasDash = subtitle !== undefined && named.series.length === 0;
  if (hasDash) return { ...named, title: readBrackets(withoutParts(text).normalize('NFC')).text };
  return subtitle === undefined ? named : { ...named, subtitle };
}

/**
 * Removes the part number from an album, as in `Dune (Disc 1 of 4)`, `Dune - CD 2`, `Dune, Part 3 of 9`. Other tags
 * contain that number.
 */
export function withoutParts(album: string): string {
  const rest = album
    .replace(/[\s,:–-]*[([]?\s*(?:cd|dis[ck]|part|teil)\s*#?\d{1,3}(?:\s*(?:of|\/|von)\s*\d{1,3})?\s*[)\]]?\s*$/iu, '')
    .replace(/\s*-\s*\d{1,3}\s*\/\s*\d{1,3}\s*$/u, '')
    .trim();
  return rest === '' ? album : rest;
}

function people(tags: readonly AudioTags[], of: (tags: AudioTags) => readonly string[]): readonly string[] {
  const text = mostCommon(tags.map((one) => of(one).join('; ')).filter((one) => one !== ''));
  return text === undefined ? [] : splitPeople(text);
}

/**
 * Uses the first of these that the files have: the narrator tag; the composer tag, which often holds the narrator; an
 * artist who is not the author.
 */
function narratorsOf(tags: readonly AudioTags[], authors: readonly string[]): readonly string[] {
  const known = new Set(authors.map(comparable));
  const others = (names: readonly string[]): readonly string[] => names.filter((name) => !known.has(comparable(name)));
  const own = people(tags, ({ narrators }) => narrators);
  if (own.length > 0) return own;
  const composers = others(people(tags, ({ composers: names }) => names));
  if (composers.length > 0) return composers;
  const hasBoth = tags.some(({ albumArtists, artists }) => albumArtists.length > 0 && artists.length > 0);
  return hasBoth ? others(people(tags, ({ artists }) => artists)) : [];
}

function seriesOf(
  tags: readonly AudioTags[],
  fromTitle: readonly ScannedSeries[] | undefined,
): readonly ScannedSeries[] {
  const text = mostCommon(tags.map((one) => one.series));
  if (text === undefined) return fromTitle ?? [];
  return seriesList(text, mostCommon(tags.map((one) => one.seriesPart)));
}

function mostCommon<T>(values: readonly (T | undefined)[]): T | undefined {
  const counts = new Map<T, number>();
  for (const value of values) if (value !== undefined) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort((left, right) => right[1] - left[1])[0]?.[0];
}

/** Returns a value that at least half of the files share. */
function common<T>(values: readonly (T | undefined)[]): T | undefined {
  const value = mostCommon(values);
  return values.filter((one) => one === value).length * 2 >= values.length ? value : undefined;
}

function longest(texts: readonly (string | undefined)[]): string | undefined {
  return texts.reduce((best, text) => ((text ?? '').length > (best ?? '').length ? text : best), undefined);
}
