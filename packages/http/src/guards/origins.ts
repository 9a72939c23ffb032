import { httpErrors } from '../errors.ts';

/**
 * The origins under which this server is reached, by the Host header that comes with each.
 *
 * One table answers both questions. A Host that is not in it belongs to somebody else's name that was made to point
 * here (DNS rebinding). An Origin other than the one of that Host is a page of another site, or of another server on
 * this machine: `localhost:3000` and `localhost:4870` are the same site to a browser, but not the same origin.
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

  /** The origin that a request with this Host came to. */
  ofHost(host: string | null | undefined): string {
    // Nearly every client writes it as we do; only the others pay for the second look.
    const origin = this.#originByHost.get(host ?? '') ?? this.#originByHost.get((host ?? '').toLowerCase());
    if (origin === undefined)
      throw httpErrors.HOST_NOT_ALLOWED('This server does not answer for the host you asked for');
    return origin;
  }
}

function isWeb({ protocol }: URL): boolean {
  return protocol === 'http:' || protocol === 'https:';
}
