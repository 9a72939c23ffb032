import { nameOf, type NotebookPath, parentOf } from './path.ts';

const NAME_BYTES_MAX = 255;

/** Where the other version of a file is kept: beside it, named for the event that met it, so the same in every try. */
export function conflictPath(path: NotebookPath, eventId: number): NotebookPath {
  const name = nameOf(path);
  const dot = name.lastIndexOf('.');
  const ending = dot > 0 ? name.slice(dot) : '';
  const mark = `.conflict-${eventId}${ending}`;
  let stem = dot > 0 ? name.slice(0, dot) : name;
  while (Buffer.byteLength(stem + mark) > NAME_BYTES_MAX) stem = Array.from(stem).slice(0, -1).join('');
  const folder = parentOf(path);
  return `${folder === undefined ? '' : `${folder}/`}${stem}${mark}` as NotebookPath;
}
