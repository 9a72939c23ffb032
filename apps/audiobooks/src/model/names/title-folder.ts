import type { ScannedFields, ScannedSeries } from '../scanned.ts';
import { looksLikePerson, splitPeople } from './people.ts';
import { positionOnly, seriesWithPosition } from './series-text.ts';
import { type Bracketed, comparable, readableName, readBrackets, withoutTechnical } from './text.ts';

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
}

interface Draft {
  texts: string[];
  year?: number;
  sequence?: string;
  series?: { readonly name: string; readonly sequence: string };
  /** Number of texts before the series. These texts are the author. */
  textsBeforeSeries?: number;
  narrators: string[];
  authors: readonly string[];
  /** Number of a part of the book (not a position in a series), as in `Part 1 of 2`. */
  part?: string;
  /** True if the name starts with a bare number; then the words after the number are the title. */
  isNumbered?: true;
  edition?: 'abridged' | 'unabridged';
}

export function readTitleFolder(name: string, context: NameContext = {}): NamedBook {
  const readable = readableName(name);
  const brackets = readBrackets(readable);
  const { text, hadAny } = withoutTechnical(brackets.text);
  const draft: Draft = { texts: [], narrators: [], authors: [] };
  const named = takePart(draft, takeEdition(draft, takeReaders(draft, text)));
  const plain = takeAuthor(draft, takeLastYear(draft, named, hadAny), context).replace(
    /^(\d{1,3})_(?=\p{L})/u,
    '$1 - ',
  );
  const pieces = plain.split(/(?:^|\s+)-+(?=\s|$)/u).map((piece) => piece.trim());
  const filled = pieces.filter((piece) => piece !== '');
  for (const [index, piece] of filled.entries()) readPiece(draft, piece, { ...context, index, count: filled.length });
  takeTechnicalReader(draft, brackets, hadAny);
  return assemble(draft, brackets, readable, context);
}

/** Takes the narrators from the end of a name: `Title read by Jim Bond`. */
function takeReaders(draft: Draft, text: string): string {
  const match = /(?:^|\s+-?\s*)(?:read|narrated|performed)\s+by\s+(?<people>.+)$/iu.exec(text);
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

/** Reads the year in `Title, 2011` and `Title 2011 64k`. Without a comma, the year must be next to technical words. */
function takeLastYear(draft: Draft, text: string, hadTechnical: boolean): string {
  const match = /(?<comma>,)?\s(?<year>(?:1[4-9]|20|21)\d{2})$/u.exec(text);
  if (match?.groups === undefined || (match.groups['comma'] === undefined && !hadTechnical)) return text;
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
  if (isYear(given) && draft.year === undefined && context.count > 1) {
    draft.year = Number(given);
    return;
  }
  const piece = takeFirstYear(draft, given, context);
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

/**
 * In the folder of a series, rewrites `Part 3` as a position in the series. Elsewhere, `Part 3` is a part of the book.
 */
const inSeries = (piece: string, { series }: NameContext): string =>
  series === undefined ? piece : piece.replace(/^part\s+(?=\d{1,3}$)/iu, 'Book ');

/** Recognises `WoT 01` in the folder `Wheel of Time`. */
function abbreviated(
  piece: string,
  { series = '' }: NameContext,
): { readonly sequence: string; readonly isWorded: boolean } | undefined {
  const { letters = '', number = '' } = /^(?<letters>\p{L}{2,6})[\s-]?(?<number>\d{1,3})$/u.exec(piece)?.groups ?? {};
  const words = series.split(/\s+/u).filter((word) => word !== '');
  const initials = words.map((word) => word.charAt(0)).join('');
  const isShort = [initials, initials.slice(1)].some((short) => short.toLowerCase() === letters.toLowerCase());
  return letters !== '' && words.length > 1 && isShort ? positionOnly(number) : undefined;
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
  const [head = '', ...tail] = piece.split(/:\s+/u);
  const behind = seriesWithPosition(tail.join(': '));
  if (behind?.isCertain === true) return { title: head, series: behind.name, sequence: behind.sequence };
  const middle = /^(?<series>\p{L}.*?)\s#?(?<number>\d{1,3}(?:\.\d)?)\.?\s+(?<title>\p{Lu}.*)$/u.exec(piece)?.groups;
  const { series = '', number = '', title = '' } = middle ?? {};
  const isMarked = above === undefined ? isPadded(number) : comparable(series) === comparable(above);
  const sequence = isMarked ? positionOnly(number)?.sequence : undefined;
  if (sequence !== undefined) return { title, series, sequence };
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
    const last = readableName(sibling).split(' - ').at(-1) ?? '';
    return seriesWithPosition(last)?.name ?? [];
  });
  if (others.length === 0 || others.some((other) => comparable(other) === comparable(name))) return undefined;
  const own = name.split(' ').reverse();
  const counts = others.map((other) => {
    const words = other.split(' ').reverse();
    const differing = own.findIndex((word, index) => word !== words[index]);
    return differing === -1 ? 0 : differing;
  });
  return Math.max(...counts);
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
  if (context.series !== undefined) return comparable(series.name) === comparable(context.series);
  if (series.isCertain) return true;
  return context.count > 1 && (draft.texts.length === 0 || looksLikePerson(draft.texts[0] ?? ''));
}

/** Matches `Vol. 3 Title`, `Volume 12. Title` and `Book 4 Title` in the folder of a series. */
const WORDED_FRONT =
  /^(?:vol(?:ume)?|book|bk|band|teil|tome|livre|libro|part|episode|ep)\.?\s*#?(?<number>\d{1,3}(?:\.\d{1,2})?)[.:,)]?\s+(?<rest>\p{L}.*)$/iu;
/** Matches `1. Title`, `01 Title`, `#01 Title`, `(01) Title` and `01) Title`. */
const FRONT = /^(?<open>[#(]?)(?<number>\d{1,3}(?:\.\d{1,2})?)(?<mark>[.)]*)\s+(?<rest>\D.*)$/u;
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
 * Returns whether the number at the start is a position. It must have a mark or a leading zero. In the folder of a
 * series, a plain number is enough, unless the folder has other books and none of them starts with a number.
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

/** In `Title (Rudd) 48k`, a name in brackets next to technical words is the narrator. */
function takeTechnicalReader(draft: Draft, brackets: Bracketed, hadTechnical: boolean): void {
  if (brackets.unexplained === undefined || !(hadTechnical || brackets.hadTechnical)) return;
  draft.narrators.push(brackets.unexplained);
  draft.texts = draft.texts.map((text) => text.replace(`(${brackets.unexplained ?? ''})`, '').trim());
}

function assemble(draft: Draft, brackets: Bracketed, readable: string, context: NameContext): NamedBook {
  const left = draft.texts.filter((text) => text !== '' && !repeats(text, context));
  const at = context.author === undefined && draft.authors.length === 0 ? authorAmong(left, draft, context) : undefined;
  const authors = at === undefined ? draft.authors : splitPeople(left[at] ?? '');
  const texts = left.filter((_, place) => place !== at);
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

function authorAmong(texts: readonly string[], draft: Draft, context: NameContext): number | undefined {
  const [first = '', second = ''] = texts;
  if (texts.length === 1) return isAuthorOfSeries(first, draft, context) ? 0 : undefined;
  if (texts.length === 0) return undefined;
  const dropped = draft.texts.length - texts.length;
  const before = draft.textsBeforeSeries === undefined ? 0 : draft.textsBeforeSeries - dropped;
  // `01 - Title - Author`: after a number, the title comes first and the author second.
  if (draft.isNumbered === true && texts.length === 2 && looksLikePerson(second)) return 1;
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
  const isNamed = hasMore || /,|(?:^|\s)\p{Lu}\.?(?:\s|\p{Lu}\.)/u.test(only);
  return isNamed && looksLikePerson(only);
}

function repeats(text: string, { author, series }: NameContext): boolean {
  const same = (other: string | undefined): boolean => other !== undefined && comparable(other) === comparable(text);
  return (
    same(series) || same(author) || (author !== undefined && splitPeople(text).join() === splitPeople(author).join())
  );
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
  if (draft.series !== undefined && draft.year === undefined) return `${draft.series.name} ${draft.series.sequence}`;
  const isRepeated = draft.texts.length > 0 && series !== undefined;
  return isRepeated ? (draft.texts.at(-1) ?? readable) : readable;
}
