import { join } from 'node:path';
import { delay, isHoldfastError, MEBIBYTE, SECOND, SerialQueue } from '@holdfast/base';
import { AnswerCache } from '../../adapters/answer-cache.ts';
import { fetchPublic, type Network, publicNetwork } from '../../adapters/fetch-public.ts';
import { readProviderCommand, runProviderCommand } from '../../adapters/provider-command.ts';
import type { ProviderName } from '../../model/choices.ts';
import { audiobookErrors } from '../../model/errors.ts';
import {
  type FoundBook,
  type FoundChapters,
  type MetadataQuery,
  OPEN_LIBRARY_FIELDS,
  readAudnexusBook,
  readAudnexusChapters,
  readCommandBooks,
  readCommandChapters,
  readOpenLibrary,
} from '../../model/metadata.ts';

const ANSWER_BYTES_MAX: number = 2 * MEBIBYTE;
const COVER_BYTES_MAX: number = 8 * MEBIBYTE;
const TIMEOUT_MS: number = 15 * SECOND;
/** Open Library allows one request per second to programs without a contact address; Audnexus allows 100 a minute. */
const GAP_MS: number = SECOND;
const WAITING_MAX = 20;

/** A service that describes books. */
export interface Provider {
  readonly name: ProviderName;
  readonly label: string;
  /** Hosts that the provider may contact, including hosts for covers. */
  readonly hosts: readonly string[];
  /** Fields of a book that the provider receives. */
  readonly receives: string;
  readonly search: (query: MetadataQuery) => Promise<readonly FoundBook[]>;
  readonly chapters?: (query: MetadataQuery) => Promise<FoundChapters | undefined>;
}

/**
 * Sends queries to providers: at most one request per second to each provider, with a time limit, and each query only
 * once a day.
 */
export class Providers {
  readonly #home: string;
  readonly #network: Network;
  readonly #cache: AnswerCache;
  readonly #paces = new Map<ProviderName, Pace>();
  readonly #closing: AbortSignal;

  constructor(options: {
    readonly home: string;
    readonly now: () => number;
    readonly closing: AbortSignal;
    readonly network?: Network | undefined;
  }) {
    this.#home = options.home;
    this.#closing = options.closing;
    this.#network = options.network ?? publicNetwork;
    this.#cache = new AnswerCache(join(options.home, 'cache', 'audiobooks', 'metadata'), options.now);
  }

  /** Returns the providers on this server. Includes `command` only if the administrator chose a program. */
  all(): readonly Provider[] {
    const command = this.#command();
    return [this.#openLibrary(), this.#audnexus(), ...(command === undefined ? [] : [command])];
  }

  /** Reads a cover that a provider named. */
  async cover({ name, hosts }: Provider, url: string): Promise<Uint8Array | undefined> {
    return this.#fetch(name, hosts, url, COVER_BYTES_MAX);
  }

  #openLibrary(): Provider {
    const name = 'open-library';
    const hosts = ['openlibrary.org', 'covers.openlibrary.org', 'archive.org', '*.us.archive.org'];
    return {
      name,
      label: 'Open Library',
      hosts,
      receives: 'title and author, or the ISBN',
      search: async ({ title, authors: [author], isbn }) => {
        const wanted = isbn === null ? { title, ...(author === undefined ? {} : { author }) } : { q: `isbn:${isbn}` };
        const params = new URLSearchParams({ ...wanted, fields: OPEN_LIBRARY_FIELDS, limit: '10' });
        const answer = await this.#json(name, hosts, `https://openlibrary.org/search.json?${params.toString()}`);
        return answer === undefined ? [] : readAs(name, () => readOpenLibrary(answer));
      },
    };
  }

  #audnexus(): Provider {
    const name = 'audnexus';
    const hosts = ['api.audnex.us', 'm.media-amazon.com'];
    const ask = ({ asin, region }: MetadataQuery, rest: string): Promise<unknown> =>
      asin === null
        ? Promise.resolve(undefined)
        : this.#json(name, hosts, `https://api.audnex.us/books/${encodeURIComponent(asin)}${rest}?region=${region}`);
    return {
      name,
      label: 'Audnexus',
      hosts,
      receives: 'the ASIN; books without an ASIN cannot be found',
      search: async (query) => {
        const answer = await ask(query, '');
        return answer === undefined ? [] : readAs(name, () => [readAudnexusBook(answer)]);
      },
      chapters: async (query) => {
        const answer = await ask(query, '/chapters');
        return answer === undefined ? undefined : readAs(name, () => readAudnexusChapters(answer, query.durationMs));
      },
    };
  }

  #command(): Provider | undefined {
    const chosen = readProviderCommand(this.#home);
    if (chosen === undefined) return undefined;
    const name = 'command';
    const run = (action: string, query: MetadataQuery): Promise<unknown> => {
      const { durationMs, ...rest } = query;
      const input = JSON.stringify({ action, ...rest, duration_ms: durationMs });
      return this.#answer(name, JSON.stringify([chosen.command, input]), async (signal) =>
        runProviderCommand({ command: chosen.command, input, limitBytes: ANSWER_BYTES_MAX, signal }),
      ).then((bytes) => parsed(name, bytes));
    };
    return {
      name,
      label: 'Own command',
      hosts: chosen.hosts,
      receives: 'title, authors, ISBN, ASIN and duration',
      search: async (query) => {
        const answer = await run('search', query);
        return readAs(name, () => readCommandBooks(answer));
      },
      chapters: async (query) => {
        const answer = await run('chapters', query);
        return readAs(name, () => readCommandChapters(answer));
      },
    };
  }

  async #json(name: ProviderName, hosts: readonly string[], url: string): Promise<unknown> {
    return parsed(name, await this.#fetch(name, hosts, url, ANSWER_BYTES_MAX));
  }

  #fetch(
    name: ProviderName,
    hosts: readonly string[],
    url: string,
    limitBytes: number,
  ): Promise<Uint8Array | undefined> {
    return this.#answer(name, url, (signal) => fetchPublic({ url, hosts, limitBytes, signal }, this.#network));
  }

  async #answer(
    name: ProviderName,
    key: string,
    read: (signal: AbortSignal) => Promise<Uint8Array | undefined>,
  ): Promise<Uint8Array | undefined> {
    const known = await this.#cache.get(key);
    if (known !== undefined) return known;
    const pace = this.#paces.get(name) ?? new Pace(name === 'command' ? 0 : GAP_MS);
    this.#paces.set(name, pace);
    const answer = await pace.run(() => read(AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), this.#closing])));
    if (answer !== undefined) await this.#cache.put(key, answer);
    return answer;
  }
}

/**
 * Runs requests one after the other, with a gap between them. If the provider asks for a longer wait, waits that long.
 */
class Pace {
  readonly #queue = new SerialQueue();
  readonly #gapMs: number;
  #notBefore = 0;

  constructor(gapMs: number) {
    this.#gapMs = gapMs;
  }

  run<T>(request: () => Promise<T>): Promise<T> {
    if (this.#queue.waiting >= WAITING_MAX || this.#notBefore - performance.now() > TIMEOUT_MS) {
      throw audiobookErrors.PROVIDER_UNAVAILABLE('Too many requests to this provider.');
    }
    return this.#queue.run(async () => {
      await delay(Math.max(0, this.#notBefore - performance.now()));
      try {
        return await request();
      } catch (error) {
        const seconds = isHoldfastError(error) ? Number(error.details?.['retry_after_seconds'] ?? 0) : 0;
        this.#notBefore = performance.now() + seconds * SECOND;
        throw error;
      } finally {
        this.#notBefore = Math.max(this.#notBefore, performance.now() + this.#gapMs);
      }
    });
  }
}

function parsed(name: ProviderName, bytes: Uint8Array | undefined): unknown {
  return bytes === undefined ? undefined : readAs(name, () => JSON.parse(new TextDecoder().decode(bytes)) as unknown);
}

function readAs<T>(name: ProviderName, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw audiobookErrors.PROVIDER_INVALID(`Holdfast cannot read the response from ${name}.`, { cause: error });
  }
}
