import { safeName, scrub } from '../model/path-names.ts';
import { renderTemplate, type Template } from '../model/templates.ts';
import type { BookFacts, PlannedMove } from '../model/engines.ts';
import { bookValues, fileValues } from './template-values.ts';

/** Target paths of one book's files. */
export interface BookTarget {
  readonly bookId: string;
  readonly title: string;
  readonly folder: string;
  readonly moves: readonly PlannedMove[];
}

export const folderOf = (path: string): string => (path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '');
export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
export const joined = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`);

/** `beside` are the sidecars that move with the book. */
export function bookTarget(template: Template, book: BookFacts, beside: readonly string[]): BookTarget {
  const moves = book.files.map((file, index): PlannedMove => {
    const path = renderTemplate(template, fileValues(book, file, index));
    const to = template.namesFiles ? path : joined(path, besideName(book.folder, file.path));
    return { bookId: book.bookId, segmentId: file.segmentId, from: file.path, to };
  });
  const whole = renderTemplate(template, { ...bookValues(book), ext: 'x' });
  const folder = template.namesFiles ? folderOf(moves[0]?.to ?? whole) : whole;
  for (const from of beside) {
    moves.push({ bookId: book.bookId, from, to: joined(folder, besideName(book.folder, from)) });
  }
  const { bookId, title } = book;
  return { bookId, title, folder, moves: moves.filter(({ from, to }) => from !== to) };
}

/** Returns the path inside the book folder; keeps disc folders and makes each name safe. */
function besideName(folder: string, path: string): string {
  const inside = folder !== '' && path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : nameOf(path);
  return inside
    .split('/')
    .map((name) => {
      const dot = name.lastIndexOf('.');
      const extension = dot > 0 && name.length - dot <= 12 ? scrub(name.slice(dot)) : '';
      const safe = safeName(
        scrub(dot > 0 && extension !== '' ? name.slice(0, dot) : name),
        extension === '' ? '' : `.${extension}`,
      );
      return safe === '' ? 'Untitled' : safe;
    })
    .join('/');
}
