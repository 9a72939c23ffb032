import { httpErrors } from '../errors.ts';

export interface CrossOriginQuestion {
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
  if (isUnsafe && isUnexplained) throw refusal('something that has cookies but does not say where it comes from');
}

function refusal(who: string): Error {
  return httpErrors.CROSS_ORIGIN_REFUSED(`The request was sent by ${who}`);
}
