import { join } from 'node:path';
import { writeMetadataFile } from '../../adapters/audiobookshelf-folder.ts';
import { commonMetadata, seriesTexts } from '../../model/audiobookshelf/views.ts';
import type { Book } from '../../model/book.ts';
import type { Chapter } from '../../model/chapters.ts';
import { OWN_FOLDER } from '../../model/path-names.ts';
import { books } from '../../store/definitions.ts';
import { activeSegments } from '../../store/timelines.ts';
import type { Audiobooks } from '../audiobooks.ts';
import { allLibraries } from '../libraries.ts';
import { bookChapters } from '../views.ts';

interface Written {
  readonly files: number;
  /** Books that share their folder with others. Audiobookshelf reads no metadata.json for them. */
  readonly without_folder: number;
}

/**
 * Writes a `metadata.json` for each book, as Audiobookshelf does, in the folder structure of the library. If there are
 * several libraries, each gets its own folder.
 */
export async function exportToAudiobookshelf(audiobooks: Audiobooks, dir: string): Promise<Written> {
  const { store } = audiobooks;
  const libraries = await allLibraries(audiobooks);
  let files = 0;
  let withoutFolder = 0;
  for (const { id, name } of libraries) {
    const root = libraries.length === 1 ? dir : join(dir, folderName(name));
    let cursor: string | undefined;
    do {
      const page = await store.page(books.by.library, { library_id: id }, { limit: 200, cursor });
      cursor = page.cursor;
      for (const book of page.items) {
        const folder = await ownFolder(audiobooks, book);
        if (folder === undefined) {
          withoutFolder += 1;
          continue;
        }
        const chapters = await bookChapters(store, book, await activeSegments(store, book.id));
        await writeMetadataFile(join(root, folder), `${JSON.stringify(metadataOf(book, chapters), null, 2)}\n`);
        files += 1;
      }
    } while (cursor !== undefined);
  }
  return { files, without_folder: withoutFolder };
}

/** Returns the folder of a book, unless other books are in the same folder. */
async function ownFolder({ store }: Audiobooks, { folder, library_id: library }: Book): Promise<string | undefined> {
  if (folder === null || folder === '' || library === null || folder.startsWith(OWN_FOLDER)) return undefined;
  const there = await store.list(books.by.folder, { library_id: library, folder });
  return there.filter(({ deleted_at: deleted }) => deleted === null).length === 1 ? folder : undefined;
}

function folderName(name: string): string {
  const clean = name.replaceAll(/[/\\\p{Cc}]/gu, ' ').trim();
  return clean === '' || clean.startsWith('.') ? `library ${clean}` : clean;
}

function metadataOf(book: Book, chapters: readonly Chapter[]) {
  return {
    tags: book.tags,
    chapters: chapters.map(({ title, startMs, endMs }, index) => ({
      id: index,
      start: startMs / 1_000,
      end: endMs / 1_000,
      title,
    })),
    title: book.title,
    subtitle: book.subtitle,
    authors: book.authors.map(({ name }) => name),
    narrators: book.narrators,
    series: seriesTexts(book),
    ...commonMetadata(book),
  };
}
