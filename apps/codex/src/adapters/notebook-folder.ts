import * as fs from 'node:fs';
import { basename, dirname, isAbsolute, join, normalize, sep } from 'node:path';

import { isWithin, sensitiveFolder } from '@holdfast/base';

import { codexErrors } from '../model/errors.ts';

const PRIVATE_FOLDER = 0o700;
/** System folders, which cannot be notebooks: they hold no notes, and extra files may break programs. */
const SYSTEM: ReadonlySet<string> = new Set([
  'bin',
  'boot',
  'dev',
  'etc',
  'lib',
  'lib64',
  'proc',
  'sbin',
  'sys',
  'usr',
]);

interface FolderRules {
  readonly home: string;
  /** Allowed folders, besides `notebooks` in the data home. */
  readonly roots?: readonly string[];
  /** Applies `roots` even if it is empty. Set for callers who are not administrators. */
  readonly isRestricted?: boolean;
  /** Throws if another notebook has the folder; called with its real path. */
  readonly requireFree?: (folder: string) => void;
}

export interface PreparedFolder {
  readonly path: string;
  /** Removes the folders and files that were created for the notebook. */
  readonly undo: () => void;
}

/** Prepares a folder to be a notebook. Refuses a symbolic link. */
export function prepareNotebookFolder(
  path: string,
  { home, roots = [], isRestricted = false, requireFree }: FolderRules,
): PreparedFolder {
  if (!isAbsolute(path) || path.includes('\0')) throw codexErrors.NOTEBOOK_FOLDER(`${path} is not an absolute path`);
  const wanted = normalize(path).replace(/(?<=.)\/+$/u, '');
  const [, top = ''] = wanted.split(sep);
  if (top === '' || SYSTEM.has(top)) throw codexErrors.NOTEBOOK_FOLDER(`${wanted} is a system folder`);
  const found = statOf(wanted);
  if (found?.isSymbolicLink() === true) throw codexErrors.NOTEBOOK_FOLDER(`${wanted} is a symbolic link`);
  if (found?.isDirectory() === false) throw codexErrors.NOTEBOOK_FOLDER(`${wanted} is not a folder`);
  const isBound = isRestricted || roots.length > 0;
  if (isBound) requireRoot(wanted, home, roots);
  const place = trueName(wanted);
  refuseStore(place, home);
  refuseSensitive(place, home);
  requireFree?.(place);
  const isNew = found === undefined;
  requireWritable(wanted);
  try {
    fs.mkdirSync(wanted, { recursive: true });
  } catch (error) {
    throw codexErrors.NOTEBOOK_FOLDER(`Cannot create ${wanted}: ${(error as Error).message}`, { cause: error });
  }
  const folder = join(fs.realpathSync(dirname(wanted)), basename(wanted));
  refuseStore(folder, home);
  // Checks the real path too: a parent folder may be a link.
  if (isBound) requireRoot(folder, home, roots);
  refuseSensitive(folder, home);
  const hadOwn = statOf(join(folder, '.codex')) !== undefined;
  makeOwnFolder(folder);
  const undo = (): void => {
    if (!hadOwn) fs.rmSync(join(folder, '.codex'), { recursive: true, force: true });
    if (isNew && fs.readdirSync(folder).length === 0) fs.rmdirSync(folder);
  };
  return { path: folder, undo };
}

export function makeOwnFolder(folder: string): void {
  const own = join(folder, '.codex');
  const folders = ['tmp', 'blobs', 'trash'].map((name) => join(own, name));
  const mark = join(folder, MARK);
  // Refuses links with these names, which a copied or cloned folder may contain.
  for (const place of [own, ...folders, mark]) {
    if (fs.lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink() !== true) continue;
    throw codexErrors.NOTEBOOK_FOLDER(`${place} is a symbolic link`);
  }
  for (const place of folders) fs.mkdirSync(place, { recursive: true, mode: PRIVATE_FOLDER });
  // The content `*` keeps everything in `.codex` out of `git add`.
  const fd = fs.openSync(
    mark,
    fs.constants.O_WRONLY | fs.constants.O_CREAT | fs.constants.O_TRUNC | fs.constants.O_NOFOLLOW,
  );
  fs.writeFileSync(fd, '*\n');
  fs.closeSync(fd);
}

function requireRoot(folder: string, home: string, roots: readonly string[]): void {
  const allowed = [join(home, 'notebooks'), ...roots].flatMap((root) => [root, trueName(root)]);
  if (allowed.some((root) => isWithin(folder, root))) return;
  throw codexErrors.NOTEBOOK_FOLDER(`${folder} is not in a folder that is allowed for notebooks`, {
    hint: 'Omit the folder, or ask an administrator to add the notebook or to allow the folder (HOLDFAST_CODEX_ROOTS).',
  });
}

function refuseSensitive(folder: string, home: string): void {
  const problem = sensitiveFolder(folder, { except: trueName(home) });
  if (problem !== undefined) throw codexErrors.NOTEBOOK_FOLDER(`${folder} cannot be a notebook: ${problem}`);
}

/**
 * Checks the folder, or its nearest existing parent: on a read-only file system, Node's mkdir reports the wrong reason.
 */
function requireWritable(folder: string): void {
  if (statOf(folder) === undefined) return requireWritable(dirname(folder));
  try {
    fs.accessSync(folder, fs.constants.W_OK);
  } catch (error) {
    throw codexErrors.NOTEBOOK_FOLDER(`Cannot write to ${folder}: ${(error as Error).message}`, {
      hint: 'Let the user that runs Holdfast write to the folder. A system service also needs ReadWritePaths; see docs/server.md.',
      cause: error,
    });
  }
}

/** Returns the real path. For a path that does not exist, resolves its nearest existing parent. */
function trueName(path: string): string {
  if (statOf(path) !== undefined) return fs.realpathSync(path);
  const above = dirname(path);
  return above === path ? path : join(trueName(above), basename(path));
}

function statOf(path: string): fs.Stats | undefined {
  try {
    return fs.lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    throw codexErrors.NOTEBOOK_FOLDER(`Cannot use ${path}: ${(error as Error).message}`, { cause: error });
  }
}

/** The databases must never become files in a notebook. */
function refuseStore(folder: string, home: string): void {
  const place = trueName(home);
  const isAround = `${place}${sep}`.startsWith(`${folder}${sep}`);
  const isInside = `${folder}${sep}`.startsWith(`${place}${sep}`) && !folder.startsWith(join(place, 'notebooks') + sep);
  if (isAround || isInside) throw codexErrors.NOTEBOOK_FOLDER(`${folder} overlaps the Holdfast data home`);
}

/**
 * File that marks a folder as a notebook. Only creating a notebook creates it, so an empty mount point does not have
 * it.
 */
const MARK = '.codex/.gitignore';

export function isNotebook(place: string): boolean {
  try {
    return fs.lstatSync(join(place, MARK), { throwIfNoEntry: false })?.isFile() === true;
  } catch {
    return false;
  }
}

export function requireNotebook(folder: string): void {
  if (!isNotebook(folder)) throw notebookMissing(folder);
}

export function notebookMissing(folder: string, cause?: unknown): Error {
  return codexErrors.NOTEBOOK_AWAY(`The files of the notebook are missing from ${folder}`, { cause });
}

/**
 * Returns an identity that changes when another disk or folder takes this path, or when the folder stops being a
 * notebook.
 */
export function identityAt(folder: string): string {
  try {
    const { dev, ino, birthtimeNs } = fs.lstatSync(folder, { bigint: true });
    return [dev, ino, birthtimeNs, isNotebook(folder)].join();
  } catch {
    return 'nothing';
  }
}

export type DeviceOf = (place: string) => string | undefined;

export const deviceOf: DeviceOf = (place) => {
  try {
    const found = fs.lstatSync(place, { bigint: true, throwIfNoEntry: false });
    return found === undefined ? undefined : String(found.dev);
  } catch {
    return undefined;
  }
};
