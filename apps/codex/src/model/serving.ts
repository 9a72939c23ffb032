/** How a browser is given the bytes of a file that anybody may have put into a notebook. */
export interface Serving {
  readonly type: string;
  readonly disposition: 'inline' | 'attachment';
  /** The policy for the case that somebody opens it by itself. */
  readonly policy: string;
}

const SEALED = "default-src 'none'; frame-ancestors 'none'; sandbox";
const IMAGES: ReadonlySet<string> = new Set([
  'image/avif',
  'image/bmp',
  'image/gif',
  'image/jpeg',
  'image/png',
  'image/webp',
]);
/** Texts that no browser runs; all are shown as plain text, so that none of them ever can be. */
const TEXTS: ReadonlySet<string> = new Set([
  'application/json',
  'application/toml',
  'application/yaml',
  'text/csv',
  'text/markdown',
  'text/plain',
]);

/**
 * Only what cannot hold a script is shown by itself. Whatever can (HTML, XML, scripts, and all that is not known) is a
 * download of no particular type; SVG keeps its type, as pictures in a page may not run anything, but is a download
 * when it is opened by itself.
 */
export function servingOf(contentType: string): Serving {
  if (IMAGES.has(contentType)) return { type: contentType, disposition: 'inline', policy: SEALED };
  if (TEXTS.has(contentType)) return { type: 'text/plain; charset=utf-8', disposition: 'inline', policy: SEALED };
  if (/^(audio|video)\/[\w.+-]+$/u.test(contentType)) {
    return { type: contentType, disposition: 'inline', policy: `media-src 'self'; ${SEALED}` };
  }
  // The viewers of browsers refuse to work in a sandbox; they keep the file away from the page by themselves.
  if (contentType === 'application/pdf') {
    return { type: contentType, disposition: 'inline', policy: "default-src 'none'; frame-ancestors 'none'" };
  }
  if (contentType === 'image/svg+xml') {
    return { type: contentType, disposition: 'attachment', policy: `style-src 'unsafe-inline'; ${SEALED}` };
  }
  return { type: 'application/octet-stream', disposition: 'attachment', policy: SEALED };
}

/** The name for a download, in the form that takes every character. */
export function dispositionOf({ disposition }: Serving, filename: string): string {
  const encoded = encodeURIComponent(filename.toWellFormed()).replaceAll(
    /['()*]/gu,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${disposition}; filename*=UTF-8''${encoded}`;
}
