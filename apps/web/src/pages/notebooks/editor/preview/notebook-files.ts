import { codexApi } from '../../../../api/clients.ts';
import type { NoteFile } from '../../../../api/types.ts';
import type { PreviewContext } from './render-piece.ts';

/** Finds the file that a link in the note leads to; undefined if there is none. */
export async function findFile(
  id: string,
  from: string,
  target: string,
  isWiki: boolean,
): Promise<NoteFile | undefined> {
  const query = { from, target, kind: isWiki ? 'wiki' : 'markdown' } as const;
  const found = await codexApi
    .GET('/notebooks/{notebook}/resolve-link', { params: { notebook: id }, query })
    .catch(() => undefined);
  return found?.data.file ?? undefined;
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

export function imageFinder(notebookId: string, from: string): PreviewContext['imageUrl'] {
  const known = new Map<string, Promise<string | undefined>>();
  return (path, isWiki) => {
    const found = known.get(path) ?? findFile(notebookId, from, path, isWiki).then((file) => file && imageUrlOf(file));
    known.set(path, found);
    return found.catch(() => undefined);
  };
}
