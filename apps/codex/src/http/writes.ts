import { MEBIBYTE, SECOND } from '@holdfast/base';
import type { BoundRequest } from '@holdfast/http';

import { settingsFrom } from '../model/settings.ts';
import type { FileView, Written } from '../operations/fields.ts';
import type { Codex } from '../service/codex.ts';
import { fileTag } from '../service/changes.ts';

const WAIT_SECONDS_DEFAULT = 30;
const WAIT_SECONDS_MAX = 300;
/** JSON needs up to six characters (`\u0000`) for one byte of content. */
const ESCAPED = 6;
/**
 * Maximum size of a JSON body. The limit is necessary because the body is in memory several times. Larger files are
 * sent as uploads.
 */
const JSON_BYTES_MAX: number = 64 * MEBIBYTE;

/** Request timeout; longer than the maximum wait that a client can ask for. */
export const waitLimits = { timeoutMs: (WAIT_SECONDS_MAX + 10) * SECOND } as const;

/** `codex` is undefined when the OpenAPI document is generated; the default settings apply then. */
export function fileBytesMax(codex: Codex | undefined): number {
  return (codex?.settings ?? settingsFrom({})).max_file_bytes;
}

export function contentLimits(codex: Codex | undefined): { readonly timeoutMs: number; readonly bodyBytes: number } {
  return { ...waitLimits, bodyBytes: Math.min(fileBytesMax(codex) * ESCAPED, JSON_BYTES_MAX) };
}

/** Reads `wait` from `Prefer: wait=SECONDS` (RFC 7240), or from `?sync=true`, which codex's design document defines. */
export function waitOf({ headers, url }: Request): { readonly wait?: number } {
  if (new URL(url).searchParams.get('sync') === 'true') return { wait: WAIT_SECONDS_DEFAULT };
  const preferred = /(?:^|[,;\s])wait(?:\s*=\s*"?(\d{1,4}))?/iu.exec(headers.get('prefer') ?? '');
  if (preferred === null) return {};
  const seconds = preferred[1] === undefined ? WAIT_SECONDS_DEFAULT : Number(preferred[1]);
  return { wait: Math.min(seconds, WAIT_SECONDS_MAX) };
}

/** Reads `wait` from the request and `base_hash` from `If-Match`. */
export function fromHeaders({ request }: BoundRequest): { readonly wait?: number; readonly base_hash?: string } {
  const version = request.headers.get('if-match');
  return { ...waitOf(request), ...(version === null ? {} : { base_hash: version }) };
}

type Queued = Pick<Written, 'status' | 'status_url' | 'file'>;

function isQueued({ status }: Pick<Queued, 'status'>): boolean {
  return status === 'pending' || status === 'processing';
}

export function doneOrQueued(output: Queued): 200 | 202 {
  return isQueued(output) ? 202 : 200;
}

export function createdOrQueued(output: Queued): 201 | 202 {
  return isQueued(output) ? 202 : 201;
}

/** A 202 response has the event's URL. A finished write has the file's ETag and, for a new file, its URL. */
export function replyOf(output: Queued, isNew = false): { readonly headers?: Record<string, string>; etag?: string } {
  const { file, status_url } = output;
  if (isQueued(output)) return { headers: { location: status_url } };
  if (file === undefined) return {};
  return { etag: fileTag(file), ...(isNew ? { headers: { location: fileUrl(file) } } : {}) };
}

export function fileUrl({ notebook_id, id }: Pick<FileView, 'notebook_id' | 'id'>): string {
  return `/api/codex/notebooks/${notebook_id}/files/${id}`;
}
