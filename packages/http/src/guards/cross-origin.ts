import { httpErrors } from '../errors.ts';

export interface CrossOriginQuestion {
  readonly headers: Pick<Headers, 'get'>;
  /** The origin the request came to. */
  readonly own: string;
  /** True for methods that change something, and for streams, which a foreign page could keep open and read. */
  readonly isGuarded: boolean;
  readonly isUnsafe: boolean;
}

/**
 * Refuses what a page of another origin sends. Browsers say who asks in `Origin` (on every request that scripts can
 * read, and on all that change something) and in `Sec-Fetch-Site`; a page cannot forge either. Programs send neither,
 * and do not carry somebody's cookies by accident: cookies without either header are refused, too, when they would
 * change something.
 */
export function refuseCrossOrigin({ headers, own, isGuarded, isUnsafe }: CrossOriginQuestion): void {
  const origin = headers.get('origin');
  if (origin !== null && origin !== own) throw refusal('a page of another origin');
  if (!isGuarded) return;
  const site = headers.get('sec-fetch-site');
  if (site !== null && site !== 'same-origin' && site !== 'none') throw refusal('a page of another site');
  const isUnexplained = origin === null && site === null && headers.get('cookie') !== null;
  if (isUnsafe && isUnexplained) throw refusal('something that has cookies but does not say where it comes from');
}

function refusal(who: string): Error {
  return httpErrors.CROSS_ORIGIN_REFUSED(`The request was sent by ${who}`);
}
