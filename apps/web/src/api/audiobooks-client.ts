import { type CallOptions, createClient } from '@holdfast/http/client';
import type { AudiobookRoutes } from '@holdfast/hub';

/** Apart from the other clients, so that they come with their own pages. Typed by the routes themselves. */
export const booksApi = createClient<AudiobookRoutes>('/api/audiobooks');

interface LooseInput extends CallOptions {
  readonly params?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly body?: unknown;
}

type Call = (path: string, input?: LooseInput) => Promise<{ readonly data: never; readonly etag: string | null }>;

/** The same for the player and what belongs to it, which describe for themselves what they read. */
export const audiobooksApi = booksApi as unknown as Readonly<
  Record<'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', Call> & { url: (path: string, input?: LooseInput) => string }
>;
