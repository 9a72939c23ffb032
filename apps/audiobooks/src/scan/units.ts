import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { leadsOutside, listFolder } from '../adapters/list-folder.ts';
import { formatOfName } from '../media/probe.ts';
import { discNumber, isIgnored, withoutDisc } from '../model/names/file-name.ts';
import { comparable, naturalOrder } from '../model/names/text.ts';
import type { FileProblem, FileSignature } from '../model/scanned.ts';

/** One result of a walk through the folders. Results are streamed, so that memory never holds the whole folder tree. */
export type Walked = { readonly unit: Unit } | { readonly problem: FileProblem };

const DEPTH_MAX = 64;
/** Number of folders that are listed ahead, so that a slow disk is always busy. */
const AHEAD = 8;

export async function* walk(root: string, start: string): AsyncGenerator<Walked, void> {
  const pending = yield* visit(root, start, [], 0);
  if (pending !== undefined) for (const unit of unitsOf(pending, [], [])) yield { unit };
}

/**
 * Yields the units of a folder and of the folders in it. If the folder itself may be a disc, returns it instead of
 * yielding its unit: only the caller knows its siblings, which show whether it is a disc.
 */
async function* visit(
  root: string,
  path: string,
  siblings: readonly string[],
  depth: number,
  listed = listFolder(join(root, path)),
): AsyncGenerator<Walked, FolderFiles | undefined> {
  const { folders, files, links, unnameable = [], problem } = await listed;
  if (problem !== undefined) yield { problem: { kind: 'forbidden', path, message: problem } };
  for (const name of unnameable)
    yield { problem: { kind: 'name', path: joined(path, name), message: 'the name is not UTF-8; rename it' } };
  yield* outsideLinks(root, path, links);
  const below = depth >= DEPTH_MAX ? [] : folders.filter((name) => !isIgnored(name));
  const candidates: FolderFiles[] = [];
  const ahead: ReturnType<typeof listFolder>[] = [];
  for (const [index, name] of below.entries()) {
    while (ahead.length < below.length && ahead.length < index + AHEAD) {
      ahead.push(listFolder(join(root, joined(path, below[ahead.length] ?? ''))));
    }
    const pending = yield* visit(root, joined(path, name), below, depth + 1, ahead[index]);
    if (pending !== undefined) candidates.push(pending);
  }
  const own = sortFiles(path, files);
  // A folder that contains possible disc folders is a book, not a disc.
  if (own.sounds.length > 0 && candidates.length === 0 && path !== '' && couldBeDisc(own.name)) return own;
  for (const unit of unitsOf(own, candidates, siblings)) yield { unit };
  return undefined;
}

async function* outsideLinks(root: string, path: string, links: readonly string[]): AsyncGenerator<Walked, void> {
  for (const name of links) {
    if (isIgnored(name) || !(await leadsOutside(root, join(root, path, name)))) continue;
    const message = 'a link that leads outside the library is not followed';
    yield { problem: { kind: 'outside', path: joined(path, name), message } };
  }
}

/** A file of a unit. Its path is relative to the library root. */
export interface UnitFile {
  readonly path: string;
  /** Number of the disc folder that contains the file. */
  readonly disc?: number;
}

/** A folder with audio together with its disc folders; scanned as a whole. */
export interface Unit {
  readonly unit: string;
  /**
   * Names of the folders on the path. If `Dune CD 1` and `Dune CD 2` are in a folder with other books, the last name is
   * `Dune`, although there is no such folder.
   */
  readonly names: readonly string[];
  readonly sounds: readonly UnitFile[];
  readonly sidecars: readonly string[];
  readonly siblings: readonly string[];
}

interface FolderFiles {
  readonly path: string;
  readonly name: string;
  readonly sounds: readonly string[];
  readonly sidecars: readonly string[];
}

const SIDECAR =
  /\.(?:cue|opf|nfo|jpe?g|png|webp)$|^(?:desc|description|summary|reader|narrator)\.txt$|^metadata\.(?:json|abs)$/iu;
function sortFiles(path: string, names: readonly string[]): FolderFiles {
  const wanted = names.filter((name) => !isIgnored(name));
  return {
    path,
    name: path.slice(path.lastIndexOf('/') + 1),
    sounds: wanted.filter((name) => formatOfName(name) !== undefined).sort(naturalOrder),
    sidecars: wanted.filter((name) => SIDECAR.test(name)).sort(naturalOrder),
  };
}

const joined = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`);
const namesOf = (path: string): readonly string[] => (path === '' ? [] : path.split('/'));

/**
 * Returns whether the name could belong to a disc folder. Whether the folder is a disc also depends on its siblings.
 */
export function couldBeDisc(name: string): boolean {
  return discNumber(name, [name]) !== undefined;
}

/**
 * Returns the units of a folder and of its possible disc folders. Each possible disc is part of the folder's unit,
 * forms a unit with other discs, or is a separate book.
 */
function unitsOf(own: FolderFiles, candidates: readonly FolderFiles[], siblings: readonly string[]): readonly Unit[] {
  const discs: { readonly folder: FolderFiles; readonly disc: number; readonly stem: string }[] = [];
  const units: Unit[] = [];
  const names = candidates.map(({ name }) => name);
  for (const folder of candidates) {
    const disc = discNumber(
      folder.name,
      names.filter((name) => name !== folder.name),
    );
    if (disc === undefined) units.push(plainUnit(folder, names));
    else discs.push({ folder, disc, stem: stemOf(folder.name, own.name) });
  }
  const inside = discs.filter(({ stem }) => stem === '');
  const stems = new Set(discs.map(({ stem }) => stem).filter((stem) => stem !== ''));
  for (const stem of stems)
    units.push(
      stemUnit(
        own,
        discs.filter((disc) => disc.stem === stem),
        stem,
      ),
    );
  if (own.sounds.length > 0 || inside.length > 0) units.push(withDiscs(own, inside, siblings));
  return units;
}

/**
 * Returns the name without the disc number; an empty string if the disc belongs to the parent folder: `CD 1`, or `Dune
 * CD 1` in `Dune`.
 */
function stemOf(name: string, above: string): string {
  const stem = withoutDisc(name);
  if (/^\d*$/u.test(stem) || stem === name) return '';
  const [inner, outer] = [comparable(stem), comparable(above)];
  return outer !== '' && (outer.includes(inner) || inner.includes(outer)) ? '' : stem;
}

function plainUnit(folder: FolderFiles, siblings: readonly string[]): Unit {
  return withDiscs(folder, [], siblings);
}

type Disc = { readonly folder: FolderFiles; readonly disc: number };

function filesOf({ folder, disc }: Disc): readonly UnitFile[] {
  return folder.sounds.map((name) => ({ path: joined(folder.path, name), disc }));
}

function withDiscs(own: FolderFiles, discs: readonly Disc[], siblings: readonly string[]): Unit {
  return {
    unit: own.path,
    names: namesOf(own.path),
    sounds: [...own.sounds.map((name) => ({ path: joined(own.path, name) })), ...discs.flatMap(filesOf)],
    sidecars: [own, ...discs.map(({ folder }) => folder)].flatMap(({ path, sidecars }) =>
      sidecars.map((name) => joined(path, name)),
    ),
    siblings,
  };
}

function stemUnit(own: FolderFiles, discs: readonly Disc[], stem: string): Unit {
  const ordered = [...discs].sort((left, right) => left.disc - right.disc);
  return {
    unit: ordered[0]?.folder.path ?? own.path,
    names: [...namesOf(own.path), stem],
    sounds: ordered.flatMap(filesOf),
    sidecars: ordered.flatMap(({ folder }) => folder.sidecars.map((name) => joined(folder.path, name))),
    siblings: [],
  };
}

/**
 * Version of the parser. Increment it when names or tags are parsed differently, so that the next scan reads all files
 * again.
 */
const UNDERSTANDING = 3;

/** Returns a fingerprint of the names and signatures of all files that determine the books of a unit. */
export function fingerprintOf(
  files: readonly (readonly [path: string, signature: FileSignature | undefined])[],
): string {
  const hash = createHash('sha256').update(`${UNDERSTANDING}\n`);
  for (const [path, signature] of files) {
    const { device = '', inode = '', size = -1, mtimeNs = '' } = signature ?? {};
    hash.update(`${path}\0${device}:${inode}:${size}:${mtimeNs}\n`);
  }
  return hash.digest('base64url').slice(0, 32);
}
