/** More than any cover has, and far less than a bomb: what is decoded fits into memory several times over. */
const PIXELS_MAX = 64_000_000;
const SECONDS_MAX = 15;
const QUALITY = 82;

/** WebP for our own pages; JPEG for programs that read feeds, of which many know nothing else. */
export type PictureFormat = 'webp' | 'jpeg';

/** Loaded with the first picture: a server that shows none starts without it. */
async function loadSharp(): Promise<(typeof import('sharp'))['default']> {
  const { default: sharp } = await import('sharp');
  // One thread per picture: the rest of the machine is for those who listen.
  sharp.concurrency(1);
  sharp.cache(false);
  return sharp;
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
  try {
    const sharp = await loadSharp();
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
