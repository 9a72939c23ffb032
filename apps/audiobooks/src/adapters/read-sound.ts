import { join } from 'node:path';
import { formatOfName, probe } from '../media/probe.ts';
import { MediaError, windowed } from '../media/source.ts';
import type { CoverSource, FileProblem, FileProblemKind, FileSignature, ScannedFile } from '../model/scanned.ts';
import { openSource, quickHash } from './file-source.ts';

export type SoundRead = { readonly file: ScannedFile } | { readonly problem: FileProblem };

/**
 * Receives the signature of an opened file. If the file is known, returns the stored result, so that the file is not
 * read again.
 */
export type Opened = (signature: FileSignature) => Promise<SoundRead | undefined>;

/** Reads one media file. Never throws: an error becomes the `problem` of the result. */
export async function readSound(root: string, path: string, opened?: Opened): Promise<SoundRead> {
  const problem = (kind: FileProblemKind, message: string): SoundRead => ({ problem: { kind, path, message } });
  try {
    const source = await openSource(join(root, path));
    try {
      const known = await opened?.(source.signature);
      if (known !== undefined) return known;
      const bytes = windowed(source);
      const probed = await probe(bytes);
      const hash = await quickHash(bytes, probed.sound);
      const { stream, durationMs, chapters, tags, cover } = probed;
      const picture: CoverSource | undefined =
        cover === undefined
          ? undefined
          : { kind: 'embedded', path, mime: cover.mime, offset: cover.offset, length: cover.length };
      const incomplete: FileProblem = { kind: 'incomplete', path, message: 'the file is cut off' };
      return {
        file: {
          path,
          ...source.signature,
          quickHash: hash,
          format: formatOfName(path) ?? 'mp3',
          codec: stream.codec,
          stream,
          durationMs,
          chapters,
          tags,
          ...(picture === undefined ? {} : { cover: picture }),
          ...(probed.isIncomplete ? { problem: incomplete } : {}),
        },
      };
    } finally {
      await source.close();
    }
  } catch (error) {
    if (error instanceof MediaError) return problem(error.kind, error.message);
    const { code, message } = error as NodeJS.ErrnoException;
    return problem(code === undefined ? 'unreadable' : 'forbidden', message);
  }
}

export function isSame(left: FileSignature, right: FileSignature): boolean {
  return (
    left.device === right.device &&
    left.inode === right.inode &&
    left.size === right.size &&
    left.mtimeNs === right.mtimeNs
  );
}
