import { accountErrors } from '../errors.ts';
import { covers } from '../model/permission.ts';
import type { SessionView, TokenView, UserView } from './views.ts';

/** Somebody who has proved who they are, and what they may do with what they proved it by. */
export interface Principal {
  readonly user: UserView;
  readonly via:
    { readonly kind: 'session'; readonly session: SessionView } | { readonly kind: 'token'; readonly token: TokenView };
  /** What the roles of the user grant. */
  readonly permissions: readonly string[];
  /** What the token was made for; a session is for everything. */
  readonly scopes: readonly string[] | undefined;
}

/** Both the user and the token have to allow it. */
export function can(principal: Principal, permission: string): boolean {
  const { permissions, scopes } = principal;
  return covers(permissions, permission) && (scopes === undefined || covers(scopes, permission));
}

export function requirePermission(principal: Principal, permission: string): void {
  if (can(principal, permission)) return;
  const isScope = covers(principal.permissions, permission);
  const who = isScope ? 'This token was not made for it' : `${principal.user.username} may not do this`;
  throw accountErrors.PERMISSION_DENIED(`${who}: it needs ${permission}`, { details: { permission } });
}
