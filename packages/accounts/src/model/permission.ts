import { z } from 'zod';

/**
 * Permissions and grants.
 *
 * A *permission* is what a route requires: an area and a level, as in `app:np:write`, `users:admin`, `account:read`.
 * Levels are ordered and include the lower ones: read < write < admin.
 *
 * A *grant* is what a role or the scope of a token allows:
 *
 * | grant | covers |
 * |---|---|
 * | `read`, `write`, `admin` | every area, up to that level |
 * | `app:np:read` | that area, up to that level |
 * | `app:np`, `users` | that area, every level |
 * | `app:*:write`, `app:*` | every application, and nothing else |
 *
 * A user may do whatever a grant in one of their roles covers. A token may do something only if its user may do it
 * *and* one of its scopes covers it. So removing a role limits existing tokens at once.
 *
 * Changing passwords, sessions and tokens requires `account:admin`. Every role has it, but the scopes `read` and
 * `write` do not cover it, so a leaked token cannot create a stronger one.
 */

const levels = ['read', 'write', 'admin'] as const;
type Level = (typeof levels)[number];

interface Parsed {
  /** Undefined means every area. */
  readonly area: string | undefined;
  readonly level: Level;
}

/** An application must not have the name of a level, because `app:read` would be ambiguous. */
const APP = 'app:(?!(?:read|write|admin)(?::|$))[a-z][a-z0-9-]{0,31}';
/** Areas that are not applications: the caller's account, other users, and the server with its databases. */
const OTHER = 'account|users|system';
const permissionPattern = new RegExp(`^(${APP}|${OTHER}):(read|write|admin)$`);
const grantPattern = new RegExp(`^(app:\\*|${APP}|${OTHER})(?::(read|write|admin))?$`);

export function isPermission(text: string): boolean {
  return parsePermission(text) !== undefined;
}

export function isGrant(text: string): boolean {
  return parseGrant(text) !== undefined;
}

export const grantSchema: z.ZodString = z.string().refine(isGrant, 'not a grant such as read or app:np:write');

/** Returns true if any of these grants covers the permission. Unknown grants cover nothing. */
export function covers(grants: readonly string[], permission: string): boolean {
  const wanted = parsePermission(permission);
  if (wanted === undefined) throw new TypeError(`"${permission}" is not a permission such as app:np:write`);
  return grants.some((text) => {
    const grant = parseGrant(text);
    return grant !== undefined && coversArea(grant.area, wanted.area) && rank(grant.level) >= rank(wanted.level);
  });
}

function coversArea(granted: string | undefined, wanted: string | undefined): boolean {
  if (granted === undefined) return true;
  return granted === 'app:*' ? wanted?.startsWith('app:') === true : granted === wanted;
}

function rank(level: Level): number {
  return levels.indexOf(level);
}

function parsePermission(text: string): Parsed | undefined {
  const match = permissionPattern.exec(text);
  return match === null ? undefined : { area: match[1], level: match[2] as Level };
}

function parseGrant(text: string): Parsed | undefined {
  if (isLevel(text)) return { area: undefined, level: text };
  const match = grantPattern.exec(text);
  return match === null ? undefined : { area: match[1], level: (match[2] as Level | undefined) ?? 'admin' };
}

function isLevel(text: string): text is Level {
  return (levels as readonly string[]).includes(text);
}
