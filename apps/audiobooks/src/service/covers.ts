import { join } from 'node:path';
import { closeSync } from 'node:fs';
import { openInLibrary } from '../adapters/open-in-library.ts';
import { PictureCache } from '../adapters/picture-cache.ts';
import { readCover } from '../adapters/read-cover.ts';
import { shrinkPicture } from '../adapters/shrink-picture.ts';
import type { Book } from '../model/book.ts';
import { limiter } from '../scan/limit.ts';
import { assets, libraries } from '../store/definitions.ts';
import type { Catalogue } from './catalogue.ts';

export const COVER_SIZES = [96, 256, 512, 1024] as const;
export type CoverSize = (typeof COVER_SIZES)[number];

export interface Cover {
  readonly bytes: Uint8Array;
  /** Changes with the picture. */
  readonly version: string;
}

/** Pictures that cannot be shown, so that nobody has them tried again and again. */
const FAILURES_MAX = 1_000;
const AT_ONCE = 2;

/** Covers in sizes: made once, two at a time, and kept. What cannot be shown is as good as not there. */
export class Covers {
  readonly #catalogue: Catalogue;
  readonly #cache: PictureCache;
  readonly #limit = limiter(AT_ONCE);
  readonly #making = new Map<string, Promise<Uint8Array | undefined>>();
  readonly #failed = new Set<string>();

  constructor(catalogue: Catalogue, home: string) {
    this.#catalogue = catalogue;
    this.#cache = new PictureCache(join(home, 'cache', 'audiobooks', 'covers'));
  }

  async cover(book: Book, size: CoverSize): Promise<Cover | undefined> {
    if (book.cover_asset_id === null) return undefined;
    const asset = await this.#catalogue.store.get(assets, { id: book.cover_asset_id });
    if (asset === undefined || asset.library_id === null) return undefined;
    const library = await this.#catalogue.store.get(libraries, { id: asset.library_id });
    const file = library === undefined ? undefined : openInLibrary(library.root, asset.path);
    if (library === undefined || file === undefined) return undefined;
    closeSync(file.fd);
    const { version } = file;
    const key = `${asset.id} ${version} ${size}`;
    const bytes = await (this.#making.get(key) ??
      this.#made(key, () => readCover(library.root, asset), asset.id, version, size));
    return bytes === undefined ? undefined : { bytes, version: `${asset.id}-${version}-${size}` };
  }

  #made(
    key: string,
    read: () => Promise<Uint8Array | undefined>,
    id: string,
    version: string,
    size: number,
  ): Promise<Uint8Array | undefined> {
    const making = this.#limit(async () => {
      const known = await this.#cache.get(id, version, size);
      if (known !== undefined || this.#failed.has(key)) return known;
      const original = await read();
      const made = original === undefined ? undefined : await shrinkPicture(original, size);
      if (made === undefined) this.#rememberFailure(key);
      // A full disk is no reason not to show it.
      else await this.#cache.put(id, version, size, made).catch(() => undefined);
      return made;
    }).finally(() => this.#making.delete(key));
    this.#making.set(key, making);
    return making;
  }

  #rememberFailure(key: string): void {
    if (this.#failed.size >= FAILURES_MAX) this.#failed.clear();
    this.#failed.add(key);
  }
}
