import { httpErrors } from '../errors.ts';

/**
 * The server's own origins, by Host header. A Host that is not listed is a foreign domain that resolves to this server
 * (DNS rebinding). An Origin that does not match the Host is another site, or another server on this machine: to a
 * browser, `localhost:3000` and `localhost:4870` are one site but two origins.
 */
export class Origins {
  readonly #originByHost = new Map<string, string>();

  constructor(origins: readonly string[] = []) {
    for (const origin of origins) this.add(origin);
  }

  add(origin: string): void {
    const parsed = URL.canParse(origin) ? new URL(origin) : undefined;
    if (parsed === undefined || !isWeb(parsed) || parsed.origin !== origin.toLowerCase() || origin.includes('*')) {
      throw httpErrors.ORIGIN_INVALID(`"${origin}" is not an origin`);
    }
    this.#originByHost.set(parsed.host, parsed.origin);
  }

  get all(): readonly string[] {
    return [...this.#originByHost.values()];
  }

  /** Returns the origin for a Host header. */
  ofHost(host: string | null | undefined): string {
    // Most clients send the Host in lower case, so the second lookup is rare.
    const origin = this.#originByHost.get(host ?? '') ?? this.#originByHost.get((host ?? '').toLowerCase());
    if (origin === undefined) throw httpErrors.HOST_NOT_ALLOWED('This server does not serve the requested host');
    return origin;
  }
}

function isWeb({ protocol }: URL): boolean {
  return protocol === 'http:' || protocol === 'https:';
}

interface CrossOriginQuestion {
  readonly headers: Pick<Headers, 'get'>;
  /** Origin that the request was sent to. */
  readonly own: string;
  /** True for methods that change something. Also true for streams, which a foreign page could keep open. */
  readonly isGuarded: boolean;
  readonly isUnsafe: boolean;
  /** Foreign origins whose reads are accepted. */
  readonly readers?: readonly string[] | undefined;
}

/**
 * Exceptions to the guards for clients that cannot be changed. They apply only to reads (GET and HEAD) below one
 * mounted app.
 */
export interface RelaxedGuards {
  /** Origins of web views that show our pictures in their own pages. */
  readonly readers: readonly string[];
  /** Query parameters in which these clients send credentials. */
  readonly credentialsInUrl: readonly string[];
}

/**
 * Refuses requests from pages on other origins. Browsers send `Origin` (with every unsafe method and every cross-origin
 * request that scripts can read) and `Sec-Fetch-Site`; pages cannot forge either. Other programs send neither header
 * and no cookies. So a change that has cookies but neither header is refused too.
 */
export function refuseCrossOrigin({ headers, own, isGuarded, isUnsafe, readers }: CrossOriginQuestion): void {
  const origin = headers.get('origin');
  if (!isGuarded && origin !== null && readers?.includes(origin) === true) return;
  if (origin !== null && origin !== own) throw refusal('a page on another origin');
  if (!isGuarded) return;
  const site = headers.get('sec-fetch-site');
  if (site !== null && site !== 'same-origin' && site !== 'none') throw refusal('a page on another site');
  const isUnexplained = origin === null && site === null && headers.get('cookie') !== null;
  if (isUnsafe && isUnexplained) throw refusal('a client that has cookies but does not state its origin');
}

function refusal(who: string): Error {
  return httpErrors.CROSS_ORIGIN_REFUSED(`The request was sent by ${who}`);
}
