import type { DiskView } from '../adapters/list-folder.ts';
import type { BookFacts, PlannedMove, RenamePlan, SegmentFile } from '../model/engines.ts';
import { withoutExtension } from '../model/names/file-name.ts';
import { pathKey, safeName, scrub, workFolder } from '../model/path-names.ts';
import { renderTemplate, type Template, type TemplateValues } from '../model/templates.ts';

type Refusals = Map<string, { readonly path: string; readonly reason: string }>;

/**
 * Plans the moves of all books. Refuses a target that collides with another book, a file, a link, or a folder that
 * differs only in case or accents.
 */
export async function planMoves(targets: readonly BookTarget[], disk: DiskView): Promise<RenamePlan> {
  const refusals: Refusals = new Map();
  const spelled = await withKnownSpelling(targets, disk);
  refuseCollisions(spelled, refusals);
  await refuseOccupied(spelled, disk, refusals);
  const ordered = inPossibleOrder(
    spelled.filter(({ bookId }) => !refusals.has(bookId)),
    refusals,
  );
  const allowed = ordered.filter(({ bookId }) => !refusals.has(bookId));
  const titles = new Map(targets.map(({ bookId, title }) => [bookId, title]));
  return {
    moves: allowed.flatMap(({ moves }) => moves),
    folders: allowed.filter(({ moves }) => moves.length > 0).map(({ bookId, folder }) => ({ bookId, folder })),
    refusals: [...refusals].map(([bookId, refusal]) => ({ bookId, title: titles.get(bookId) ?? '', ...refusal })),
  };
}

const refuse = (refusals: Refusals, bookId: string, path: string, reason: string): void => {
  if (!refusals.has(bookId)) refusals.set(bookId, { path, reason });
};

/**
 * Gives each folder the spelling of an existing or planned folder with the same key, so that no two folders differ only
 * in case or accents.
 */
async function withKnownSpelling(targets: readonly BookTarget[], disk: DiskView): Promise<readonly BookTarget[]> {
  const known = new Map<string, string>();
  const spell = async (folder: string): Promise<string> => {
    if (folder === '') return '';
    const key = pathKey(folder);
    const before = known.get(key);
    if (before !== undefined) return before;
    const parent = await spell(folderOf(folder));
    const name = folder.slice(folder.lastIndexOf('/') + 1);
    const entries = await disk.entries(parent);
    const twin = entries.has(name) ? name : [...entries.keys()].find((entry) => pathKey(entry) === pathKey(name));
    const path = parent === '' ? (twin ?? name) : `${parent}/${twin ?? name}`;
    known.set(key, path);
    return path;
  };
  const spelled: BookTarget[] = [];
  for (const target of targets) {
    const moves: PlannedMove[] = [];
    for (const move of target.moves) {
      const folder = await spell(folderOf(move.to));
      const to = folder === '' ? move.to : `${folder}/${move.to.slice(move.to.lastIndexOf('/') + 1)}`;
      if (to !== move.from) moves.push({ ...move, to });
    }
    spelled.push({ ...target, folder: await spell(target.folder), moves });
  }
  return spelled;
}

/** Refuses two books whose files would have the same path, and a file at a path where another book needs a folder. */
function refuseCollisions(targets: readonly BookTarget[], refusals: Refusals): void {
  const owners = new Map<string, PlannedMove[]>();
  for (const move of targets.flatMap(({ moves }) => moves)) {
    const key = pathKey(move.to);
    owners.set(key, [...(owners.get(key) ?? []), move]);
  }
  for (const moves of owners.values()) {
    if (moves.length > 1)
      for (const { bookId, to } of moves) refuse(refusals, bookId, to, 'several files would get this path');
  }
  for (const { bookId, to } of targets.flatMap(({ moves }) => moves)) {
    for (let above = folderOf(pathKey(to)); above !== ''; above = folderOf(above)) {
      const clash = owners.get(above);
      if (clash === undefined) continue;
      refuse(refusals, bookId, to, 'another file would occupy the path of its folder');
      for (const other of clash) refuse(refusals, other.bookId, other.to, 'another book needs a folder at this path');
    }
  }
}

/** Refuses a target path that is occupied by a file that does not move. */
async function refuseOccupied(targets: readonly BookTarget[], disk: DiskView, refusals: Refusals): Promise<void> {
  const leaving = new Set(
    targets.filter(({ bookId }) => !refusals.has(bookId)).flatMap(({ moves }) => moves.map(({ from }) => from)),
  );
  for (const { bookId, to } of targets.flatMap(({ moves }) => moves)) {
    const folder = folderOf(to);
    for (const [name, kind] of await disk.entries(folder)) {
      const path = folder === '' ? name : `${folder}/${name}`;
      const isTwin = pathKey(path) === pathKey(to);
      if (isTwin && !leaving.has(path)) refuse(refusals, bookId, to, `a ${kind} already exists at this path`);
    }
    await refuseLinks(bookId, folder, disk, refusals);
  }
}

async function refuseLinks(bookId: string, folder: string, disk: DiskView, refusals: Refusals): Promise<void> {
  for (let path = folder; path !== ''; path = folderOf(path)) {
    const kind = (await disk.entries(folderOf(path))).get(path.slice(path.lastIndexOf('/') + 1));
    if (kind === 'link') refuse(refusals, bookId, path, 'the path contains a link, and links are not followed');
    if (kind === 'file') refuse(refusals, bookId, path, 'a file occupies the path of the folder');
  }
}

/** Sorts the books so that each comes after the book that frees its path; refuses cycles. */
function inPossibleOrder(targets: readonly BookTarget[], refusals: Refusals): readonly BookTarget[] {
  const leavers = new Map<string, string>();
  for (const { bookId, moves } of targets) for (const { from } of moves) leavers.set(pathKey(from), bookId);
  const waiting = new Map(targets.map((target) => [target.bookId, target]));
  const ordered: BookTarget[] = [];
  while (waiting.size > 0) {
    const free = [...waiting.values()].filter(({ bookId, moves }) =>
      moves.every(({ to }) => {
        const owner = leavers.get(pathKey(to));
        return owner === undefined || owner === bookId || !waiting.has(owner);
      }),
    );
    if (free.length === 0) {
      for (const { bookId, folder } of waiting.values())
        refuse(refusals, bookId, folder, 'the books would have to swap paths');
      break;
    }
    for (const target of free) {
      ordered.push(target);
      waiting.delete(target.bookId);
    }
  }
  return ordered;
}

/** Target paths of one book's files. */
export interface BookTarget {
  readonly bookId: string;
  readonly title: string;
  readonly folder: string;
  readonly moves: readonly PlannedMove[];
}

export const folderOf = (path: string): string => (path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '');
export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
export const joined = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`);

/** Plans the moves of a book's files and of its sidecars. */
export function bookTarget(template: Template, book: BookFacts, sidecars: readonly string[]): BookTarget {
  const moves = book.files.map((file, index): PlannedMove => {
    const path = renderTemplate(template, fileValues(book, file, index));
    const to = template.namesFiles ? path : joined(path, nameInBook(book.folder, file.path));
    return { bookId: book.bookId, segmentId: file.segmentId, from: file.path, to };
  });
  const whole = renderTemplate(template, { ...bookValues(book), ext: 'x' });
  const folder = template.namesFiles ? folderOf(moves[0]?.to ?? whole) : whole;
  for (const from of sidecars) {
    moves.push({ bookId: book.bookId, from, to: joined(folder, nameInBook(book.folder, from)) });
  }
  const { bookId, title } = book;
  return { bookId, title, folder, moves: moves.filter(({ from, to }) => from !== to) };
}

/** Returns the path relative to the book's folder. Keeps disc folders and makes each name safe. */
function nameInBook(folder: string, path: string): string {
  const inside = folder !== '' && path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : nameOf(path);
  return inside
    .split('/')
    .map((name) => {
      const dot = name.lastIndexOf('.');
      const extension = dot > 0 && name.length - dot <= 12 ? scrub(name.slice(dot)) : '';
      const safe = safeName(
        scrub(dot > 0 && extension !== '' ? name.slice(0, dot) : name),
        extension === '' ? '' : `.${extension}`,
      );
      return safe === '' ? 'Untitled' : safe;
    })
    .join('/');
}

/** One rename. A move to a path that is still occupied needs two: one to a temporary name and one to the target. */
interface ElementaryMove {
  readonly from: string;
  readonly to: string;
  /** The move that this rename completes; undefined for a rename to a temporary name. */
  readonly completes?: PlannedMove;
}

/** Splits moves into renames. If the files of a book swap names, they first get temporary names. */
export function elementaryMoves(moves: readonly PlannedMove[], operationId: string): readonly ElementaryMove[] {
  const targets = new Set(moves.map(({ to }) => pathKey(to)));
  const aside: ElementaryMove[] = [];
  const final: ElementaryMove[] = [];
  for (const [index, move] of moves.entries()) {
    if (!targets.has(pathKey(move.from))) {
      final.push({ from: move.from, to: move.to, completes: move });
      continue;
    }
    const between = `${workFolder(operationId)}/aside-${index}`;
    aside.push({ from: move.from, to: between });
    final.push({ from: between, to: move.to, completes: move });
  }
  return [...aside, ...final];
}

function bookValues(book: BookFacts): TemplateValues {
  const [series] = book.series;
  return {
    author: book.authors[0] ?? '',
    authors: book.authors.join(', '),
    author_last: lastFirst(book.authors[0] ?? ''),
    title: book.title,
    subtitle: book.subtitle ?? '',
    series: series?.name ?? '',
    sequence: series?.sequence ?? '',
    year: book.year === undefined ? '' : String(book.year),
    narrator: book.narrators[0] ?? '',
    narrators: book.narrators.join(', '),
    publisher: book.publisher ?? '',
    language: book.language ?? '',
    isbn: book.isbn ?? '',
    asin: book.asin ?? '',
    edition: book.edition ?? '',
    genre: book.genres[0] ?? '',
    tracks: String(book.files.length),
  };
}

/** Returns the template values of a file. Numbers files in playing order; the only file of a book has no number. */
function fileValues(book: BookFacts, file: SegmentFile, index: number): TemplateValues {
  const name = file.path.slice(file.path.lastIndexOf('/') + 1);
  const isOneOfMany = book.files.length > 1;
  return {
    ...bookValues(book),
    track: isOneOfMany ? String(index + 1) : '',
    disc: file.disc === undefined || !isOneOfMany ? '' : String(file.disc),
    file: withoutExtension(name),
    ext: name.slice(withoutExtension(name).length + 1),
  };
}

function lastFirst(name: string): string {
  const words = name.split(' ');
  const last = words.pop() ?? '';
  return words.length === 0 ? last : `${last}, ${words.join(' ')}`;
}
