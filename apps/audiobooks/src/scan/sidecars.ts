import { readText } from '../adapters/read-text.ts';
import { withoutExtension } from '../model/names/file-name.ts';
import { comparable } from '../model/names/text.ts';
import type { CoverSource } from '../model/scanned.ts';
import { readAbsMetadata } from '../model/abs-metadata.ts';
import { type CueSheet, readCue, readNfo, readOpf, readTextFile, type Sidecar } from '../model/sidecar.ts';

interface UnitSidecars {
  readonly sidecars: readonly Sidecar[];
  readonly cues: readonly { readonly name: string; readonly sheet: CueSheet }[];
  readonly cover: CoverSource | undefined;
  readonly unreadable: readonly string[];
}

const MIMES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    jpg: 'image/jpeg',
    jpeg: 'image/jpeg',
    png: 'image/png',
    webp: 'image/webp',
  }),
);

/** Reads descriptions, cue sheets and the cover next to the audio files. */
export async function readSidecars(
  root: string,
  paths: readonly string[],
  sizeOf: (path: string) => number,
): Promise<UnitSidecars> {
  const sidecars: Sidecar[] = [];
  const cues: { name: string; sheet: CueSheet }[] = [];
  const unreadable: string[] = [];
  for (const path of paths) {
    const name = path.slice(path.lastIndexOf('/') + 1);
    const extension = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
    if (MIMES.has(extension)) continue;
    const text = await readText(root, path);
    if (text === undefined) {
      unreadable.push(path);
      continue;
    }
    if (extension === 'json' || extension === 'abs') sidecars.push(readAbsMetadata(text));
    else if (extension === 'opf') sidecars.push(readOpf(text));
    else if (extension === 'nfo') sidecars.push(readNfo(text));
    else if (extension === 'cue') cues.push({ name, sheet: readCue(text) });
    else sidecars.push(...[readTextFile(name, text)].filter((one) => one !== undefined));
  }
  return { sidecars, cues, cover: coverAmong(paths, sizeOf), unreadable };
}

const COVER_NAMES = ['cover', 'folder', 'front', 'albumart', 'poster', 'image'];

/** Returns the picture that is named like a cover; if there is none, the largest picture. */
function coverAmong(paths: readonly string[], sizeOf: (path: string) => number): CoverSource | undefined {
  const pictures = paths
    .map((path) => {
      const name = path.slice(path.lastIndexOf('/') + 1);
      const mime = MIMES.get(name.slice(name.lastIndexOf('.') + 1).toLowerCase()) ?? '';
      const rank = COVER_NAMES.findIndex((cover) => comparable(withoutExtension(name)).startsWith(cover));
      return { path, mime, length: sizeOf(path), rank: rank < 0 ? COVER_NAMES.length : rank };
    })
    .filter(({ mime, length }) => mime !== '' && length > 0)
    .sort((left, right) => left.rank - right.rank || right.length - left.length);
  const [best] = pictures;
  return best === undefined
    ? undefined
    : { kind: 'file', path: best.path, mime: best.mime, offset: 0, length: best.length };
}
