import { readStaged, stageContent } from '../../adapters/blobs.ts';
import { readFile } from '../../adapters/file-content.ts';
import { codexErrors } from '../../model/errors.ts';
import type { DiskState } from '../../model/intent.ts';
import { editFrontMatter, editSidecar, type PropertyEdit } from '../../model/note/edit-properties.ts';
import { hasFrontMatter, isSidecar } from '../../model/note/sidecar.ts';
import type { FileMetadata, StagedContent } from '../../model/operation.ts';
import type { NotebookPath } from '../../model/path.ts';
import type { Work } from './handler.ts';

/** True if the file holds its own metadata. */
export function holdsProperties(path: NotebookPath): boolean {
  return hasFrontMatter(path) || isSidecar(path);
}

export function editOf({ title, description, properties, set, unset }: FileMetadata): PropertyEdit {
  const about = Object.entries({ title, description });
  const given = about.filter(([, value]) => value !== undefined && value !== null);
  const gone = about.filter(([, value]) => value === null).map(([name]) => name);
  return {
    set: { ...properties, ...set, ...Object.fromEntries(given) },
    unset: [...(unset ?? []), ...gone],
    only: properties !== undefined,
  };
}

export interface Edited {
  readonly after: StagedContent;
  /** The version on disk that was edited; undefined when the content came with the operation. */
  readonly before?: { readonly hash: string; readonly state: DiskState };
}

/** Stages content with edited properties: of the operation, else of the file on disk. */
export async function editContent(
  work: Work,
  path: NotebookPath,
  metadata: FileMetadata,
  staged: StagedContent | undefined,
): Promise<Edited> {
  const { tree, content, notebook } = work;
  const found = staged === undefined ? await readFile(tree, path) : undefined;
  const bytes = staged === undefined ? found?.bytes : await readStaged(tree, staged, content);
  const edited = editedBytes(path, bytes ?? new Uint8Array(), editOf(metadata));
  const { hash, size } = await stageContent(notebook.path, edited, false);
  return {
    after: { hash, size },
    ...(found === undefined ? {} : { before: { hash: found.hash, state: found.state } }),
  };
}

export function editedBytes(path: NotebookPath, bytes: Uint8Array, edit: PropertyEdit): Uint8Array {
  const text = textOf(path, bytes);
  return Buffer.from(hasFrontMatter(path) ? editFrontMatter(text, edit) : editSidecar(path, text, edit));
}

function textOf(path: NotebookPath, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw codexErrors.PROPERTIES_INVALID(`${path} is not UTF-8 text`, { cause: error });
  }
}
