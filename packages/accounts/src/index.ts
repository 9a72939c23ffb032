/**
 * Users, passwords, sessions, tokens and roles, once for all applications.
 *
 * ```ts
 * const keyspace = await openAccountsKeyspace(await sqliteEngine({ path }));
 * const accounts = await openAccounts({ keyspace });
 * const { token } = await accounts.login({ name, password, source: { ip, userAgent } });
 * const principal = await accounts.authenticate(token);
 * if (can(principal, 'app:np:write')) …
 * ```
 */
export type { Hasher } from './adapters/argon2.ts';
export type { Random } from './adapters/random.ts';
export type { SweeperTimer } from './adapters/sweeper-timer.ts';
export { Accounts, type AccountsOptions, openAccounts } from './accounts.ts';
export { accountErrors } from './errors.ts';
export type { AuditEvent, AuditType } from './model/audit-event.ts';
export type { HashPolicy } from './model/hash-policy.ts';
export type { Settings } from './model/limits.ts';
export { covers, isGrant, isPermission } from './model/permission.ts';
export { type RoleName, roleNames } from './model/names.ts';
export type { Role } from './model/role.ts';
export type { Source } from './model/source.ts';
export { isSecretKey } from './secret-keys.ts';
export type { AuditEntry, AuditFilter } from './service/audit.ts';
export type { ChangePasswordInput } from './service/change-password.ts';
export type { CreateOwnerInput } from './service/create-owner.ts';
export type { CreatedSetupLink, RedeemSetupLinkInput, SetupState } from './service/setup-link.ts';
export type { CreatedToken, CreateTokenInput } from './service/tokens.ts';
export type { CreateUserInput } from './service/create-user.ts';
export type { HashingLimits } from './service/limit-hasher.ts';
export type { LoginInput } from './service/login.ts';
export { can, type Principal } from './service/principal.ts';
export type { Rotated } from './service/sessions.ts';
export type { SignedIn } from './service/start-session.ts';
export type { Swept } from './service/sweep.ts';
export type { SessionView, TokenView, UserView } from './service/views.ts';
export { accountsSchema, type AccountsKeyspaceOptions, openAccountsKeyspace } from './store/schema.ts';
