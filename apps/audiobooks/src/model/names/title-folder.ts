import type { ScannedFields, ScannedSeries } from '../scanned.ts';
import { hasInitials, looksLikePerson, splitPeople } from './people.ts';
import { digits, positionOnly, seriesWithPosition } from './series-text.ts';
import {
  type Bracketed,
  comparable,
  isSameSeries,
  READ,
  readableName,
  readBrackets,
  spaced,
  withDashes,
  withoutTechnical,
} from './text.ts';

export type NamedBook = Pick<
  ScannedFields,
  'title' | 'subtitle' | 'authors' | 'narrators' | 'series' | 'year' | 'asin' | 'isbn' | 'edition'
>;

interface NameContext {
  /** Author and series according to the parent folders. The name may repeat them. */
  readonly author?: string;
  readonly series?: string;
  /**
   * Names of the other folders in the same parent. They show whether the books are numbered and which words their names
   * share.
   */
  readonly siblings?: readonly string[];
}

interface PieceContext extends NameContext {
  readonly index: number;
  readonly count: number;
  /** True if brackets contain the year. In that case, `1984` between dashes is a title. */
  readonly hasYear: boolean;
}

interface Draft {
  texts: string[];
  year?: number;
  sequence?: string;
  series?: { readonly name: string; readonly sequence: string };
  /** Number of texts before the series. These texts are the author. */
  textsBeforeSeries?: number;
  /** Number of texts before a year between dashes. */
  textsBeforeYear?: number;
  narrators: string[];
  authors: readonly string[];
  /** Number of a part of the book (not a position in a series), as in `Part 1 of 2`. */
  part?: string;
  /** True if the name starts with a bare number. In that case, the words after the number are the title. */
  isNumbered?: true;
  edition?: 'abridged' | 'unabridged';
}

export function readTitleFolder(name: string, context: NameContext = {}): NamedBook {
  const readable = readableName(name);
  const brackets = readBrackets(readable);
  const { text: words, hadAny } = withoutTechnical(brackets.text);
  const isJoined = (words.match(/\p{Lu}\p{Ll}+/gu) ?? []).length > 2;
  const text = isJoined ? spaced(words) : words;
  const draft: Draft = { texts: [], narrators: [], authors: [] };
  const named = takePart(draft, takeEdition(draft, takeReaders(draft, text)));
  const isYearLast = hadAny || /[)\]}] ?\d{4}$/u.test(readable);
  const plain = takeAuthor(draft, takeLastYear(draft, named, isYearLast), context).replace(
    context.series === undefined ? /^(\d{1,3}_|0\d{1,2}-)(?=\p{L})/u : /^(\d{1,3}[_-])(?=\p{L})/u,
    (number) => `${number.slice(0, -1)} - `,
  );
  const filled = takeLongNumber(draft, withoutRepeats(piecesOf(plain, context), context), context);
  const shared = { ...context, count: filled.length, hasYear: brackets.year !== undefined };
  for (const [index, piece] of filled.entries()) readPiece(draft, piece, { ...shared, index });
  takeBracketedReader(draft, brackets, hadAny, context);
  return assemble(draft, brackets, readable, context);
}

function splitAtDashes(text: string): readonly string[] {
  return text
    .split(/(?:^|\s+)-+(?=\s|$)/u)
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '');
}

/** Splits a name at its dashes. A hyphen without spaces counts only after the author. */
function piecesOf(text: string, context: NameContext): readonly string[] {
  const own = withoutAuthor(text, context);
  const dashed = withDashes(own);
  const pieces = splitAtDashes(dashed);
  const isAuthor = dashed === own || context.author === undefined || repeats(pieces[0] ?? '', context);
  return isAuthor ? pieces : splitAtDashes(own);
}

/** Turns `Author Series 01 Title` in the author's folder into `Series 01 Title`. */
function withoutAuthor(text: string, { author }: NameContext): string {
  const name = author === undefined ? undefined : splitPeople(readableName(author))[0];
  return name !== undefined && /^ \p{L}/u.test(text.slice(name.length)) && text.startsWith(name)
    ? text.slice(name.length + 1)
    : text;
}

/** Removes author and series from the start of `Author - Series - 01 Title` if the folders above name them. */
function withoutRepeats(pieces: readonly string[], context: NameContext): readonly string[] {
  const [first = '', ...rest] = pieces;
  const hasTitle = rest.some((piece) => positionOnly(piece) === undefined);
  return hasTitle && repeats(first, context) ? withoutRepeats(rest, context) : pieces;
}

/** In a series folder, `1045 - 2026 - Title` starts with a position of four digits, because a year follows. */
function takeLongNumber(draft: Draft, pieces: readonly string[], { series }: NameContext): readonly string[] {
  const [first = '', second = '', ...others] = pieces;
  if (series === undefined || others.length === 0 || !/^\d{4}$/u.test(first) || !isYear(second)) return pieces;
  draft.sequence = String(Number(first));
  return pieces.slice(1);
}

const READERS = new RegExp(String.raw`(?:^|\s+-?\s*)(?:${READ})\s+(?<people>.+)$`, 'iu');

/** Takes the narrators from the end of a name: `Title read by Jim Bond`. */
function takeReaders(draft: Draft, text: string): string {
  const match = READERS.exec(text);
  if (match?.groups === undefined) return text;
  draft.narrators.push(...splitPeople(match.groups['people'] ?? ''));
  return text
    .slice(0, match.index)
    .replace(/[\s,;]+$/u, '')
    .trim();
}

/** Takes the part from the end of a name: `Title Part 1 of 2`. */
function takePart(draft: Draft, text: string): string {
  const match = /[\s,-]+(?<part>(?:part|pt|teil)\.?\s*\d{1,2}\s*(?:of|von)\s*\d{1,2})$/iu.exec(text);
  if (match?.groups === undefined) return text;
  draft.part = match.groups['part'] ?? '';
  return text.slice(0, match.index).trim();
}

/**
 * Reads the year in `Title, 2011` and `Title 2011 64k`. Without a comma, the year must be next to technical words or
 * brackets.
 */
function takeLastYear(draft: Draft, text: string, isCertain: boolean): string {
  const match = /(?<comma>,)?\s(?<year>(?:1[4-9]|20|21)\d{2})$/u.exec(text);
  if (match?.groups === undefined || (match.groups['comma'] === undefined && !isCertain)) return text;
  draft.year = Number(match.groups['year']);
  return text.slice(0, match.index).trim();
}

/** Reads the author in `Title by Author`, unless the folder above names another author. */
function takeAuthor(draft: Draft, text: string, { author }: NameContext): string {
  const { title = '', people = '' } = /^(?<title>.+)\s+by\s+(?<people>.+)$/iu.exec(text)?.groups ?? {};
  if (!looksLikePerson(people)) return text;
  const authors = splitPeople(people);
  if (author !== undefined && splitPeople(readableName(author)).join() !== authors.join()) return text;
  draft.authors = authors;
  return title.replace(/[\s,-]+$/u, '');
}

function takeEdition(draft: Draft, text: string): string {
  const match = /[\s,-]+(?<un>un-?)?abr(?:idged)?\.?$/iu.exec(text);
  if (match === null) return text;
  draft.edition = match.groups?.['un'] === undefined ? 'abridged' : 'unabridged';
  return text.slice(0, match.index).trim();
}

/** Reads one piece between dashes: a year, a position, a series with its position, or words. */
function readPiece(draft: Draft, given: string, context: PieceContext): void {
  // In `1999 - Title`, the number is always a year.
  if (isYear(given) && draft.year === undefined && context.count > 1 && !context.hasYear) {
    draft.year = Number(given);
    draft.textsBeforeYear = draft.texts.length;
    return;
  }
  // `2.0 - Title` is the second book; in `Life 3.0`, the number is part of the title.
  const isLast = context.index === context.count - 1;
  const piece = takeFirstYear(draft, isLast ? given : given.replace(/(?<=\d)\.0$/u, ''), context);
  const position = positionOnly(inSeries(piece, context)) ?? abbreviated(piece, context);
  if (position !== undefined && draft.sequence === undefined) {
    draft.sequence = position.sequence;
    if (context.index === 0 && !position.isWorded) draft.isNumbered = true;
    // `Series - 07 - Title`: the words before a bare number are the series.
    const before = draft.texts.at(-1);
    if (!position.isWorded && context.series === undefined && draft.series === undefined && before !== undefined) {
      draft.texts.pop();
      draft.series = { name: before, sequence: position.sequence };
      draft.textsBeforeSeries = draft.texts.length;
    }
    return;
  }
  if (draft.series === undefined && readTitleAndSeries(draft, piece, context)) return;
  const series = seriesWithPosition(piece);
  if (series !== undefined && draft.series === undefined && isSeriesHere(draft, series, context)) {
    draft.series = series;
    draft.sequence ??= series.sequence;
    draft.textsBeforeSeries = draft.texts.length;
    return;
  }
  readWords(draft, piece, context);
}

const isYear = (text: string): boolean => /^(?:1[4-9]|20|21)\d{2}$/u.test(text);

/** Reads the year in `2011. Title`. Reads it in `2011 Title` only if another folder also starts with a year. */
function takeFirstYear(draft: Draft, piece: string, { siblings = [], index }: PieceContext): string {
  const {
    year = '',
    mark = '',
    rest = '',
  } = /^(?<year>(?:1[4-9]|20|21)\d{2})(?<mark>\.?)\s+(?<rest>\S.*)$/u.exec(piece)?.groups ?? {};
  const areYears = siblings.some((sibling) => /^(?:1[4-9]|20|21)\d{2}\s/u.test(sibling) && !sibling.startsWith(year));
  if (index > 0 || year === '' || draft.year !== undefined || (mark === '' && !areYears)) return piece;
  draft.year = Number(year);
  return rest;
}

/** In a series folder, rewrites `Part 3` as a position in the series. Elsewhere, `Part 3` is a part of the book. */
const inSeries = (piece: string, { series }: NameContext): string =>
  (series === undefined ? piece : piece.replace(/^part\s+(?=\d{1,3}$)/iu, 'Book ')).replace(
    /^(book \d{1,3}) of \d{1,3}$/iu,
    '$1',
  );

/** Recognises `WoT 01` in the folder `Wheel of Time`, and `ExFor 01 - Title` in `Expeditionary Force`. */
function abbreviated(
  piece: string,
  { series = '', index, count }: PieceContext,
): { readonly sequence: string; readonly isWorded: boolean } | undefined {
  const { letters = '', number = '' } =
    /^(?<letters>\p{L}{2,8})[\s-]?(?<number>\d{1,3}(?:\.\d{1,2})?)$/u.exec(piece)?.groups ?? {};
  const words = series.split(/\s+/u).filter((word) => word !== '');
  const initials = words.map((word) => word.charAt(0)).join('');
  const isInitials = [initials, initials.slice(1)].some((short) => short.toLowerCase() === letters.toLowerCase());
  const isBeforeTitle = index === 0 && count > 1 && isPadded(number);
  return letters !== '' && words.length > 1 && (isInitials || isBeforeTitle) ? positionOnly(number) : undefined;
}

/** Reads title and series from one text: `Title: Series, Book 1`, `Series 01 Title`, `Title Series, Book 1`. */
function readTitleAndSeries(draft: Draft, piece: string, context: PieceContext): boolean {
  const found = titleAndSeries(piece, context);
  if (found === undefined) return false;
  draft.texts.push(found.title);
  if (found.series === '') return true;
  draft.series = { name: found.series, sequence: found.sequence };
  draft.sequence ??= found.sequence;
  return true;
}

interface TitleAndSeries {
  readonly title: string;
  /** Empty if the name contains a position but no series. */
  readonly series: string;
  readonly sequence: string;
}

function titleAndSeries(piece: string, { series: above, siblings = [] }: PieceContext): TitleAndSeries | undefined {
  const of = /^(?<title>.+?),? book (?<number>\w+) of (?<series>(?:the )?\p{Lu}.*)$/iu.exec(digits(piece))?.groups;
  const inOf = positionOnly(of?.['number'] ?? '');
  if (of !== undefined && inOf !== undefined)
    return { title: of['title'] ?? '', series: of['series'] ?? '', sequence: inOf.sequence };
  const [head = '', ...tail] = piece.split(/:\s+/u);
  const behind = seriesWithPosition(tail.join(': '));
  if (behind?.isCertain === true) return { title: head, series: behind.name, sequence: behind.sequence };
  const before = tail.length === 0 ? undefined : seriesWithPosition(head);
  if (before?.isCertain === true) return { title: tail.join(': '), series: before.name, sequence: before.sequence };
  const middle = /^(?<series>\p{L}.*?)\s#?(?<number>\d{1,3}(?:\.\d)?)\.?\s+(?<title>\p{Lu}.*|\d+)$/u.exec(
    piece,
  )?.groups;
  const { series = '', number = '', title = '' } = middle ?? {};
  const isMarked = above === undefined ? isPadded(number) : isSameSeries(series, above);
  const sequence = isMarked ? positionOnly(number)?.sequence : undefined;
  if (sequence !== undefined) return { title, series: series.replace(/\s+(?:book|bk|vol)\.?$/iu, ''), sequence };
  const whole = seriesWithPosition(piece);
  if (whole?.isCertain !== true || above !== undefined) return undefined;
  const common = commonEnd(whole.name, siblings);
  if (common === undefined) return undefined;
  const words = whole.name.split(' ');
  return {
    title: words.slice(0, words.length - common).join(' '),
    series: words.slice(words.length - common).join(' '),
    sequence: whole.sequence,
  };
}

/**
 * Returns the number of trailing words that a name such as `Storm Front Dresden Files` shares with the most similar
 * name of another numbered book. Returns undefined if there is no other book, or if another book has the same name.
 */
function commonEnd(name: string, siblings: readonly string[]): number | undefined {
  const others = siblings.flatMap((sibling) => {
    const last = readBrackets(readableName(sibling)).text.split(' - ').at(-1) ?? '';
    return seriesWithPosition(last)?.name ?? [];
  });
  if (others.length === 0 || others.some((other) => comparable(other) === comparable(name))) return undefined;
  const own = name.split(' ').reverse();
  const counts = others.map((other) => {
    const words = other.split(' ').reverse();
    const differing = own.findIndex((word, index) => word !== words[index]);
    return differing === -1 ? 0 : differing;
  });
  // Two titles may end with the same word by chance, so the shortest common end counts.
  const shared = counts.filter((count) => count > 0);
  return shared.length === 0 ? 0 : Math.min(...shared);
}

/**
 * Returns whether the words before a number are a series. If no mark shows that the number is a position, other pieces
 * of the name must contain the title: `Catch 22` alone is a title.
 */
function isSeriesHere(
  draft: Draft,
  series: { readonly name: string; readonly isCertain: boolean },
  context: PieceContext,
): boolean {
  if (context.series !== undefined) return isSameSeries(series.name, context.series);
  if (series.isCertain) return true;
  return context.count > 1 && (draft.texts.length === 0 || looksLikePerson(draft.texts[0] ?? ''));
}

/** Matches `Vol. 3 Title`, `Volume 12. Title` and `Book 4 Title` in a series folder. */
const WORDED_FRONT =
  /^(?:vol(?:ume)?|book|bk|band|teil|tome|livre|libro|part|episode|ep)\.?\s*#?(?<number>\d{1,3}(?:\.\d{1,2})?)[.:,)]?\s+(?<rest>\p{L}.*)$/iu;
/** Matches `1. Title`, `01 Title`, `#01 Title`, `(01) Title` and `01) Title`. */
const FRONT = /^(?<open>[#(]?)(?<number>\d{1,3}(?:\.\d{1,2})?)(?<mark>[.)]*)\s+(?<rest>(?:\d+ )?\D.*)$/u;
const BACK = /^(?<rest>.+?)(?:,\s*|\s+)(?<position>(?:(?:book|bk|vol|volume)\.?\s*#?|#)\d.*)$/iu;

/** Reads words, optionally with a position before or after them (`Title, Book 2`). */
function readWords(draft: Draft, piece: string, context: NameContext): void {
  const isInSeries = context.series !== undefined;
  const worded = isInSeries ? WORDED_FRONT.exec(piece)?.groups : undefined;
  const front = worded ?? (isNumberedTitle(piece, context) ? FRONT.exec(piece)?.groups : undefined);
  if (front !== undefined && draft.sequence === undefined && draft.texts.length === 0) {
    draft.sequence = positionOnly(front['number'] ?? '')?.sequence ?? '';
    draft.texts.push(front['rest'] ?? '');
    return;
  }
  const back = BACK.exec(piece)?.groups;
  const behind = positionOnly(back?.['position'] ?? '');
  if (behind !== undefined && isInSeries && draft.sequence === undefined) {
    draft.sequence = behind.sequence;
    draft.texts.push(back?.['rest'] ?? piece);
    return;
  }
  draft.texts.push(piece);
}

/**
 * Returns whether the number at the start is a position. It must have a mark or a leading zero. In a series folder, a
 * plain number is enough, unless the folder has other books and none of their names starts with a number.
 */
function isNumberedTitle(piece: string, { series, siblings = [] }: NameContext): boolean {
  const { open = '', number = '', mark = '' } = FRONT.exec(piece)?.groups ?? {};
  if (number === '') return false;
  if (open !== '' || mark !== '' || isPadded(number)) return true;
  return (
    series !== undefined && (siblings.length === 0 || siblings.some((sibling) => /^[#([]?\d{1,3}\b/u.test(sibling)))
  );
}

const isPadded = (number: string | undefined): boolean => number !== undefined && /^0\d/u.test(number);

/**
 * A name in round brackets is the narrator if it is next to technical words (`Title (Rudd) 48k`), after the author
 * (`Title - Author (Rudd)`), or has initials. Other names may be characters: `Title (Hercule Poirot)`.
 */
function takeBracketedReader(draft: Draft, brackets: Bracketed, hadTechnical: boolean, context: NameContext): void {
  const { unexplained: name } = brackets;
  const { author } = context;
  if (name === undefined) return;
  const without = draft.texts.map((text) => text.replace(`(${name})`, '').trim());
  const holder = without.find((text, index) => text !== draft.texts[index]) ?? '';
  const isHolderAuthor =
    author === undefined ? draft.texts.length > 1 && looksLikePerson(holder) : repeats(holder, context);
  const isBehindAuthor = isHolderAuthor && looksLikePerson(name);
  const isInitialled = author !== undefined && hasInitials(name) && looksLikePerson(name);
  if (!hadTechnical && !brackets.hadTechnical && !isBehindAuthor && !isInitialled) return;
  draft.narrators.push(name);
  draft.texts = without;
}

function assemble(draft: Draft, brackets: Bracketed, readable: string, context: NameContext): NamedBook {
  const left = draft.texts.filter((text) => text !== '' && !repeats(text, context));
  const at = context.author === undefined && draft.authors.length === 0 ? authorAmong(left, draft, context) : undefined;
  const authors = at === undefined ? draft.authors : splitPeople(left[at] ?? '');
  const isKnown = at !== undefined || context.author !== undefined || draft.authors.length > 0;
  const texts = takeReaderAfterYear(
    draft,
    left.filter((_, place) => place !== at),
    isKnown,
  );
  const series = seriesOf(draft, brackets, context);
  const [shown = fallbackTitle(draft, readable, context), ...rest] = texts;
  // The text in brackets is the series, so it is not part of the title.
  const isFromBrackets = series[0] !== undefined && series[0].name === brackets.unexplained;
  const title = isFromBrackets ? shown.replace(`(${series[0]?.name ?? ''})`, '').trim() : shown;
  const narrators = draft.narrators.length > 0 ? draft.narrators : (brackets.narrators ?? []);
  const { asin, isbn } = brackets;
  const year = draft.year ?? brackets.year;
  const edition = draft.edition ?? brackets.edition;
  const subtitle = [...rest, draft.part ?? brackets.part ?? ''].filter((text) => text !== '').join(' - ');
  return {
    title,
    ...(subtitle === '' ? {} : { subtitle }),
    authors,
    narrators,
    series,
    ...(year === undefined ? {} : { year }),
    ...(asin === undefined ? {} : { asin }),
    ...(isbn === undefined ? {} : { isbn }),
    ...(edition === undefined ? {} : { edition }),
  };
}

/** `Author - Title - 1953 - Narrator`: after author, title and year, a person is the narrator. */
function takeReaderAfterYear(draft: Draft, texts: readonly string[], isAuthorKnown: boolean): readonly string[] {
  const last = texts.at(-1) ?? '';
  const isAfterYear = draft.textsBeforeYear !== undefined && draft.texts.indexOf(last) >= draft.textsBeforeYear;
  if (!isAuthorKnown || texts.length < 2 || draft.textsBeforeYear === 0 || !isAfterYear || !looksLikePerson(last))
    return texts;
  draft.narrators.push(...splitPeople(last));
  return texts.slice(0, -1);
}

function authorAmong(texts: readonly string[], draft: Draft, context: NameContext): number | undefined {
  const [first = '', second = ''] = texts;
  if (texts.length === 1) return isAuthorOfSeries(first, draft, context) ? 0 : undefined;
  if (texts.length === 0) return undefined;
  const dropped = draft.texts.length - texts.length;
  const before = draft.textsBeforeSeries === undefined ? 0 : draft.textsBeforeSeries - dropped;
  // `01 - Title - Author` and `Series 01 - Title - Author`: after a number, the title comes first.
  const isTitleFirst = draft.isNumbered === true || draft.textsBeforeSeries === 0;
  if (isTitleFirst && texts.length === 2 && looksLikePerson(second)) return 1;
  // `Title - Series 1 - J. Author`: of two names, the one with initials is a person.
  const isSecond = before === 1 && texts.length === 2 && hasInitials(second) && !hasInitials(first);
  if (isSecond && looksLikePerson(second)) return 1;
  if ((before > 0 && before < texts.length) || looksLikePerson(first)) return 0;
  return draft.series === undefined && texts.length === 2 && looksLikePerson(second) ? 1 : undefined;
}

/**
 * Distinguishes `Author - Series 3` from `Title - Series 3`. An author looks like a person, and has initials, a comma,
 * or several other books in this folder.
 */
function isAuthorOfSeries(only: string, draft: Draft, { siblings = [] }: NameContext): boolean {
  if (draft.series === undefined || draft.textsBeforeSeries !== 1) return false;
  const hasMore = siblings.filter((sibling) => readableName(sibling).startsWith(`${only} - `)).length > 1;
  // `Author - A Long Title Series, Book 1` has more words than a series.
  const isLong = draft.series.name.split(' ').length > 3;
  const isNamed = hasMore || isLong || only.includes(',') || hasInitials(only);
  return isNamed && looksLikePerson(only);
}

const comparablePeople = (names: string): string => splitPeople(names).map(comparable).join();

function repeats(text: string, { author, series }: NameContext): boolean {
  const same = (other: string | undefined): boolean => other !== undefined && comparable(other) === comparable(text);
  return same(series) || same(author) || (author !== undefined && comparablePeople(text) === comparablePeople(author));
}

function seriesOf(draft: Draft, brackets: Bracketed, { series: above }: NameContext): readonly ScannedSeries[] {
  const inName = draft.series ?? brackets.series;
  const sequence = draft.sequence ?? inName?.sequence ?? brackets.sequence;
  if (above !== undefined) return [sequence === undefined ? { name: above } : { name: above, sequence }];
  if (inName !== undefined) return [{ name: inName.name, sequence: inName.sequence }];
  // `07 - Title (Series)`: the brackets contain the series.
  return sequence === undefined || brackets.unexplained === undefined ? [] : [{ name: brackets.unexplained, sequence }];
}

/** Returns a title for a folder whose name is only `Book 1` or repeats the series, so that the title is never empty. */
function fallbackTitle(draft: Draft, readable: string, { series }: NameContext): string {
  const repeated = series === undefined ? undefined : draft.texts.at(-1);
  if (repeated !== undefined) return repeated;
  if (draft.series === undefined || draft.year !== undefined) return readable;
  return `${draft.series.name} ${draft.series.sequence}`;
}
