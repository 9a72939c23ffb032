import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Pictures that were made once, in a folder that may be thrown away at any time. */
export class PictureCache {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async get(id: string, version: string, size: number): Promise<Uint8Array | undefined> {
    return readFile(this.#place(id, version, size)).catch(() => undefined);
  }

  /** The whole picture or none, also when the process dies meanwhile; other versions of it go. */
  async put(id: string, version: string, size: number, bytes: Uint8Array): Promise<void> {
    const folder = this.#bucket(id);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const place = this.#place(id, version, size);
    const unfinished = join(folder, `.${randomBytes(8).toString('hex')}`);
    try {
      await writeFile(unfinished, bytes, { mode: 0o600 });
      await rename(unfinished, place);
    } catch (error) {
      await rm(unfinished, { force: true });
      throw error;
    }
    for (const name of await readdir(folder)) {
      const isOld = name.startsWith(`${id}.${size}.`) && join(folder, name) !== place;
      if (isOld) await rm(join(folder, name), { force: true });
    }
  }

  /** Ids are time-ordered, so their ends spread them best. */
  #bucket(id: string): string {
    return join(this.#folder, id.slice(-2));
  }

  #place(id: string, version: string, size: number): string {
    return join(this.#bucket(id), `${id}.${size}.${version}.webp`);
  }
}
