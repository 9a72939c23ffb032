import { comparable, readableName } from './text.ts';

export interface NamedFile {
  readonly track?: number;
  readonly total?: number;
  readonly disc?: number;
  /** The file name without its numbers; the same for all numbered parts of a book. */
  readonly stem: string;
  readonly title: string;
}

const OF = /(?<track>\d{1,4})\s*(?:of|von|de|di|_|\/|-)\s*(?<total>\d{1,4})(?!\d)/iu;
const WORDED =
  /(?:^|[^\p{L}])(?:chapter|chap|ch|part|pt|track|trk|kapitel|teil|section|file)[\s._#-]{0,2}(?<track>\d{1,4})/iu;
const LEADING = /^[\s([#]*(?<track>\d{1,4})(?=[\s._)\]-]|$)/u;
const TRAILING = /(?<track>\d{1,4})[\s)\]a-d]*$/u;
const DISC_TRACK = /^(?:d|cd|disc)?\s?(?<disc>\d{1,2})[-.x](?<track>\d{2,3})(?=\D|$)/iu;

export function withoutExtension(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? name : name.slice(0, dot);
}

export function readFileName(name: string): NamedFile {
  const readable = readableName(withoutExtension(name));
  const numbers = numbersOf(readable);
  const stem = comparable(
    readable
      .replaceAll(/\b(?:chapter|chap|ch|part|pt|track|trk|kapitel|teil|cd|dis[ck]|of|von)\b/giu, ' ')
      .replaceAll(/\d+[a-d]?\b|\d+/gu, ' '),
  );
  return { ...numbers, stem: /\p{L}/u.test(stem) ? stem : '', title: titleOf(readable) };
}

function numbersOf(text: string): { readonly track?: number; readonly total?: number; readonly disc?: number } {
  const both = DISC_TRACK.exec(text)?.groups;
  const of = OF.exec(text)?.groups;
  if (of !== undefined && Number(of['track']) <= Number(of['total']) && Number(of['total']) > 1 && both === undefined) {
    return { track: Number(of['track']), total: Number(of['total']) };
  }
  if (both !== undefined) return { disc: Number(both['disc']), track: Number(both['track']) };
  const match = LEADING.exec(text) ?? WORDED.exec(text) ?? TRAILING.exec(text);
  return match?.groups === undefined ? {} : { track: Number(match.groups['track']) };
}

/** `01 - The beginning` becomes `The beginning`; keeps a name that is only a number. */
function titleOf(text: string): string {
  const rest = text.replace(/^[\s([#]*\d{1,4}(?:[-.x]\d{2,3})?[\s._)\]-]+/u, '').trim();
  return rest === '' ? text : rest;
}

/**
 * Returns the chapter titles of a book's files. Uses the titles in the tags. If these only repeat the book's title or
 * each other, uses the file names instead. A file name that is only a number becomes `Part 1`.
 */
export function partTitles(
  files: readonly { readonly path: string; readonly title: string | undefined }[],
  bookTitle: string,
): readonly string[] {
  const book = comparable(bookTitle);
  if (files.length === 1) return [bookTitle];
  const areSame = new Set(files.map(({ title }) => title)).size === 1;
  return files.map(({ path, title = '' }, index) => {
    if (!areSame && title.trim() !== '' && comparable(title) !== book) return title;
    const named = readFileName(path.slice(path.lastIndexOf('/') + 1));
    return named.stem === '' || named.stem === book ? `Part ${index + 1}` : named.title;
  });
}

const NAMED = /(?:^|[\s\-–_.([,])(?:cd|dis[ck]|disque|disco|cassette|tape)\s*[-_#.]?\s*(?<number>\d{1,3})(?!\d)/iu;
const ONLY_NUMBER = /^(?:part|teil|side|seite|reel)?\s*[-_#.]?\s*(?<number>\d{1,3})$/iu;

/** Returns the disc number in a folder name. `siblings` are the other folders with audio in the same parent. */
export function discNumber(name: string, siblings: readonly string[] = []): number | undefined {
  const named = NAMED.exec(name)?.groups?.['number'];
  if (named !== undefined) return Number(named);
  const plain = ONLY_NUMBER.exec(name)?.groups?.['number'];
  // A single folder called `1984` or `Part 2` may be a book. Several numbered folders are parts of one book.
  const areAllNumbered = siblings.length > 0 && siblings.every((sibling) => ONLY_NUMBER.test(sibling));
  return plain !== undefined && areAllNumbered ? Number(plain) : undefined;
}

/** Removes the disc number from names like `Dune CD 1` and `Dune CD 2`. */
export function withoutDisc(name: string): string {
  const match = NAMED.exec(name);
  return match === null
    ? name
    : name
        .slice(0, match.index)
        .replace(/[\s\-–_([,]+$/u, '')
        .trim();
}

/** Matches hidden files, unfinished copies and unfinished downloads. */
const UNFINISHED = /^(?:\.|~)|\.(?:part|partial|tmp|temp|crdownload|download|unfinished|!ut|aria2)$|\.~tmp~/iu;
const SYSTEM_FOLDER = /^(?:@eaDir|#recycle|lost\+found|__MACOSX)$/u;

export const isIgnored = (name: string): boolean => UNFINISHED.test(name) || SYSTEM_FOLDER.test(name);
