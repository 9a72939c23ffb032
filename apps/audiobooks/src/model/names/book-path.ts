import { isNoiseFolder, isShelf } from './noise.ts';
import { looksLikePerson, splitPeople } from './people.ts';
import { comparable, readableName } from './text.ts';
import { type NamedBook, readTitleFolder } from './title-folder.ts';

/**
 * Reads metadata from a book's path: `Author/Series/Title`, `Author/Title`, or everything in one name.
 *
 * Skips container folders (`Audiobook`, `mp3`), takes the narrator from `Read by …`, and treats a folder with the tags'
 * author name as the author at any depth.
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
  // `incoming/Frank Herbert - Dune`: the folder is not a person, and the name contains the author.
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
  // `Shelf/Author/Title`: a person directly above the title is the author, unless the folder above is a person too.
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
