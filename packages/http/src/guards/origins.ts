import { httpErrors } from '../errors.ts';

/**
 * The origins at which this server is reached, by Host header.
 *
 * A Host that is not listed is somebody else's name pointing here (DNS rebinding). An Origin other than that of the
 * Host is another site, or another server on this machine: `localhost:3000` and `localhost:4870` are the same site to a
 * browser, but not the same origin.
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
    // Most clients send it in this form; only the others pay for the second lookup.
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
  /** True for methods that change something, and for streams, which a foreign page could keep open. */
  readonly isGuarded: boolean;
  readonly isUnsafe: boolean;
}

/**
 * Refuses requests from pages of another origin. Browsers send `Origin` (on every change and every request that scripts
 * can read) and `Sec-Fetch-Site`, and pages cannot forge them. Programs send neither, and carry no cookies by accident:
 * a changing request with cookies but neither header is refused too.
 */
export function refuseCrossOrigin({ headers, own, isGuarded, isUnsafe }: CrossOriginQuestion): void {
  const origin = headers.get('origin');
  if (origin !== null && origin !== own) throw refusal('a page of another origin');
  if (!isGuarded) return;
  const site = headers.get('sec-fetch-site');
  if (site !== null && site !== 'same-origin' && site !== 'none') throw refusal('a page of another site');
  const isUnexplained = origin === null && site === null && headers.get('cookie') !== null;
  if (isUnsafe && isUnexplained) throw refusal('a client that has cookies but does not state its origin');
}

function refusal(who: string): Error {
  return httpErrors.CROSS_ORIGIN_REFUSED(`The request was sent by ${who}`);
}
