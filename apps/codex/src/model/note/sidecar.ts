import { contentTypeOf } from '../content-type.ts';
import { nameOf, type NotebookPath, parentOf } from '../path.ts';

/**
 * Files that cannot hold properties, such as images, have a sidecar: `.photo.png.yaml` or `.photo.png.json` for
 * `photo.png`. Only names with an extension have one, so `.eslintrc.json` is no sidecar.
 */
const ENDINGS = ['yaml', 'json'] as const;
const SIDECAR = /^\.([^/]+\.[^./]+)\.(?:yaml|json)$/u;

/** Markdown holds its own properties. */
export function hasFrontMatter(path: string): boolean {
  return contentTypeOf(path) === 'text/markdown';
}

/** Possible paths of a sidecar; the first that exists is used. Empty for a file that holds its own properties. */
export function sidecarsOf(path: NotebookPath): readonly NotebookPath[] {
  const name = nameOf(path);
  if (hasFrontMatter(path) || isSidecar(path) || !/[^.]\.[^.]+$/u.test(name)) return [];
  return ENDINGS.map((ending) => beside(path, `.${name}.${ending}`));
}

export function isSidecar(path: NotebookPath): boolean {
  return targetOf(path) !== undefined;
}

/** The file that a sidecar belongs to, whether it exists or not. */
export function targetOf(sidecar: NotebookPath): NotebookPath | undefined {
  const name = SIDECAR.exec(nameOf(sidecar))?.[1];
  if (name === undefined || hasFrontMatter(name)) return undefined;
  const target = beside(sidecar, name);
  // A sidecar has no sidecar itself.
  return SIDECAR.test(name) ? undefined : target;
}

function beside(path: NotebookPath, name: string): NotebookPath {
  const folder = parentOf(path);
  return (folder === undefined ? name : `${folder}/${name}`) as NotebookPath;
}
