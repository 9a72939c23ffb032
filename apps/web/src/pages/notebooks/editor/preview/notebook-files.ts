import { codexApi } from '../../../../api/clients.ts';
import type { NoteFile } from '../../../../api/types.ts';

/** Finds the file at a path, or at the path with `.md` added; undefined if there is none. */
export async function findFile(id: string, path: string): Promise<NoteFile | undefined> {
  for (const candidate of [path, `${path}.md`]) {
    const found = await codexApi
      .GET('/notebooks/{notebook}/files', { params: { notebook: id }, query: { path: candidate } })
      .catch(() => undefined);
    const [file] = found?.data.data ?? [];
    if (file !== undefined) return file;
  }
  return undefined;
}

export function contentUrl({ notebook_id, id, hash }: NoteFile): string {
  const params = { notebook: String(notebook_id), file: id };
  return `${codexApi.url('/notebooks/{notebook}/files/{file}/content', { params })}#${hash}`;
}

/**
 * Returns a URL for an `img` element, in which an SVG runs no scripts and loads nothing. Reads SVG files into blob
 * URLs.
 */
export async function imageUrlOf(file: NoteFile): Promise<string | undefined> {
  if (!file.content_type.startsWith('image/')) return undefined;
  if (file.content_type !== 'image/svg+xml') return contentUrl(file);
  const response = await fetch(contentUrl(file));
  return response.ok
    ? URL.createObjectURL(new Blob([await response.arrayBuffer()], { type: 'image/svg+xml' }))
    : undefined;
}

export function imageFinder(notebookId: string): (path: string) => Promise<string | undefined> {
  const known = new Map<string, Promise<string | undefined>>();
  return (path) => {
    const found = known.get(path) ?? findFile(notebookId, path).then((file) => file && imageUrlOf(file));
    known.set(path, found);
    return found.catch(() => undefined);
  };
}
