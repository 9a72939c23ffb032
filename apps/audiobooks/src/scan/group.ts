import { type NamedFile, readFileName } from '../model/names/file-name.ts';
import { comparable, naturalOrder } from '../model/names/text.ts';
import type { ScannedFile } from '../model/scanned.ts';
import { withoutParts } from './tag-fields.ts';

/**
 * Groups the files in a folder into books. Files with the same album form a book. Without albums, numbered parts with
 * the same name form a book, and so do all files in a book's own folder. Files with chapters stay separate books.
 */
export function groupFiles(files: readonly ScannedFile[], hasOwnFolder: boolean): readonly (readonly ScannedFile[])[] {
  if (files.length < 2) return files.length === 0 ? [] : [files];
  const albums = byKey(files, ({ tags }) => (tags.album === undefined ? '' : comparable(withoutParts(tags.album))));
  const unnamed = albums.get('') ?? [];
  albums.delete('');
  const groups =
    albums.size === 0
      ? untagged(unnamed, hasOwnFolder)
      : [
          ...[...albums.values()].flatMap((group) => sameAlbum(group)),
          ...joinUnnamed(unnamed, albums.size, hasOwnFolder),
        ];
  return albums.size === 1 && unnamed.length > 0 ? joinOnly(groups, albums, unnamed) : groups;
}

/**
 * Adds files without an album to the only book in the folder. If there are several books, groups these files
 * separately.
 */
function joinUnnamed(
  unnamed: readonly ScannedFile[],
  albums: number,
  hasOwnFolder: boolean,
): readonly (readonly ScannedFile[])[] {
  return albums === 1 && hasOwnFolder ? [] : untagged(unnamed, hasOwnFolder && albums === 0);
}

function joinOnly(
  groups: readonly (readonly ScannedFile[])[],
  albums: ReadonlyMap<string, readonly ScannedFile[]>,
  unnamed: readonly ScannedFile[],
): readonly (readonly ScannedFile[])[] {
  const joined = [...albums.values()].flat();
  const isSplit = groups.some((group) => group.length < joined.length);
  return isSplit ? groups : [[...joined, ...unnamed]];
}

/** Returns all files of an album as one book, unless each file is a separate book of a series. */
function sameAlbum(files: readonly ScannedFile[]): readonly (readonly ScannedFile[])[] {
  if (files.length < 2 || !files.every(isBookByItself)) return [files];
  const titles = new Set(files.map(({ tags, path }) => comparable(tags.title ?? path)));
  return titles.size === files.length && !areNumberedParts(files) ? files.map((file) => [file]) : [files];
}

function untagged(files: readonly ScannedFile[], hasOwnFolder: boolean): readonly (readonly ScannedFile[])[] {
  if (files.length < 2) return files.length === 0 ? [] : [files];
  const single = files.map((file) => [file]);
  const stems = byKey(files, (file) => cachedFileName(nameOf(file)).stem);
  if (stems.size === 1) return stems.has('') || areNumberedParts(files) || hasOwnFolder ? [files] : single;
  if (files.every(isBookByItself))
    return [...stems.values()].flatMap((group) => (areNumberedParts(group) ? [group] : group.map((file) => [file])));
  if (hasOwnFolder) return [files];
  // In a folder with many books, files that differ only in their number form one book.
  return [...stems.values()].flatMap((group) => (areNumberedParts(group) ? [group] : group.map((file) => [file])));
}

/** Returns whether the file has chapters, or a container format made for whole books. */
function isBookByItself(file: ScannedFile): boolean {
  return file.chapters.length >= 3 || file.format === 'm4b';
}

const SHARE = 0.75;

/**
 * Returns whether the files are numbered parts with one name. Up to a quarter of the numbers may be missing or
 * repeated.
 */
function areNumberedParts(files: readonly ScannedFile[]): boolean {
  if (files.length < 2) return false;
  const stems = new Set(files.map((file) => cachedFileName(nameOf(file)).stem));
  if (stems.size > 1) return false;
  const numbers = files.map((file) => partNumber(file)).filter((number) => number !== undefined);
  const distinct = new Set(numbers);
  if (numbers.length < files.length * SHARE || distinct.size < numbers.length * SHARE) return false;
  const sorted = [...distinct].sort((left, right) => left - right);
  const span = (sorted.at(-1) ?? 0) - (sorted[0] ?? 0) + 1;
  return distinct.size >= span * SHARE;
}

function partNumber(file: ScannedFile): number | undefined {
  const { track, disc } = cachedFileName(nameOf(file));
  return track === undefined ? undefined : (disc ?? 0) * 1_000 + track;
}

/**
 * Splits the files in a folder into two books if they contain the same audio in two forms, for example in parts and as
 * one file.
 */
export function splitAlternatives(files: readonly ScannedFile[]): readonly (readonly ScannedFile[])[] {
  const formats = byKey(files, ({ format }) => (format === 'm4a' || format === 'm4b' ? 'mp4' : format));
  if (formats.size !== 2) return [files];
  const [first = [], second = []] = [...formats.values()];
  const [left, right] = [lengthOf(first), lengthOf(second)];
  // Encoders make each file up to 0.1 s longer.
  const areSame = Math.abs(left - right) <= Math.max(Math.max(left, right) * 0.03, files.length * 100);
  return areSame ? [first, second] : [files];
}

const lengthOf = (files: readonly ScannedFile[]): number => files.reduce((sum, { durationMs }) => sum + durationMs, 0);
const nameOf = ({ path }: ScannedFile): string => path.slice(path.lastIndexOf('/') + 1);

function byKey(files: readonly ScannedFile[], key: (file: ScannedFile) => string): Map<string, ScannedFile[]> {
  const groups = new Map<string, ScannedFile[]>();
  for (const file of files) {
    const name = key(file);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [file]);
    else group.push(file);
  }
  return groups;
}

const position = ({ disc, track }: ScannedFile): string => `${disc ?? 0}:${track ?? ''}`;

/** Sorts by disc and track if each pair is unique; otherwise by name in natural order. */
export function inOrder(files: readonly ScannedFile[]): readonly ScannedFile[] {
  const byName = [...files].sort((left, right) => naturalOrder(left.path, right.path));
  const areAllNumbered = files.every(({ track }) => track !== undefined);
  if (!areAllNumbered || new Set(files.map(position)).size < files.length) return byName;
  return byName.sort((left, right) => (left.disc ?? 0) - (right.disc ?? 0) || (left.track ?? 0) - (right.track ?? 0));
}

const CACHED_MAX = 1_000;
const cached = new Map<string, NamedFile>();

/**
 * Caches parsed names. A scan needs each name about five times, and parsing it takes longer than reading it from the
 * folder.
 */
export function cachedFileName(name: string): NamedFile {
  const before = cached.get(name);
  if (before !== undefined) return before;
  if (cached.size >= CACHED_MAX) cached.clear();
  const read = readFileName(name);
  cached.set(name, read);
  return read;
}
