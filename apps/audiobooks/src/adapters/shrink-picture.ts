import { audiobookErrors } from '../model/errors.ts';

/** More than any cover has, and far less than a bomb: what is decoded fits into memory several times over. */
const PIXELS_MAX = 64_000_000;
const SECONDS_MAX = 15;
const QUALITY = 82;

/** WebP for our own pages; JPEG for programs that read feeds, of which many know nothing else. */
export type PictureFormat = 'webp' | 'jpeg';

type Sharp = (typeof import('sharp'))['default'];

let loading: Promise<Sharp> | undefined;

/** Loaded with the first picture, once: a server that shows none starts without it. */
function loadSharp(): Promise<Sharp> {
  loading ??= import('sharp').then(
    ({ default: sharp }) => {
      // One thread per picture: the rest of the machine is for those who listen.
      sharp.concurrency(1);
      sharp.cache(false);
      return sharp;
    },
    (error: unknown) => {
      throw audiobookErrors.PICTURES_UNAVAILABLE('Covers cannot be made smaller: sharp could not be loaded.', {
        cause: error,
      });
    },
  );
  return loading;
}

/** Refuses when pictures cannot be made on this machine at all, whatever they are. */
export async function requirePictures(): Promise<void> {
  await loadSharp();
}

/** What a picture is by its first bytes. Drawings with scripts and references (SVG) are none, whatever they are called. */
export function pictureKind(bytes: Uint8Array): 'jpeg' | 'png' | 'webp' | 'gif' | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 12)).toString('latin1');
  if (head.startsWith('\xff\xd8\xff')) return 'jpeg';
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (head.startsWith('RIFF') && head.endsWith('WEBP')) return 'webp';
  return head.startsWith('GIF8') ? 'gif' : undefined;
}

/** A picture no larger than this on either side, without what else was in the file; undefined when it is broken. */
export async function shrinkPicture(
  bytes: Uint8Array,
  size: number,
  format: PictureFormat = 'webp',
): Promise<Uint8Array | undefined> {
  if (pictureKind(bytes) === undefined) return undefined;
  const sharp = await loadSharp();
  try {
    return await sharp(bytes, { limitInputPixels: PIXELS_MAX, failOn: 'truncated', pages: 1, sequentialRead: true })
      .autoOrient()
      .resize({ width: size, height: size, fit: 'inside', withoutEnlargement: true })
      .toFormat(format, { quality: QUALITY })
      .timeout({ seconds: SECONDS_MAX })
      .toBuffer();
  } catch {
    return undefined;
  }
}
