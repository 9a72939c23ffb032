import * as fs from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { type OpenedFolder, openFolder } from '@holdfast/base';

import { codexErrors } from '../model/errors.ts';
import type { DiskState } from '../model/operation.ts';
import { isNotebook, notebookMissing } from './notebook-folder.ts';

const fsyncAsync = promisify(fs.fsync);
const FOLDER_MODE = 0o777;

/**
 * Accesses a notebook's folder and never follows a symbolic link. Throws if the notebook is missing: an empty mount
 * point must not look like a notebook whose files were all deleted. Opens each folder relative to its parent's
 * descriptor, so that replacing a folder with a link in between cannot redirect a write. On systems without /proc,
 * checks each folder by name instead.
 */
export class Tree {
  readonly root: string;
  readonly #opened = new Map<string, OpenedFolder>();
  readonly #changed = new Set<number>();
  /** Deleted folders stay open until `close`, because a reused descriptor number could redirect a write. */
  #deleted: OpenedFolder[] = [];

  constructor(root: string) {
    this.root = root;
    this.#opened.set('', openNotebook(root));
  }

  /** Returns the path for system calls; undefined if a parent folder is missing. */
  place(path: string): string | undefined {
    const { folder, name } = split(path);
    const parent = this.#folder(folder);
    return parent === undefined ? undefined : join(parent.place, name);
  }

  state(path: string): DiskState | undefined {
    const place = this.place(path);
    return place === undefined ? undefined : stateAt(place);
  }

  names(folder: string): readonly string[] {
    const opened = this.#folder(folder);
    return opened === undefined ? [] : fs.readdirSync(opened.place);
  }

  /** Also recreates a folder that another program has deleted since it was opened. */
  makeFolders(folder: string): void {
    this.#dropDeleted(folder);
    if (folder === '' || this.#folder(folder) !== undefined) return;
    const { folder: above, name } = split(folder);
    this.makeFolders(above);
    const parent = this.#existing(above);
    try {
      fs.mkdirSync(join(parent.place, name), { mode: FOLDER_MODE });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    this.#changed.add(parent.fd);
    this.#existing(folder);
  }

  /** Throws EEXIST if the new name is taken. */
  link(from: string, to: string): void {
    fs.linkSync(this.#needed(from), this.#needed(to));
    this.#touched(to);
  }

  rename(from: string, to: string): void {
    fs.renameSync(this.#needed(from), this.#needed(to));
    this.#touched(from);
    this.#touched(to);
    // A descriptor of a moved folder stays valid, and a write through it would go to the new place.
    this.#forget(from);
    this.#forget(to);
  }

  remove(path: string): void {
    const place = this.place(path);
    if (place === undefined) return;
    try {
      fs.unlinkSync(place);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      return;
    }
    this.#touched(path);
  }

  /** Makes the next `sync` include all folders above a path that another process created. */
  countAsChanged(path: string): void {
    for (let { folder } = split(path); ; { folder } = split(folder)) {
      this.#changed.add(this.#existing(folder).fd);
      if (folder === '') return;
    }
  }

  /** Syncs the folders whose entries were changed. */
  async sync(): Promise<void> {
    const changed = [...this.#changed];
    this.#changed.clear();
    await Promise.all(changed.map((fd) => fsyncAsync(fd)));
  }

  close(): void {
    for (const { fd } of [...this.#opened.values(), ...this.#deleted]) fs.closeSync(fd);
    this.#opened.clear();
    this.#deleted = [];
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #needed(path: string): string {
    const place = this.place(path);
    if (place === undefined)
      throw Object.assign(new Error(`The folder of ${path} no longer exists`), { code: 'ENOENT' });
    return place;
  }

  #touched(path: string): void {
    const { folder } = split(path);
    this.#changed.add(this.#existing(folder).fd);
  }

  #forget(path: string): void {
    for (const [folder, { fd }] of this.#opened) {
      if (folder !== path && !folder.startsWith(`${path}/`)) continue;
      this.#changed.delete(fd);
      fs.closeSync(fd);
      this.#opened.delete(folder);
    }
  }

  #dropDeleted(folder: string): void {
    const opened = this.#opened.get(folder);
    if (opened === undefined || folder === '') return;
    this.#dropDeleted(split(folder).folder);
    if (this.#opened.has(split(folder).folder) && fs.fstatSync(opened.fd).nlink > 0) return;
    this.#opened.delete(folder);
    this.#changed.delete(opened.fd);
    this.#deleted.push(opened);
  }

  #existing(folder: string): OpenedFolder {
    const opened = this.#folder(folder);
    if (opened === undefined) throw Object.assign(new Error(`${folder} is gone`), { code: 'ENOENT' });
    return opened;
  }

  #folder(path: string): OpenedFolder | undefined {
    const known = this.#opened.get(path);
    if (known !== undefined) return known;
    const { folder, name } = split(path);
    const above = this.#folder(folder);
    if (above === undefined) return undefined;
    try {
      const opened = openFolder(join(above.place, name));
      this.#opened.set(path, opened);
      return opened;
    } catch (error) {
      return missingOrRefused(error, path, join(above.place, name));
    }
  }
}

/** Checks the mark through the descriptor, so that mounting or unmounting a disk during the check has no effect. */
function openNotebook(root: string): OpenedFolder {
  let opened: OpenedFolder;
  try {
    opened = openFolder(root);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    throw ['ENOENT', 'ENOTDIR', 'ELOOP'].includes(code) ? notebookMissing(root, error) : error;
  }
  if (isNotebook(opened.place)) return opened;
  fs.closeSync(opened.fd);
  throw notebookMissing(root);
}

/** `folder` is '' for a name in the root. */
function split(path: string): { readonly folder: string; readonly name: string } {
  const end = path.lastIndexOf('/');
  return { folder: path.slice(0, Math.max(end, 0)), name: path.slice(end + 1) };
}

function missingOrRefused(error: unknown, path: string, place: string): undefined {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return undefined;
  if (code !== 'ENOTDIR' && code !== 'ELOOP') throw error;
  const found = stateAt(place);
  if (found === undefined) return undefined;
  if (found.kind === 'file') throw codexErrors.FILE_EXISTS(`${path} is a file, not a folder`);
  throw codexErrors.PATH_LINK(`${path} is a symbolic link or a special file, not a folder`);
}

function stateAt(place: string): DiskState | undefined {
  const found = fs.lstatSync(place, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? undefined : stateOf(found);
}

export function stateOf(found: fs.BigIntStats): DiskState {
  return {
    kind: found.isFile() ? 'file' : found.isDirectory() ? 'folder' : 'other',
    size: Number(found.size),
    mode: Number(found.mode) & 0o777,
    mtime_ns: String(found.mtimeNs),
    ctime_ns: String(found.ctimeNs),
    inode: String(found.ino),
  };
}
