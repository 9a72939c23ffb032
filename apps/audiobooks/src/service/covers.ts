import { join } from 'node:path';
import { Limiter } from '@holdfast/base';
import type { KeyspaceReader } from '@holdfast/keyspace';
import { PictureCache, type PictureName, readCover } from '../adapters/cover-files.ts';
import { type OpenedFile, openInLibrary, versionInLibrary } from '../adapters/library-root.ts';
import { type ImageFormat, resizeImage } from '../adapters/resize-image.ts';
import type { Book, Segment } from '../model/book.ts';
import { audiobookErrors } from '../model/errors.ts';
import { assets, libraries, segments } from '../store/definitions.ts';
import type { Audiobooks } from './audiobooks.ts';

export const COVER_SIZES = [96, 256, 512, 1024] as const;
export type CoverSize = (typeof COVER_SIZES)[number];

export interface Cover {
  readonly bytes: Uint8Array;
  readonly version: string;
  readonly format: ImageFormat;
}

/** Limit for the set of pictures that could not be resized. */
const FAILURES_MAX = 1_000;
const AT_ONCE = 2;

/** Resizes covers, two at a time, and caches them. A cover that is unreadable counts as missing. */
export class Covers {
  readonly #reader: KeyspaceReader;
  readonly #cache: PictureCache;
  readonly #limiter = new Limiter(AT_ONCE);
  readonly #making = new Map<string, Promise<Uint8Array | undefined>>();
  readonly #failed = new Set<string>();

  constructor(reader: KeyspaceReader, home: string) {
    this.#reader = reader;
    this.#cache = new PictureCache(join(home, 'cache', 'audiobooks', 'covers'));
  }

  async cover(book: Book, size: CoverSize, format: ImageFormat = 'webp'): Promise<Cover | undefined> {
    const asset =
      book.cover_asset_id === null ? undefined : await this.#reader.get(assets, { id: book.cover_asset_id });
    const library =
      asset === undefined || asset.library_id === null
        ? undefined
        : await this.#reader.get(libraries, { id: asset.library_id });
    if (asset === undefined || library === undefined) return undefined;
    const version = versionInLibrary(library.root, asset.path);
    if (version === undefined) return undefined;
    const name: PictureName = { id: asset.id, version, size, format };
    const bytes = (await this.#cache.get(name)) ?? (await this.#made(name, () => readCover(library.root, asset)));
    return bytes === undefined ? undefined : { bytes, version: textOf(name), format };
  }

  /** Resizes a picture once, even if several requests need it at the same time. */
  #made(name: PictureName, read: () => Promise<Uint8Array | undefined>): Promise<Uint8Array | undefined> {
    const key = textOf(name);
    const known = this.#making.get(key);
    if (known !== undefined) return known;
    const making = this.#limiter.run(() => this.#make(name, read)).finally(() => this.#making.delete(key));
    this.#making.set(key, making);
    return making;
  }

  async #make(name: PictureName, read: () => Promise<Uint8Array | undefined>): Promise<Uint8Array | undefined> {
    const key = textOf(name);
    if (this.#failed.has(key)) return undefined;
    const original = await read();
    const made = original === undefined ? undefined : await resizeImage(original, name.size, name.format);
    if (made === undefined) {
      if (this.#failed.size >= FAILURES_MAX) this.#failed.clear();
      this.#failed.add(key);
      return undefined;
    }
    // If the disk is full, the cover is shown without being cached.
    await this.#cache.put(name, made).catch(() => undefined);
    return made;
  }
}

function textOf({ id, version, size, format }: PictureName): string {
  return `${id}-${version}-${size}-${format}`;
}

export interface AudioFile extends OpenedFile {
  readonly segment: Segment;
}

/** Opens a segment's file. Accepts only paths that are stored in the database. */
export async function openAudioFile({ store }: Audiobooks, bookId: string, segmentId: string): Promise<AudioFile> {
  // An operation may move the file after its path was read. In this case, the path is read again.
  for (let path: string | undefined; ;) {
    const segment = await store.get(segments, { id: segmentId });
    const isOwn = segment !== undefined && segment.book_id === bookId && segment.library_id !== null;
    const library = isOwn ? await store.get(libraries, { id: segment.library_id ?? '' }) : undefined;
    if (segment === undefined || library === undefined || segment.file_path === path)
      throw audiobookErrors.SEGMENT_NOT_FOUND('There is no such file.');
    path = segment.file_path;
    const file = openInLibrary(library.root, path);
    if (file !== undefined) return { ...file, segment };
  }
}
