import {
  type BoundRequest,
  optionalMatch,
  type Precondition,
  type Principal,
  requireMatch,
  revisionOfTag,
  revisionTag,
} from '@holdfast/http';

import type { Audiobooks } from '../service/audiobooks.ts';
import { type Listener, listenerOf } from '../service/listener.ts';

/** Returns the user who sent the request, for routes that are not derived from operations. */
export function requestListener(
  audiobooks: Audiobooks,
  { principal }: { readonly principal: Principal },
): Promise<Listener> {
  const { name, userId, permissions } = principal;
  return listenerOf(audiobooks, { name, via: 'http', face: 'http', userId, permissions: [...permissions] });
}

/** Maps If-Match to the input field `if_revision`. */
export function revisionFromHeader({ request }: Pick<BoundRequest, 'request'>) {
  return { if_revision: revisionIn(optionalMatch(request)) };
}

export function requiredRevision({ request }: Pick<BoundRequest, 'request'>) {
  return { if_revision: revisionIn(requireMatch(request)) };
}

/** A revision that no record has; used if the If-Match header is not a valid revision. */
const NO_REVISION = -1;

function revisionIn(match: Precondition | undefined): number | undefined {
  if (match === undefined || match.tags === '*') return undefined;
  return revisionOfTag(match.tags[0] ?? '') ?? NO_REVISION;
}

export function revisionEtag({ revision }: { readonly revision: number }) {
  return { etag: revisionTag(revision) };
}
