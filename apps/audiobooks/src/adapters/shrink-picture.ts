import sharp from 'sharp';

/** More than any cover has, and far less than a bomb: what is decoded fits into memory several times over. */
const PIXELS_MAX = 64_000_000;
const SECONDS_MAX = 15;
const QUALITY = 82;

// One thread per picture: the rest of the machine is for those who listen.
sharp.concurrency(1);
sharp.cache(false);

/** What a picture is by its first bytes. Drawings with scripts and references (SVG) are none, whatever they are called. */
export function pictureKind(bytes: Uint8Array): 'jpeg' | 'png' | 'webp' | 'gif' | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 12)).toString('latin1');
  if (head.startsWith('\xff\xd8\xff')) return 'jpeg';
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (head.startsWith('RIFF') && head.endsWith('WEBP')) return 'webp';
  return head.startsWith('GIF8') ? 'gif' : undefined;
}

/** A picture no larger than this on either side, as WebP, without what else was in the file; undefined when it is broken. */
export async function shrinkPicture(bytes: Uint8Array, size: number): Promise<Uint8Array | undefined> {
  if (pictureKind(bytes) === undefined) return undefined;
  try {
    return await sharp(bytes, { limitInputPixels: PIXELS_MAX, failOn: 'truncated', pages: 1, sequentialRead: true })
      .autoOrient()
      .resize({ width: size, height: size, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: QUALITY })
      .timeout({ seconds: SECONDS_MAX })
      .toBuffer();
  } catch {
    return undefined;
  }
}
