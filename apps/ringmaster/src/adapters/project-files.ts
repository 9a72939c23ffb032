import { type Dirent, existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { readFile, sha256 } from './files.ts';

/** Larger files are not read, because they do not belong in a prompt. */
const BYTES_MAX = 16 * 1024 * 1024;

export interface ProjectFile {
  /** Path relative to the files path, with slashes. */
  readonly path: string;
  readonly sha256: string;
}

/** Returns the files below `projects/` that people edit: project.md, conventions.md and everything in context/. */
export function projectFilePaths(filesPath: string): string[] {
  const projects = join(filesPath, 'projects');
  return entriesOf(projects)
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => [
      ...entriesOf(join(projects, name))
        .filter((entry) => entry.isFile() && (entry.name === 'project.md' || entry.name === 'conventions.md'))
        .map((entry) => `projects/${name}/${entry.name}`),
      ...filesBelow(filesPath, `projects/${name}/context`),
    ])
    .sort();
}

/** Caches the hash of each file until the file's size or modification time changes. */
export class ProjectFileReader {
  readonly #filesPath: string;
  readonly #seen = new Map<string, { readonly stamp: string; readonly sha256: string }>();

  constructor(filesPath: string) {
    this.#filesPath = filesPath;
  }

  look(): readonly ProjectFile[] {
    return projectFilePaths(this.#filesPath).flatMap((path) => {
      const found = statSync(join(this.#filesPath, path), { throwIfNoEntry: false });
      if (found === undefined || found.size > BYTES_MAX) return [];
      const stamp = `${found.size} ${found.mtimeMs} ${found.ino}`;
      const seen = this.#seen.get(path);
      if (seen?.stamp === stamp) return [{ path, sha256: seen.sha256 }];
      const hash = sha256(this.read(path));
      this.#seen.set(path, { stamp, sha256: hash });
      return [{ path, sha256: hash }];
    });
  }

  read(path: string): Uint8Array {
    return readFile(join(this.#filesPath, path));
  }
}

/** Does not follow links, which could lead out of the folder. */
function filesBelow(root: string, folder: string): string[] {
  return entriesOf(join(root, folder)).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return filesBelow(root, path);
    return entry.isFile() ? [path] : [];
  });
}

function entriesOf(folder: string): Dirent[] {
  return existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : [];
}
