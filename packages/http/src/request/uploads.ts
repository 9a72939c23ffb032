import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';

import { Limiter } from '@holdfast/base';

import { httpErrors } from '../errors.ts';
import type { Upload } from '../routes/route.ts';

export interface UploadSettings {
  /** Folder for request bodies that are being received; it must be on a disk. */
  readonly folder: string;
  readonly uploadsMax: number;
  readonly uploadsPerUserMax: number;
}

const defaultUploadSettings: UploadSettings = { folder: tmpdir(), uploadsMax: 16, uploadsPerUserMax: 4 };

/** Handlers may read an upload into memory, so only a few run at the same time. */
const HANDLERS_MAX = 4;

/**
 * Receives uploads into files, so that unfinished bodies take no memory. Limits the number of uploads, in total and per
 * user.
 */
export class Uploads {
  readonly #settings: UploadSettings;
  readonly #handlers = new Limiter(HANDLERS_MAX);
  /** User of each upload that is being received or handled. */
  readonly #users: string[] = [];

  constructor(settings: Partial<UploadSettings> = {}) {
    this.#settings = { ...defaultUploadSettings, ...settings };
  }

  /** Receives the whole body, then calls `handle` with a stream of the file. */
  async receive<T>(upload: Upload, user: string, handle: (upload: Upload) => T | Promise<T>): Promise<T> {
    const { uploadsMax, uploadsPerUserMax } = this.#settings;
    const ofUser = this.#users.filter((each) => each === user).length;
    if (this.#users.length >= uploadsMax || ofUser >= uploadsPerUserMax) {
      throw httpErrors.TOO_MANY_UPLOADS(`${this.#users.length} uploads are in progress, ${ofUser} of them yours`);
    }
    this.#users.push(user);
    try {
      const file = await this.#unnamedFile();
      try {
        for await (const chunk of upload.stream) await file.appendFile(chunk);
        return await this.#handlers.run(() => handle({ ...upload, stream: streamOf(file) }));
      } finally {
        await file.close();
      }
    } finally {
      this.#users.splice(this.#users.indexOf(user), 1);
    }
  }

  /** Creates an unlinked file, which the operating system deletes when its descriptor is closed. */
  async #unnamedFile(): Promise<FileHandle> {
    const { folder } = this.#settings;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const path = join(folder, `upload-${randomUUID()}`);
    const file = await open(path, 'wx+', 0o600);
    await rm(path);
    return file;
  }
}

function streamOf(file: FileHandle): ReadableStream<Uint8Array> {
  return Readable.toWeb(file.createReadStream({ start: 0, autoClose: false })) as ReadableStream<Uint8Array>;
}
