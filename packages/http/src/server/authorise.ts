import { httpErrors } from '../errors.ts';
import type { Principal } from '../request/principal.ts';
import type { Permission } from '../routes/contract.ts';
import { andThen, type MaybePromise } from './maybe-promise.ts';
import type { RequestContext } from './request-context.ts';

/** Requires all these permissions. Returns undefined without authenticating if all are public. */
export function authorise(context: RequestContext, needed: readonly Permission[]): MaybePromise<Principal | undefined> {
  if (isPublic(needed)) return undefined;
  return andThen(context.authenticate(), (principal) => allowed(principal, needed));
}

function allowed(principal: Principal | undefined, needed: readonly Permission[]): Principal {
  if (principal === undefined) throw httpErrors.UNAUTHENTICATED('Sign in, or send a valid token');
  const missing = missingPermission(principal, needed);
  if (missing !== undefined) {
    throw httpErrors.FORBIDDEN(`This needs the permission ${missing}`, { details: { permission: missing } });
  }
  return principal;
}

export async function isStillAllowed(context: RequestContext, needed: readonly Permission[]): Promise<boolean> {
  if (isPublic(needed)) return true;
  const principal = await context.authenticateAgain();
  return principal !== undefined && missingPermission(principal, needed) === undefined;
}

export function isPublic(needed: readonly Permission[]): boolean {
  return needed.every((permission) => permission === 'public');
}

function missingPermission(principal: Principal, needed: readonly Permission[]): Permission | undefined {
  return needed.find((permission) => permission !== 'public' && !principal.permissions.has(permission));
}
