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
