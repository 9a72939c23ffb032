import { covers } from '../model/permission.ts';
import type { SessionView, TokenView, UserView } from './views.ts';

/** An authenticated user with the permissions of the session or token. */
export interface Principal {
  readonly user: UserView;
  readonly via:
    { readonly kind: 'session'; readonly session: SessionView } | { readonly kind: 'token'; readonly token: TokenView };
  /** Granted by the roles of the user. */
  readonly permissions: readonly string[];
  /** Scopes of the token; undefined for a session. */
  readonly scopes: readonly string[] | undefined;
}

/** Both the user and the token have to allow it. */
export function can(principal: Principal, permission: string): boolean {
  const { permissions, scopes } = principal;
  return covers(permissions, permission) && (scopes === undefined || covers(scopes, permission));
}
