import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';

import { writeFileDurablySync } from '@holdfast/base';

import { copyOnce, inside, sha256 } from './files.ts';

/**
 * Stores state files by content hash below backups/objects. Backups refer to this content. The content of a deleted
 * file is kept while a restore may still need it.
 */
export class ObjectStore {
  readonly #files: string;
  readonly #objects: string;

  constructor(filesPath: string) {
    this.#files = filesPath;
    this.#objects = join(filesPath, 'backups', 'objects');
  }

  #object(hash: string): string {
    return inside(this.#objects, hash.slice(0, 2), hash);
  }

  has(hash: string): boolean {
    return existsSync(this.#object(hash));
  }

  /** Stores the file at `path`, and sets its time of last use to now. */
  keep(path: string, hash: string, now: Date): void {
    const from = inside(this.#files, path);
    if (!existsSync(from)) return;
    copyOnce(from, this.#object(hash));
    utimesSync(this.#object(hash), now, now);
  }

  /** Stores content, and sets its time of last use to now. */
  put(bytes: Uint8Array, hash: string, now: Date): void {
    const object = this.#object(hash);
    if (!existsSync(object)) writeFileDurablySync(object, bytes);
    utimesSync(object, now, now);
  }

  /** Sets the time at which stored content was last used to now. */
  touch(hash: string, now: Date): void {
    if (this.has(hash)) utimesSync(this.#object(hash), now, now);
  }

  remove(path: string, hash: string, now: Date): void {
    this.keep(path, hash, now);
    rmSync(inside(this.#files, path), { force: true });
  }

  /** Returns whether the file at `path` has the expected content. */
  isIntact(path: string, hash: string, bytes: number): boolean {
    const file = inside(this.#files, path);
    const found = lstatSync(file, { throwIfNoEntry: false });
    return found?.isFile() === true && found.size === bytes && sha256(readFileSync(file)) === hash;
  }

  /** Restores a file; false if its content is not stored. */
  restoreFile(path: string, hash: string): boolean {
    const object = this.#object(hash);
    if (!existsSync(object)) return false;
    const content = readFileSync(object);
    if (sha256(content) !== hash) return false;
    const file = inside(this.#files, path);
    if (lstatSync(file, { throwIfNoEntry: false }) !== undefined) {
      renameSync(file, `${file}.damaged-${Date.now()}`);
    }
    writeFileDurablySync(file, content);
    return true;
  }

  /** Moves a user's file to backups/aside. */
  setAside(path: string, now: Date): void {
    const file = inside(this.#files, path);
    if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return;
    const stamp = now.toISOString().replaceAll(/[-:.]/g, '');
    const aside = inside(this.#files, 'backups', 'aside', stamp, path);
    mkdirSync(dirname(aside), { recursive: true, mode: 0o700 });
    renameSync(file, aside);
  }

  /** Returns the files below folders that only ringmaster writes to. */
  stateFiles(): string[] {
    const found: string[] = [];
    const visit = (folder: string, accept: RegExp): void => {
      for (const entry of existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : []) {
        const path = join(folder, entry.name);
        if (entry.isDirectory()) visit(path, accept);
        else if (entry.isFile() && accept.test(relative(this.#files, path))) found.push(relative(this.#files, path));
      }
    };
    visit(join(this.#files, 'media'), /^media\//);
    visit(join(this.#files, 'tasks'), /\/iterations\/\d+\.(log|prompt\.md|context\.json)$/);
    visit(join(this.#files, 'projects'), /\/history\/summaries\/\d+(?:-[\w.-]+)?\.md$/);
    return found.sort();
  }

  hashOf(path: string): string {
    return sha256(readFileSync(inside(this.#files, path)));
  }

  /** Deletes objects last used before `before`; returns how many. */
  purge(before: number): number {
    let purged = 0;
    for (const folder of existsSync(this.#objects) ? readdirSync(this.#objects) : []) {
      for (const name of readdirSync(join(this.#objects, folder))) {
        const path = join(this.#objects, folder, name);
        if (statSync(path).mtimeMs >= before) continue;
        rmSync(path);
        purged += 1;
      }
    }
    return purged;
  }
}
