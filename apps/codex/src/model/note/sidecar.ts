import { contentTypeOf } from '../content-type.ts';
import { nameOf, type NotebookPath, parentOf } from '../path.ts';

/**
 * Files that cannot say anything about themselves, such as pictures, have it said by a file beside them: `photo.png` by
 * `.photo.png.yaml` or `.photo.png.json`. Only names with an ending have one, so that `.eslintrc.json` is just a file.
 */
const ENDINGS = ['yaml', 'json'] as const;
const SIDECAR = /^\.([^/]+\.[^./]+)\.(?:yaml|json)$/u;

/** Markdown begins with its own properties. */
export function hasFrontMatter(path: string): boolean {
  return contentTypeOf(path) === 'text/markdown';
}

/** Where the properties of a file may lie, the first that exists counts. None for a file that holds its own. */
export function sidecarsOf(path: NotebookPath): readonly NotebookPath[] {
  const name = nameOf(path);
  if (hasFrontMatter(path) || isSidecar(path) || !/[^.]\.[^.]+$/u.test(name)) return [];
  return ENDINGS.map((ending) => beside(path, `.${name}.${ending}`));
}

export function isSidecar(path: NotebookPath): boolean {
  return targetOf(path) !== undefined;
}

/** The file whose properties this one holds, whether it exists or not. */
export function targetOf(sidecar: NotebookPath): NotebookPath | undefined {
  const name = SIDECAR.exec(nameOf(sidecar))?.[1];
  if (name === undefined || hasFrontMatter(name)) return undefined;
  const target = beside(sidecar, name);
  // A sidecar has none itself.
  return SIDECAR.test(name) ? undefined : target;
}

function beside(path: NotebookPath, name: string): NotebookPath {
  const folder = parentOf(path);
  return (folder === undefined ? name : `${folder}/${name}`) as NotebookPath;
}
