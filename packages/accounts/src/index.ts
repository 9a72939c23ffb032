/**
 * Users, passwords, sessions, tokens and roles, shared by all applications.
 *
 * ```ts
 * const keyspace = await openAccountsKeyspace(await sqliteEngine({ path }));
 * const accounts = await openAccounts({ keyspace });
 * const { token } = await accounts.login({ name, password, source: { ip, userAgent } });
 * const principal = await accounts.authenticate(token);
 * if (can(principal, 'app:np:write')) …
 * ```
 */
export { type Accounts, openAccounts } from './accounts.ts';
export { accountErrors } from './errors.ts';
export { covers } from './model/permission.ts';
export { type RoleName, roleNames } from './model/names.ts';
export { isNameOf } from './model/user.ts';
export { isSecretKey, visiblePart } from './secret-keys.ts';
export { can, type Principal } from './service/authenticate.ts';
export type { SignedIn } from './service/sessions.ts';
export type { TokenView, UserView } from './service/views.ts';
export { accountsSchema, openAccountsKeyspace } from './store/schema.ts';
