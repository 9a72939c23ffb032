/** In its own file, so commands can list names without loading a schema library. */

export const roleNames = ['admin', 'user', 'viewer'] as const;
export type RoleName = (typeof roleNames)[number];

export const userStatuses = ['active', 'disabled'] as const;

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
  'token_created',
  'token_revoked',
] as const;
