import type { Text } from '@codemirror/state';
import { ProblemError } from '@holdfast/http/client';

import { codexApi } from '../../../../api/clients.ts';
import type { CodexEvent } from '../../../../api/types.ts';
import { statusOf } from '../../../../lib/reason.ts';
import { type TextFile, textFileOf, writeText } from '../text/text-file.ts';
import type { Version } from './save-machine.ts';

/** How long an answer may wait for the queue; after that the same is asked again. */
const WAIT_SECONDS = '20';
const COMMIT_SECONDS = '10';

export interface ReadNote extends Version<Text> {
  readonly lineEnd: TextFile['lineEnd'];
}

interface Written {
  readonly hash: string;
  readonly eventId: number | null;
}

/** One note at the server. */
export interface NoteServer {
  /** `current` when it is still the known version, `binary` when it is not text. */
  read(known?: string): Promise<ReadNote | 'current' | 'binary'>;
  /** `isAgain`: it was sent before, and may have been done. */
  write(file: TextFile, baseHash: string, key: string, isAgain: boolean): Promise<Written>;
  /** What was written so far is in history when this is over. */
  commit(): Promise<void>;
  event(id: number): Promise<CodexEvent>;
}

export function noteServer(id: string, fileId: string): NoteServer {
  const params = { id, file_id: fileId };
  return {
    async read(known) {
      const ifNoneMatch = known === undefined ? {} : { ifNoneMatch: `"${known}"` };
      const answer = await codexApi.GET('/notebooks/{id}/files/{file_id}/content', { params, ...ifNoneMatch });
      // The types know of no 304, which comes without data.
      const response = answer.data as Response | undefined;
      if (response === undefined) return 'current';
      const bytes = await response.arrayBuffer();
      const file = textFileOf(bytes);
      if (file === undefined) return 'binary';
      const hash = (await hashOf(bytes)) ?? (answer.etag ?? '').replaceAll('"', '');
      return { text: file.doc, lineEnd: file.lineEnd, hash };
    },
    async write(file, baseHash, key, isAgain) {
      const answer = await forgettingRefusal(() =>
        codexApi.PUT('/notebooks/{id}/files/{file_id}', {
          params,
          query: { sync: 'true', timeout: WAIT_SECONDS },
          body: { content: writeText(file), base_hash: baseHash },
          idempotencyKey: key,
          // What is known to be out of date need not even be queued; but what was done already is.
          ...(isAgain ? {} : { ifMatch: `"${baseHash}"` }),
        }),
      );
      if (answer.status !== 200) throw new StillWaiting('The queue has not come to this note yet');
      return { hash: answer.data.hash, eventId: answer.data.last_event_id };
    },
    async commit() {
      await codexApi.POST('/events/commit', { body: { notebook_id: Number(id) }, query: { timeout: COMMIT_SECONDS } });
    },
    async event(eventId) {
      return (await codexApi.GET('/events/{id}', { params: { id: String(eventId) } })).data;
    },
  };
}

/** The text is merged and sent again: nobody has to look at the operation that was refused. */
async function forgettingRefusal<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
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

/** It is durable and waits its turn. */
class StillWaiting extends Error {}

/** Nobody knows whether it was done. */
export function isUnsure(error: unknown): boolean {
  const status = statusOf(error);
  return error instanceof StillWaiting || status === 0 || status === 408 || (status !== undefined && status >= 500);
}

export function isTemporary(error: unknown): boolean {
  return isUnsure(error) || statusOf(error) === 429;
}

/**
 * Of what was read, not of what the server believes to be there: a file that was just changed by another program may be
 * read before the server has looked at it. Browsers have the function only where the connection can be trusted.
 */
async function hashOf(bytes: ArrayBuffer): Promise<string | undefined> {
  const { subtle } = globalThis.crypto as { readonly subtle?: SubtleCrypto };
  if (subtle === undefined) return undefined;
  const digest = new Uint8Array(await subtle.digest('SHA-256', bytes));
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
