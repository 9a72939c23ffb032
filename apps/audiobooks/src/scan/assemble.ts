import { chaptersFromMarks, chaptersOfParts } from '../model/chapters.ts';
import { partTitles, withoutExtension } from '../model/names/file-name.ts';
import { comparable } from '../model/names/text.ts';
import { readBookPath } from '../model/names/book-path.ts';
import type { NamedBook } from '../model/names/title-folder.ts';
import type { CoverSource, Provenance, ScannedBook, ScannedFields, ScannedFile } from '../model/scanned.ts';
import type { CueSheet, Sidecar } from '../model/sidecar.ts';
import { cachedFileName, groupFiles, inOrder, splitAlternatives } from './group.ts';
import { fieldsFromTags } from './tag-fields.ts';

/** The data of one folder with audio, before its files are grouped into books. */
export interface UnitContent {
  /** Path of the folder relative to the library root; empty for the root. */
  readonly unit: string;
  /** Names of the folders on the path, from the library root down. */
  readonly names: readonly string[];
  readonly files: readonly ScannedFile[];
  readonly sidecars: readonly Sidecar[];
  readonly cues: readonly { readonly name: string; readonly sheet: CueSheet }[];
  readonly cover: CoverSource | undefined;
  /** Names of the other folders in the same parent. */
  readonly siblings: readonly string[];
}

export function assembleBooks(content: UnitContent): readonly ScannedBook[] {
  const path = content.names;
  const groups = isDiscTree(content)
    ? [content.files]
    : groupFiles(content.files, path.length > 1 || looksLikeBook(content));
  const isShared = groups.length > 1 || path.length === 0;
  return groups.flatMap((group) =>
    splitAlternatives(group).map((files) => assembleBook(content, path, inOrder(files), isShared)),
  );
}

/**
 * Returns whether the files are the discs of one book. A few files outside the disc folders are allowed, such as an
 * introduction.
 */
function isDiscTree({ unit, files }: UnitContent): boolean {
  const folder = unit === '' ? '' : `${unit}/`;
  const onDiscs = files.filter(({ path }) => path.startsWith(folder) && path.slice(folder.length).includes('/'));
  const loose = files.length - onDiscs.length;
  return folder !== '' && onDiscs.length > 0 && loose * 2 <= onDiscs.length + 1;
}

/**
 * Returns whether a folder directly below the root is one book: it has sidecars, its name contains an author, series or
 * year, or all its files are numbered.
 */
function looksLikeBook({ names, files, sidecars, cues }: UnitContent): boolean {
  if (sidecars.length > 0 || cues.length > 0) return true;
  const { authors, series, year } = readBookPath(names);
  const areNumbered = files.every(
    ({ path }) => cachedFileName(path.slice(path.lastIndexOf('/') + 1)).track !== undefined,
  );
  return authors.length > 0 || series.length > 0 || year !== undefined || areNumbered;
}

type Source = readonly [Provenance, Partial<ScannedFields>];

function assembleBook(
  content: UnitContent,
  path: readonly string[],
  files: readonly ScannedFile[],
  isShared: boolean,
): ScannedBook {
  const fromTags = fieldsFromTags(files);
  // If a folder has several books, its sidecars belong to none of them.
  const described: readonly Source[] = isShared
    ? []
    : content.sidecars.map(({ source, fields }) => [source, fields] as const);
  const authors = [...described.map(([, fields]) => fields), fromTags].find(
    (fields) => fields.authors !== undefined,
  )?.authors;
  const named = nameOf(content, path, files, isShared, authors ?? []);
  const sources: readonly Source[] = [
    ...ranked(described),
    ['tag', fromTags],
    ...cueFields(content, files, isShared),
    [isShared ? 'file' : 'folder', named],
  ];
  const { fields, provenance } = choose(sources, named);
  const first = files[0];
  const cover = isShared ? (first?.cover ?? content.cover) : (content.cover ?? first?.cover);
  const marks = isShared ? [] : content.sidecars.flatMap(({ chapters = [] }) => chapters);
  const own = files.map((file) =>
    files.length === 1 && marks.length > 0
      ? { ...file, chapters: chaptersFromMarks(marks, file.durationMs) }
      : withCue(file, content.cues),
  );
  const titles = partTitles(
    own.map(({ path: name, tags }) => ({ path: name, title: tags.title })),
    fields.title,
  );
  return {
    ...fields,
    folder: content.unit,
    files: own,
    durationMs: own.reduce((sum, { durationMs }) => sum + durationMs, 0),
    chapters: chaptersOfParts(own.map((file, index) => ({ ...file, title: titles[index] ?? '' }))),
    ...(cover === undefined ? {} : { cover }),
    provenance,
  };
}

const RANK: readonly Provenance[] = ['abs', 'opf', 'text', 'nfo'];

const ranked = (sources: readonly Source[]): readonly Source[] =>
  [...sources].sort(([left], [right]) => RANK.indexOf(left) - RANK.indexOf(right));

/**
 * Reads metadata from the folder name. If several books share a folder, reads it from the file name and treats the
 * folder as the author or series.
 */
function nameOf(
  { siblings }: UnitContent,
  path: readonly string[],
  files: readonly ScannedFile[],
  isShared: boolean,
  authors: readonly string[],
): NamedBook {
  if (!isShared) return readBookPath(path, { authors, siblings });
  const name = withoutExtension((files[0]?.path ?? '').split('/').at(-1) ?? '');
  const numberless =
    files.length > 1 ? name.replace(/[\s\-_.]*(?:part|chapter|ch|cd|disc|track)?[\s._-]*\d{1,4}$/iu, '') : name;
  return readBookPath([...path, numberless === '' ? name : numberless], { authors });
}

function cueFields({ cues }: UnitContent, files: readonly ScannedFile[], isShared: boolean): readonly Source[] {
  const [cue] = cues;
  if (cue === undefined || isShared || files.length > 1 || cue.sheet.title === undefined) return [];
  const authors = cue.sheet.performer === undefined ? {} : { authors: [cue.sheet.performer] };
  return [['cue', { title: cue.sheet.title, ...authors }]];
}

/** Takes the value of each field from the first source that has one, and records which source that is. */
function choose(
  sources: readonly Source[],
  named: NamedBook,
): { readonly fields: ScannedFields; readonly provenance: ScannedBook['provenance'] } {
  const chosen: Record<string, unknown> = { authors: [], narrators: [], series: [], genres: [], title: named.title };
  const provenance: Record<string, Provenance> = {};
  for (const [source, fields] of sources) {
    for (const [name, value] of Object.entries(fields)) {
      const isEmpty = value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
      if (isEmpty || provenance[name] !== undefined) continue;
      // A number that is part of the title is not a year.
      if (name === 'year' && source === 'folder' && isPartOfTitle(`${value as number}`, chosen['title'] as string))
        continue;
      chosen[name] = value;
      provenance[name] = source;
    }
  }
  completeSeries(chosen, sources);
  return { fields: chosen as unknown as ScannedFields, provenance };
}

const isPartOfTitle = (year: string, title: string): boolean => comparable(title).startsWith(year);

/** If a series has no position, takes the position from another source. */
function completeSeries(chosen: Record<string, unknown>, sources: readonly Source[]): void {
  const series = chosen['series'] as ScannedFields['series'];
  const [first] = series;
  if (first === undefined || first.sequence !== undefined) return;
  for (const [, fields] of sources) {
    const same = fields.series?.find(
      ({ name, sequence }) => sequence !== undefined && comparable(name) === comparable(first.name),
    );
    if (same === undefined) continue;
    chosen['series'] = [same, ...series.slice(1)];
    return;
  }
}

/** Uses a cue sheet only if the file has no chapters. */
function withCue(file: ScannedFile, cues: UnitContent['cues']): ScannedFile {
  if (file.chapters.length > 0) return file;
  const name = comparable(withoutExtension(file.path.split('/').at(-1) ?? ''));
  for (const { name: cueName, sheet } of cues) {
    const matching = sheet.files.find((one) => comparable(withoutExtension(one.name)) === name);
    const isOwn = comparable(withoutExtension(cueName.split('/').at(-1) ?? '')) === name && sheet.files.length === 1;
    const marks = matching?.marks ?? (isOwn ? sheet.files[0]?.marks : undefined) ?? [];
    if (marks.length > 1) return { ...file, chapters: chaptersFromMarks(marks, file.durationMs) };
  }
  return file;
}
