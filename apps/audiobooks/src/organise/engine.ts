import { type DiskView, diskView } from '../adapters/disk-view.ts';
import { formatOfName } from '../media/probe.ts';
import { withoutExtension } from '../model/names/file-name.ts';
import { parseTemplate } from '../model/templates.ts';
import type { BookFacts, OrganiseEngine } from '../model/engines.ts';
import { type BookTarget, bookTarget, folderOf, joined, nameOf } from './book-targets.ts';
import { recoverMoves, runMoves } from './journalled-moves.ts';
import { planMoves } from './plan.ts';
import { OWN_FOLDER } from '../model/library-folders.ts';

/** Moves books and their sidecars to the paths of a template. */
export function createOrganiseEngine(): OrganiseEngine {
  return {
    async plan({ root, template, books }) {
      const parsed = parseTemplate(template);
      const disk = diskView(root);
      const targets: BookTarget[] = [];
      for await (const book of books) targets.push(bookTarget(parsed, book, await filesBeside(disk, book)));
      return planMoves(targets, disk);
    },
    move: (request) => runMoves(request),
    recover: ({ root, context, isCommitted }) => recoverMoves(root, context, isCommitted),
  };
}

/**
 * Returns the sidecars that move with a book: all other files of a folder that only this book uses, or else those named
 * after one of its files (`Dune.m4b` and `Dune.cue`).
 */
async function filesBeside(disk: DiskView, book: BookFacts): Promise<readonly string[]> {
  const own = new Set(book.files.map(({ path }) => path));
  const folders = new Set(book.files.map(({ path }) => folderOf(path)));
  if (book.folder !== '') folders.add(book.folder);
  const found: string[] = [];
  let isAlone = book.folder !== '';
  for (const folder of folders) {
    if (folder !== book.folder && !folder.startsWith(`${book.folder}/`)) continue;
    for (const [name, kind] of await disk.entries(folder)) {
      const path = joined(folder, name);
      if (kind !== 'file' || own.has(path) || name.startsWith(OWN_FOLDER)) continue;
      if (formatOfName(name) === undefined) found.push(path);
      else isAlone = false;
    }
    for (const [name, kind] of await disk.entries(folder)) {
      const below = joined(folder, name);
      if (kind === 'folder' && !folders.has(below) && (await hasSound(disk, below))) isAlone = false;
    }
  }
  if (isAlone) return found;
  const stems = new Set([...own].map((path) => withoutExtension(nameOf(path))));
  return found.filter((path) => stems.has(withoutExtension(nameOf(path))));
}

async function hasSound(disk: DiskView, folder: string): Promise<boolean> {
  for (const [name, kind] of await disk.entries(folder)) {
    if (kind === 'file' && formatOfName(name) !== undefined) return true;
  }
  return false;
}
