import { looksLikePerson, splitPeople } from './people.ts';
import { comparable, isNoiseFolder, isSameSeries, isShelf, readableName, spaced, withDashes } from './text.ts';
import { type NamedBook, readTitleFolder } from './title-folder.ts';

interface Hints {
  readonly authors: readonly string[];
  readonly siblings?: readonly string[];
}

/**
 * Reads metadata from a book's path: `Author/Series/Title`, `Author/Title`, or everything in one name.
 *
 * Skips container folders (`Audiobook`, `mp3`) and takes the narrator from `Read by …`. A folder that has the name of
 * the author in the tags is the author at any depth.
 */
export function readBookPath(path: readonly string[], hints: Hints = { authors: [] }): NamedBook {
  const narrators: string[] = [];
  const folders: string[] = [];
  for (const [index, name] of path.entries()) {
    const reader = /^(?:read|narrated|performed)\s+by\s+(?<people>.+)$/iu.exec(readableName(name))?.groups?.['people'];
    if (reader !== undefined) narrators.push(...splitPeople(reader));
    else if (!isContainer(path, index)) folders.push(name);
  }
  const distinct = folders.filter((name, index) => comparable(name) !== comparable(folders[index + 1] ?? ''));
  const { author, series, title } = rolesOf(distinct, hints);
  const context = {
    ...(author === undefined ? {} : { author }),
    ...(series === undefined ? {} : { series }),
    ...(hints.siblings === undefined ? {} : { siblings: hints.siblings }),
  };
  // In `incoming/Frank Herbert - Dune`, the folder `incoming` is not a person, so the author is in the title folder.
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

/** Names of folders between author and title that are not a series. */
const GENERIC =
  /^(?:stand[- ]?alones?|novels?|novellas?|short stories|stories|complete works|works|omnibus(?:es)?|other|others|misc|miscellaneous|non[- ]series|singles?|collections?|anthologies)$/iu;

function isContainer(path: readonly string[], index: number): boolean {
  const name = path[index] ?? '';
  if (isNoiseFolder(readableName(name))) return true;
  if (index === path.length - 1) return false;
  const isFirst = path.slice(0, index).every((_, before) => isContainer(path, before));
  return (isFirst && isShelf(name)) || (index > 0 && GENERIC.test(name.trim()));
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

function rolesOf(folders: readonly string[], { authors, siblings = [] }: Hints): Roles {
  const title = folders.at(-1);
  if (title === undefined) return {};
  const above = folders.slice(0, -1);
  const known = above.findLastIndex((folder) => isSamePerson(folder, authors));
  if (known >= 0) return rolesBelow(above[known] ?? '', above.slice(known + 1), title);
  const [grandparent, parent] = [above.at(-2), above.at(-1)];
  if (parent === undefined) return { title };
  if (grandparent === undefined) return rolesOfTwo(parent, title, siblings);
  // In `Shelf/Author/Title`, the parent folder is the author if its name looks like a person and the grandparent's name
  // does not. Otherwise the grandparent is the author.
  if (looksLikePerson(readableName(parent)) && !looksLikePerson(readableName(grandparent)))
    return { author: parent, title };
  const author = authorAndSeries(grandparent)?.author ?? withoutCollection(readableName(grandparent));
  return { author: author === readableName(grandparent) ? grandparent : author, series: seriesBelow(parent), title };
}

/** `Author/Author - Series/Title` names the author twice. */
const seriesBelow = (folder: string): string => authorAndSeries(folder)?.series ?? seriesName(folder);

/** Removes `Series` from the end of a folder name, and a number that only sorts the folders. */
function seriesName(folder: string): string {
  return readableName(folder)
    .replace(/(?<=.)\s+[([]?series[)\]]?$/iu, '')
    .replace(/^0?\d{1,2}\s?[-.]\s(?=\p{L})/u, '');
}

const COLLECTION =
  /[\s-]+(?:(?:audio ?book )?collection|graphic ?audio|audio ?books|complete(?: works)?|complete (?:and|&) unabridged|chronological|unabridged|library|(?:books? )?\d{1,3} ?- ?\d{1,3}|\(\d{1,3}\))$|\s*[([](?:\d{1,4} ?- ?\d{1,4}|complete(?: series)?)[)\]].*$|^(?:collection|1[4-9]\d{2} ?- ?(?:19|20)\d{2}) - /iu;

/** Removes `Collection`, `Books 1-12` and the like from a name. */
function withoutCollection(name: string): string {
  const shorter = name.replace(COLLECTION, '');
  return shorter === name ? name : withoutCollection(shorter);
}

/** Matches `Bernard Cornwell, The Warlord Chronicles`. */
const AUTHOR_AND_SERIES =
  /^(?<author>[^,]+), (?<series>.*\b(?:series|saga|trilogy|chronicles?|cycle|quartet|duology)\b.*)$/iu;

const POSITION =
  /^(?:[#([]?\d{1,3}(?:\.\d{1,2})?(?:[)\].]*\s|[\s_-])|(?:book|bk|vol(?:ume)?|band|teil|tome)\.?\s*#?\d)/iu;

/** Reads `Author - Series` and `Author, The Series Saga`. */
function authorAndSeries(folder: string): { readonly author: string; readonly series: string } | undefined {
  const above = withDashes(withoutCollection(readableName(folder)));
  const [author = '', ...rest] = above.replace(AUTHOR_AND_SERIES, '$<author> - $<series>').split(' - ');
  return rest.length > 0 && looksLikePerson(author) ? { author, series: seriesName(rest.join(' - ')) } : undefined;
}

/** Reads the only folder above the title: an author, a series, or `Author - Series`. */
function rolesOfTwo(folder: string, title: string, siblings: readonly string[]): Roles {
  const both = authorAndSeries(folder);
  if (both !== undefined) return { ...both, title };
  const above = spaced(withoutCollection(readableName(folder)));
  const isCollection = above !== readableName(folder);
  const again = readTitleFolder(title).series.find(({ name }) => isSameSeries(name, seriesName(above)));
  const isCertain = again !== undefined && /(?:book|vol(?:ume)?|#)\.?\s*\d/iu.test(title);
  if (looksLikePerson(above) && !isCertain) return { author: isCollection ? above : folder, title };
  const isNumbered = POSITION.test(title) && !/^(?:1[4-9]|20|21)\d{2}/u.test(title);
  const isProven = above.includes(' ') || siblings.some((sibling) => POSITION.test(sibling));
  const isSeries = isCollection || (isNumbered && isProven) || again !== undefined;
  return isSeries ? { series: seriesName(above), title } : { author: folder, title };
}

function rolesBelow(author: string, between: readonly string[], title: string): Roles {
  const series = between.at(-1);
  return series === undefined ? { author, title } : { author, series: seriesBelow(series), title };
}

function isSamePerson(folder: string, authors: readonly string[]): boolean {
  const people = new Set(splitPeople(readableName(folder)).map(comparable));
  return authors.some((author) => people.has(comparable(author)));
}
