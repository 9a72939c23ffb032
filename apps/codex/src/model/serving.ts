/** How to send a file to a browser; its content is untrusted. */
export interface Serving {
  readonly type: string;
  readonly disposition: 'inline' | 'attachment';
  /** Content security policy, for a file that is opened directly. */
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
/** Text that browsers do not run, always sent as plain text. */
const TEXTS: ReadonlySet<string> = new Set([
  'application/json',
  'application/toml',
  'application/yaml',
  'text/csv',
  'text/markdown',
  'text/plain',
]);

/**
 * Shows only types that cannot contain scripts. HTML, XML, scripts and unknown types become downloads without a
 * specific type. SVG keeps its type, because images in a page run no scripts, but is a download when opened directly.
 */
export function servingOf(contentType: string): Serving {
  if (IMAGES.has(contentType)) return { type: contentType, disposition: 'inline', policy: SEALED };
  if (TEXTS.has(contentType)) return { type: 'text/plain; charset=utf-8', disposition: 'inline', policy: SEALED };
  if (/^(audio|video)\/[\w.+-]+$/u.test(contentType)) {
    return { type: contentType, disposition: 'inline', policy: `media-src 'self'; ${SEALED}` };
  }
  // Browsers' PDF viewers do not work in a sandbox, and isolate the file themselves.
  if (contentType === 'application/pdf') {
    return { type: contentType, disposition: 'inline', policy: "default-src 'none'; frame-ancestors 'none'" };
  }
  if (contentType === 'image/svg+xml') {
    return { type: contentType, disposition: 'attachment', policy: `style-src 'unsafe-inline'; ${SEALED}` };
  }
  return { type: 'application/octet-stream', disposition: 'attachment', policy: SEALED };
}

/** File name for a download, in the encoding that allows every character. */
export function dispositionOf({ disposition }: Serving, filename: string): string {
  const encoded = encodeURIComponent(filename.toWellFormed()).replaceAll(
    /['()*]/gu,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${disposition}; filename*=UTF-8''${encoded}`;
}
