import { isIgnored } from '../model/names/ignored.ts';
import { discNumber, withoutDisc } from '../model/names/disc-folder.ts';
import { comparable, naturalOrder } from '../model/names/text.ts';
import { formatOfName } from '../media/probe.ts';

/** Relative to the library root. */
export interface UnitFile {
  readonly path: string;
  /** Number of its disc folder. */
  readonly disc?: number;
}

/** A folder with audio together with its disc folders; scanned as a whole. */
export interface Unit {
  readonly unit: string;
  /** Differs from the path where `Dune CD 1` and `Dune CD 2` lie beside other books. */
  readonly names: readonly string[];
  readonly sounds: readonly UnitFile[];
  readonly besides: readonly string[];
  readonly siblings: readonly string[];
}

export interface FolderFiles {
  readonly path: string;
  readonly name: string;
  readonly sounds: readonly string[];
  readonly besides: readonly string[];
}

const BESIDE = /\.(?:cue|opf|nfo|jpe?g|png|webp)$|^(?:desc|description|summary|reader|narrator)\.txt$/iu;
export function sortFiles(path: string, names: readonly string[]): FolderFiles {
  const wanted = names.filter((name) => !isIgnored(name));
  return {
    path,
    name: path.slice(path.lastIndexOf('/') + 1),
    sounds: wanted.filter((name) => formatOfName(name) !== undefined).sort(naturalOrder),
    besides: wanted.filter((name) => BESIDE.test(name)).sort(naturalOrder),
  };
}

export const joined = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`);
const namesOf = (path: string): readonly string[] => (path === '' ? [] : path.split('/'));

/** Whether the name could be a disc; its siblings decide. */
export function couldBeDisc(name: string): boolean {
  return discNumber(name, [name]) !== undefined;
}

/**
 * Returns the units of a folder and its possible disc folders. Discs belong to the folder or to each other, or are
 * separate books.
 */
export function unitsOf(
  own: FolderFiles,
  candidates: readonly FolderFiles[],
  siblings: readonly string[],
): readonly Unit[] {
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

/** Empty if the disc belongs to the parent folder: `CD 1`, or `Dune CD 1` in `Dune`. */
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
    besides: [own, ...discs.map(({ folder }) => folder)].flatMap(({ path, besides }) =>
      besides.map((name) => joined(path, name)),
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
    besides: ordered.flatMap(({ folder }) => folder.besides.map((name) => joined(folder.path, name))),
    siblings: [],
  };
}
