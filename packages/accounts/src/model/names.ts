/** These names are in their own file, so that commands can list them without loading a schema library. */

export const roleNames = ['admin', 'user', 'viewer'] as const;
export type RoleName = (typeof roleNames)[number];

export const userStatuses = ['active', 'disabled'] as const;

/** External services that sign users in: a reverse proxy or an OpenID Connect provider. */
export const externalSignIns = ['proxy', 'oidc'] as const;
export type ExternalSignIn = (typeof externalSignIns)[number];

export const auditTypes = [
  'owner_created',
  'setup_link_created',
  'user_created',
  'user_changed',
  'user_disabled',
  'user_enabled',
  'user_deleted',
  'roles_changed',
  'password_changed',
  'password_rehashed',
  'hash_policy_changed',
  'login_ok',
  'login_failed',
  'logout',
  'session_revoked',
  'sessions_revoked',
  'identity_linked',
  'identity_unlinked',
  'token_created',
  'token_revoked',
] as const;
