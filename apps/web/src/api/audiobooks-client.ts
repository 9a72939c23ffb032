import { type CallOptions, createClient } from '@holdfast/http/client';

interface LooseInput extends CallOptions {
  readonly params?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly body?: unknown;
}

type Call = (path: string, input?: LooseInput) => Promise<{ readonly data: never; readonly etag: string | null }>;

interface LooseClient {
  readonly GET: Call;
  readonly POST: Call;
  readonly PUT: Call;
  readonly PATCH: Call;
  readonly DELETE: Call;
  readonly url: (path: string, input?: LooseInput) => string;
}

/** Apart from the other clients, so that it comes with its own pages. What it gives is described in `audiobooks-types.ts`. */
export const audiobooksApi = createClient<readonly []>('/api/audiobooks') as unknown as LooseClient;
