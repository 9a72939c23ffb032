import type { ScannedFields, ScannedSeries } from '../scanned.ts';
import { looksLikePerson, splitPeople } from './people.ts';
import { positionOnly, seriesWithPosition } from './series-text.ts';
import {
  type Bracketed,
  comparable,
  isNoiseFolder,
  isShelf,
  readableName,
  readBrackets,
  withoutTechnical,
} from './text.ts';

/**
 * Reads metadata from a book's path: `Author/Series/Title`, `Author/Title`, or everything in one name.
 *
 * Skips container folders (`Audiobook`, `mp3`) and takes the narrator from `Read by …`. A folder named like the author
 * in the tags is the author at any depth.
 */
export function readBookPath(
  path: readonly string[],
  hints: { readonly authors: readonly string[]; readonly siblings?: readonly string[] } = { authors: [] },
): NamedBook {
  const narrators: string[] = [];
  const folders: string[] = [];
  for (const [index, name] of path.entries()) {
    const reader = /^(?:read|narrated|performed)\s+by\s+(?<people>.+)$/iu.exec(readableName(name))?.groups?.['people'];
    if (reader !== undefined) narrators.push(...splitPeople(reader));
    else if (!isNoiseFolder(readableName(name)) && !(index === 0 && path.length > 1 && isShelf(name)))
      folders.push(name);
  }
  const distinct = folders.filter((name, index) => comparable(name) !== comparable(folders[index + 1] ?? ''));
  const { author, series, title } = rolesOf(distinct, hints.authors);
  const context = {
    ...(author === undefined ? {} : { author }),
    ...(series === undefined ? {} : { series }),
    ...(hints.siblings === undefined ? {} : { siblings: hints.siblings }),
  };
  // `incoming/Frank Herbert - Dune`: the folder is not a person, so the author is in the name.
  const isOnlyHolder = series === undefined && author !== undefined && !isPersonFolder(author, hints.authors);
  const alone = isOnlyHolder ? readTitleFolder(title ?? path.at(-1) ?? '', {}) : undefined;
  if (alone !== undefined && alone.authors.length > 0)
    return { ...alone, narrators: either(alone.narrators, narrators) };
  const named = readTitleFolder(title ?? path.at(-1) ?? '', context);
  return {
    ...named,
    authors: author === undefined ? named.authors : splitPeople(readableName(author)),
    narrators: either(named.narrators, narrators),
  };
}

const either = (first: readonly string[], second: readonly string[]): readonly string[] =>
  first.length > 0 ? first : second;

const isPersonFolder = (folder: string, authors: readonly string[]): boolean =>
  looksLikePerson(readableName(folder)) || isSamePerson(folder, authors);

interface Roles {
  readonly author?: string;
  readonly series?: string;
  readonly title?: string;
}

function rolesOf(folders: readonly string[], authors: readonly string[]): Roles {
  const title = folders.at(-1);
  if (title === undefined) return {};
  const above = folders.slice(0, -1);
  const known = above.findLastIndex((folder) => isSamePerson(folder, authors));
  if (known >= 0) return rolesBelow(above[known] ?? '', above.slice(known + 1), title);
  const [grandparent, parent] = [above.at(-2), above.at(-1)];
  if (parent === undefined) return { title };
  if (grandparent === undefined) return { author: parent, title };
  // `Shelf/Author/Title`: a person above the title is the author, unless the folder above is also a person.
  if (looksLikePerson(readableName(parent)) && !looksLikePerson(readableName(grandparent)))
    return { author: parent, title };
  return { author: grandparent, series: readableName(parent), title };
}

function rolesBelow(author: string, between: readonly string[], title: string): Roles {
  const series = between.at(-1);
  return series === undefined ? { author, title } : { author, series: readableName(series), title };
}

function isSamePerson(folder: string, authors: readonly string[]): boolean {
  const people = new Set(splitPeople(readableName(folder)).map(comparable));
  return authors.some((author) => people.has(comparable(author)));
}

export type NamedBook = Pick<
  ScannedFields,
  'title' | 'subtitle' | 'authors' | 'narrators' | 'series' | 'year' | 'asin' | 'isbn' | 'edition'
>;

interface NameContext {
  /** Author and series of the parent folders. The name may repeat them. */
  readonly author?: string;
  readonly series?: string;
  /** Names of the other folders. A number at the start is a year if others also start with one. */
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
  /** Number of texts before the series. They name the author. */
  textsBeforeSeries?: number;
  narrators: string[];
  edition?: 'abridged' | 'unabridged';
}

export function readTitleFolder(name: string, context: NameContext = {}): NamedBook {
  const readable = readableName(name);
  const brackets = readBrackets(readable);
  const { text, hadAny } = withoutTechnical(brackets.text);
  const draft: Draft = { texts: [], narrators: [] };
  const plain = takeEdition(draft, takeReaders(draft, text));
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
  return text.slice(0, match.index).trim();
}

function takeEdition(draft: Draft, text: string): string {
  const match = /[\s,-]+(?<un>un-?)?abr(?:idged)?\.?$/iu.exec(text);
  if (match === null) return text;
  draft.edition = match.groups?.['un'] === undefined ? 'abridged' : 'unabridged';
  return text.slice(0, match.index).trim();
}

/** Reads one piece between dashes: a year, a position, a series with its position, or words. */
function readPiece(draft: Draft, piece: string, context: PieceContext): void {
  if (isYear(piece) && draft.year === undefined && isYearHere(piece, context)) {
    draft.year = Number(piece);
    return;
  }
  const position = positionOnly(piece);
  if (position !== undefined && draft.sequence === undefined) {
    draft.sequence = position.sequence;
    // `Series - 07 - Title`: the words before a bare number are the series.
    const before = draft.texts.at(-1);
    if (!position.isWorded && context.series === undefined && draft.series === undefined && before !== undefined) {
      draft.texts.pop();
      draft.series = { name: before, sequence: position.sequence };
      draft.textsBeforeSeries = draft.texts.length;
    }
    return;
  }
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

/** `1999 - Title` starts with a year. `2001 - A Space Odyssey` is a title if no other folder starts with a year. */
function isYearHere(text: string, { siblings = [], index, count }: PieceContext): boolean {
  if (count === 1) return false;
  const others = siblings.filter((sibling) => !sibling.includes(text));
  if (index > 0 || others.length === 0) return true;
  return others.some((sibling) => /^[\s[(]*(?:1[4-9]|20|21)\d{2}(?!\d)/u.test(sibling));
}

/** `Catch 22` is a title: an unmarked number is a position only if other words form a title. */
function isSeriesHere(
  draft: Draft,
  series: { readonly name: string; readonly isCertain: boolean },
  context: PieceContext,
): boolean {
  if (context.series !== undefined) return comparable(series.name) === comparable(context.series);
  if (series.isCertain) return true;
  return context.count > 1 && (draft.texts.length === 0 || looksLikePerson(draft.texts[0] ?? ''));
}

/** Reads words, optionally with a position before (`1. Title`, `01 Title`) or after them (`Title, Book 2`). */
function readWords(draft: Draft, piece: string, context: NameContext): void {
  const front = /^(?<number>\d{1,3}(?:\.\d{1,2})?)\.?(?<gap>\.\s|\s)(?<rest>\D.*)$/u.exec(piece)?.groups;
  const isNumbered = front !== undefined && (piece.includes(`${front['number']}. `) || isPadded(front['number']));
  if (isNumbered && draft.sequence === undefined && draft.texts.length === 0) {
    draft.sequence = positionOnly(front['number'] ?? '')?.sequence ?? '';
    draft.texts.push(front['rest'] ?? '');
    return;
  }
  const back = /^(?<rest>.+?)(?:,\s*|\s+)(?<position>(?:book|bk|vol|volume)\.?\s*#?\d.*)$/iu.exec(piece)?.groups;
  const behind = positionOnly(back?.['position'] ?? '');
  const isOwnSeries = context.series !== undefined;
  if (behind !== undefined && isOwnSeries && draft.sequence === undefined) {
    draft.sequence = behind.sequence;
    draft.texts.push(back?.['rest'] ?? piece);
    return;
  }
  draft.texts.push(piece);
}

const isPadded = (number: string | undefined): boolean => number !== undefined && /^0\d/u.test(number);

/** `Title (Rudd) 48k`: next to technical words, a name in brackets is the narrator. */
function takeTechnicalReader(draft: Draft, brackets: Bracketed, hadTechnical: boolean): void {
  if (brackets.unexplained === undefined || !(hadTechnical || brackets.hadTechnical)) return;
  draft.narrators.push(brackets.unexplained);
  draft.texts = draft.texts.map((text) => text.replace(`(${brackets.unexplained ?? ''})`, '').trim());
}

function assemble(draft: Draft, brackets: Bracketed, readable: string, context: NameContext): NamedBook {
  const left = draft.texts.filter((text) => text !== '' && !repeats(text, context));
  const at = context.author === undefined ? authorAmong(left, draft, context) : undefined;
  const authors = at === undefined ? [] : splitPeople(left[at] ?? '');
  const texts = left.filter((_, place) => place !== at);
  const series = seriesOf(draft, brackets, context);
  const [title = fallbackTitle(draft, readable, context), ...rest] = texts;
  const narrators = draft.narrators.length > 0 ? draft.narrators : (brackets.narrators ?? []);
  const { asin, isbn } = brackets;
  const year = draft.year ?? brackets.year;
  const edition = draft.edition ?? brackets.edition;
  const subtitle = rest.join(' - ');
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
  if ((before > 0 && before < texts.length) || looksLikePerson(first)) return 0;
  return draft.series === undefined && texts.length === 2 && looksLikePerson(second) ? 1 : undefined;
}

/** Distinguishes `Author - Series 3` from `Title - Series 3`. An author has other books here, initials, or a comma. */
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
  return inName === undefined ? [] : [{ name: inName.name, sequence: inName.sequence }];
}

/** Names the book if the folder is only `Book 1` or repeats the series, so that the title is never empty. */
function fallbackTitle(draft: Draft, readable: string, { series }: NameContext): string {
  if (draft.series !== undefined && draft.year === undefined) return `${draft.series.name} ${draft.series.sequence}`;
  const isRepeated = draft.texts.length > 0 && series !== undefined;
  return isRepeated ? (draft.texts.at(-1) ?? readable) : readable;
}
