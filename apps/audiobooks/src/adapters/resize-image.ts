import { audiobookErrors } from '../model/errors.ts';

/** Larger than any cover, but small enough that several pictures can be decoded at once. */
const PIXELS_MAX = 64_000_000;
const SECONDS_MAX = 15;
const QUALITY = 82;

/** WebP for our pages; JPEG for feed readers, because many support no other format. */
export type ImageFormat = 'webp' | 'jpeg';

type Sharp = (typeof import('sharp'))['default'];

let loading: Promise<Sharp> | undefined;

/** Loads sharp on first use, to keep startup fast. */
function loadSharp(): Promise<Sharp> {
  loading ??= import('sharp').then(
    ({ default: sharp }) => {
      // One thread per picture leaves CPU time for streaming.
      sharp.concurrency(1);
      sharp.cache(false);
      return sharp;
    },
    (error: unknown) => {
      throw audiobookErrors.PICTURES_UNAVAILABLE('Covers cannot be resized: sharp could not be loaded.', {
        cause: error,
      });
    },
  );
  return loading;
}

/** Throws if sharp, the library that resizes pictures, cannot be loaded on this machine. */
export async function requirePictures(): Promise<void> {
  await loadSharp();
}

/** Detects the type from the first bytes. Does not recognise SVG, because it can contain scripts and references. */
export function imageType(bytes: Uint8Array): 'jpeg' | 'png' | 'webp' | 'gif' | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 12)).toString('latin1');
  if (head.startsWith('\xff\xd8\xff')) return 'jpeg';
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (head.startsWith('RIFF') && head.endsWith('WEBP')) return 'webp';
  return head.startsWith('GIF8') ? 'gif' : undefined;
}

/** Resizes a picture to fit into `size` and removes its metadata; returns undefined for a broken picture. */
export async function resizeImage(
  bytes: Uint8Array,
  size: number,
  format: ImageFormat = 'webp',
): Promise<Uint8Array | undefined> {
  if (imageType(bytes) === undefined) return undefined;
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
