import type { Session } from '../model/session.ts';
import type { Token } from '../model/token.ts';
import type { User } from '../model/user.ts';

/**
 * Records as other packages see them. The visible fields are listed explicitly, so a new field stays private until it
 * is added here.
 */

export type UserView = Pick<User, 'id' | 'username' | 'email' | 'roles' | 'status' | 'created_at' | 'updated_at'>;

export function userView(user: User): UserView {
  const { id, username, email, roles, status, created_at, updated_at } = user;
  return { id, username, email, roles, status, created_at, updated_at };
}

export type SessionView = Pick<
  Session,
  'id' | 'user_id' | 'created_at' | 'last_seen_at' | 'expires_at' | 'idle_expires_at' | 'ip' | 'user_agent'
>;

export function sessionView(session: Session): SessionView {
  const { id, user_id, created_at, last_seen_at, expires_at, idle_expires_at, ip, user_agent } = session;
  return { id, user_id, created_at, last_seen_at, expires_at, idle_expires_at, ip, user_agent };
}

export type TokenView = Pick<
  Token,
  'id' | 'user_id' | 'name' | 'scopes' | 'starts_with' | 'created_at' | 'expires_at' | 'last_used_at'
>;

export function tokenView(token: Token): TokenView {
  const { id, user_id, name, scopes, starts_with, created_at, expires_at, last_used_at } = token;
  return { id, user_id, name, scopes, starts_with, created_at, expires_at, last_used_at };
}
