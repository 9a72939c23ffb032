import { httpErrors } from '../errors.ts';

/**
 * The origins under which this server is reached, by Host header.
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
    if (origin === undefined)
      throw httpErrors.HOST_NOT_ALLOWED('This server does not answer for the host you asked for');
    return origin;
  }
}

function isWeb({ protocol }: URL): boolean {
  return protocol === 'http:' || protocol === 'https:';
}
