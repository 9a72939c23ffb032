import type { Text } from '@codemirror/state';
import { ProblemError } from '@holdfast/http/client';

import { codexApi } from '../../../../api/clients.ts';
import type { CodexEvent } from '../../../../api/types.ts';
import { statusOf } from '../../../../lib/error-reason.ts';
import { type TextFile, textFileOf, writeText } from '../text-file.ts';
import type { Version } from './save-machine.ts';

/** Time that a request waits for the server's queue before the client repeats the request. */
const WAIT_SECONDS = 20;
const COMMIT_SECONDS = 10;

export interface ReadNote extends Version<Text> {
  readonly lineEnd: TextFile['lineEnd'];
}

interface Written {
  readonly hash: string;
  readonly eventId: number | null;
}

export interface NoteServer {
  /** Returns `current` if the known version is still current, and `binary` if the file is not text. */
  read(known?: string): Promise<ReadNote | 'current' | 'binary'>;
  /** `isAgain`: the request was sent before and may have succeeded. */
  write(file: TextFile, baseHash: string, key: string, isAgain: boolean): Promise<Written>;
  commit(): Promise<void>;
  event(id: number): Promise<CodexEvent>;
}

export function noteServer(id: string, fileId: string): NoteServer {
  const params = { notebook: id, file: fileId };
  return {
    async read(known) {
      const ifNoneMatch = known === undefined ? {} : { ifNoneMatch: `"${known}"` };
      const answer = await codexApi.GET('/notebooks/{notebook}/files/{file}/content', { params, ...ifNoneMatch });
      // The types do not include the status 304, whose response has no data.
      const response = answer.data as Response | undefined;
      if (response === undefined) return 'current';
      const bytes = await response.arrayBuffer();
      const file = textFileOf(bytes);
      if (file === undefined) return 'binary';
      const hash = (await hashOf(bytes)) ?? (answer.etag ?? '').replaceAll('"', '');
      return { text: file.doc, lineEnd: file.lineEnd, hash };
    },
    async write(file, baseHash, key, isAgain) {
      const answer = await discardingRejected(() =>
        codexApi.PUT('/notebooks/{notebook}/files/{file}', {
          params,
          query: { wait: WAIT_SECONDS },
          body: { content: writeText(file), base_hash: baseHash },
          idempotencyKey: key,
          // `If-Match` makes the server reject outdated writes. A retry omits it: the first try may have succeeded.
          ...(isAgain ? {} : { ifMatch: `"${baseHash}"` }),
        }),
      );
      const saved = answer.data.file;
      if (saved === undefined) throw new StillWaiting('The change is still queued');
      return { hash: saved.hash, eventId: saved.last_event_id };
    },
    async commit() {
      await codexApi.POST('/events/commit', { body: { notebook: id }, query: { wait: COMMIT_SECONDS } });
    },
    async event(eventId) {
      return (await codexApi.GET('/events/{id}', { params: { id: String(eventId) } })).data;
    },
  };
}

/** Discards the rejected operation in the queue, because the merged text is sent as a new one. */
async function discardingRejected<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    const event = error instanceof ProblemError ? error.problem.details?.['event_id'] : undefined;
    if (statusOf(error) === 412 && typeof event === 'number') {
      void codexApi.POST('/events/{id}/discard', { params: { id: String(event) } }).catch(() => undefined);
    }
    throw error;
  }
}

/** The server has stored the write, but its queue has not processed it yet. */
class StillWaiting extends Error {}

/** Returns whether the request may have succeeded in spite of the error. */
export function isUnsure(error: unknown): boolean {
  const status = statusOf(error);
  return error instanceof StillWaiting || status === 0 || status === 408 || (status !== undefined && status >= 500);
}

export function isTemporary(error: unknown): boolean {
  return isUnsure(error) || statusOf(error) === 429;
}

/**
 * Computes the hash from the bytes, because the indexed hash may belong to an older version of the file. Browsers offer
 * `subtle` only in secure contexts.
 */
async function hashOf(bytes: ArrayBuffer): Promise<string | undefined> {
  const { subtle } = globalThis.crypto as { readonly subtle?: SubtleCrypto };
  if (subtle === undefined) return undefined;
  const digest = new Uint8Array(await subtle.digest('SHA-256', bytes));
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
