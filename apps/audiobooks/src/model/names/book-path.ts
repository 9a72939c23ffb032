import { looksLikePerson, splitPeople } from './people.ts';
import { seriesWithPosition } from './series-text.ts';
import { comparable, isNoiseFolder, isShelf, readableName } from './text.ts';
import { type NamedBook, readTitleFolder } from './title-folder.ts';

interface Hints {
  readonly authors: readonly string[];
  readonly siblings?: readonly string[];
}

/**
 * Reads metadata from a book's path: `Author/Series/Title`, `Author/Title`, or everything in one name.
 *
 * Skips container folders (`Audiobook`, `mp3`) and takes the narrator from `Read by …`. A folder named like the author
 * in the tags is the author at any depth.
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
  return index === 0 ? isShelf(name) : GENERIC.test(name.trim());
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
  return { author: grandparent, series: readableName(parent), title };
}

const COLLECTION = /\s+(?:(?:audio ?book )?collection|audio ?books|complete(?: works)?|library)$/iu;
const POSITION =
  /^(?:[#([]?\d{1,3}(?:\.\d{1,2})?(?:[)\].]*\s|[\s_-])|(?:book|bk|vol(?:ume)?|band|teil|tome)\.?\s*#?\d)/iu;

/** Reads the only folder above the title: an author, a series, or `Author - Series`. */
function rolesOfTwo(folder: string, title: string, siblings: readonly string[]): Roles {
  const above = readableName(folder).replace(COLLECTION, '');
  const isCollection = above !== readableName(folder);
  const [author = '', ...rest] = above.split(' - ');
  if (rest.length > 0 && looksLikePerson(author)) return { author, series: rest.join(' - '), title };
  if (looksLikePerson(above)) return { author: isCollection ? above : folder, title };
  const isNumbered = POSITION.test(title) && !/^(?:1[4-9]|20|21)\d{2}/u.test(title);
  const isProven = above.includes(' ') || siblings.some((sibling) => POSITION.test(sibling));
  const isSeries = isCollection || (isNumbered && isProven) || isSeriesAgain(above, title);
  return isSeries ? { series: above.replace(/\s+series$/iu, ''), title } : { author: folder, title };
}

/**
 * Returns whether the title starts with the series of the folder above: `Dresden Files/Dresden Files 01 - Storm Front`.
 */
function isSeriesAgain(above: string, title: string): boolean {
  const first = readableName(title).split(' - ')[0] ?? '';
  const found = seriesWithPosition(first);
  return found !== undefined && comparable(found.name) === comparable(above);
}

function rolesBelow(author: string, between: readonly string[], title: string): Roles {
  const series = between.at(-1);
  return series === undefined ? { author, title } : { author, series: readableName(series), title };
}

function isSamePerson(folder: string, authors: readonly string[]): boolean {
  const people = new Set(splitPeople(readableName(folder)).map(comparable));
  return authors.some((author) => people.has(comparable(author)));
}
