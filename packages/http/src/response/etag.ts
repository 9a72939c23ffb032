import { createHash } from 'node:crypto';

import { httpErrors } from '../errors.ts';

/** All tags are strong: equal tags mean equal bytes. Writes and caches rely on this. */

export function revisionTag(revision: number | string): string {
  return `"r${revision}"`;
}

export function contentTag(content: string | Uint8Array): string {
  return `"${createHash('sha256').update(content).digest('base64url').slice(0, 27)}"`;
}

/** Returns the revision in a tag made by `revisionTag`; undefined for other tags. */
export function revisionOfTag(tag: string): number | undefined {
  const digits = /^"r(\d{1,15})"$/.exec(tag)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** The version that a write expects. Call `assert` inside the transaction to exclude races. */
export interface Precondition {
  readonly tags: readonly string[] | '*';
  /** Throws PRECONDITION_FAILED unless `current` is the expected version; undefined means that nothing exists yet. */
  assert(current: string | undefined): void;
}

/**
 * Reads the `If-Match` header of a write. Refuses a write without it, because the write could overwrite changes that
 * the client has not seen.
 */
export function requireMatch(request: { readonly headers: Pick<Headers, 'get'> }): Precondition {
  const header = request.headers.get('if-match');
  if (header === null)
    throw httpErrors.PRECONDITION_REQUIRED('This write requires If-Match with the ETag of the version that you read');
  return precondition(header);
}

/** Like `requireMatch`, but a write without `If-Match` always passes. */
export function optionalMatch(request: { readonly headers: Pick<Headers, 'get'> }): Precondition | undefined {
  const header = request.headers.get('if-match');
  return header === null ? undefined : precondition(header);
}

/** Returns whether the client already has this version and therefore gets 304. */
export function isKnown(ifNoneMatch: string | null, current: string): boolean {
  if (ifNoneMatch === null) return false;
  const tags = parseTags(ifNoneMatch);
  // For If-None-Match, RFC 9110 ignores the weak prefix.
  return tags === '*' || tags.some((tag) => tag.replace(/^W\//, '') === current);
}

function precondition(header: string): Precondition {
  const tags = parseTags(header);
  return {
    tags,
    assert: (current) => {
      if (current !== undefined && (tags === '*' || tags.includes(current))) return;
      throw httpErrors.PRECONDITION_FAILED('It has changed since you read it', {
        details: current === undefined ? { exists: false } : { current_etag: current },
      });
    },
  };
}

const TAG = /(?:W\/)?"[\x21\x23-\x7e]*"/g;

function parseTags(header: string): readonly string[] | '*' {
  return header.trim() === '*' ? '*' : (header.match(TAG) ?? []);
}
