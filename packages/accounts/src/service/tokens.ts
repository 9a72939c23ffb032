import { toTimestamp } from '@holdfast/base';
import { isUlid, type Transaction } from '@holdfast/keyspace';

import { accountErrors } from '../errors.ts';
import { limits } from '../model/limits.ts';
import { hashSecret, recognisablePart } from '../model/secret.ts';
import type { User } from '../model/user.ts';
import { parseScopes, parseTokenName, type Token } from '../model/token.ts';
import { recordAudit } from './audit.ts';
import { type Actor, type Dependencies, newSecret, SYSTEM } from './dependencies.ts';
import { requireUser } from './find-user.ts';
import { type TokenView, tokenView } from './views.ts';
import { tokens } from '../store/schema.ts';

export interface CreateTokenInput {
  readonly userId: string;
  readonly name: string;
  /** Grants such as `read` or `app:np:write`; a token can never do more than its user. */
  readonly scopes: readonly string[];
  /** Milliseconds since 1970. Without it, the token works until it is revoked. */
  readonly expiresAt?: number | undefined;
  readonly actor?: Actor;
}

export interface CreatedToken {
  readonly token: TokenView;
  readonly secret: string;
}

export async function createToken(dependencies: Dependencies, input: CreateTokenInput): Promise<CreatedToken> {
  const { insert } = prepareToken(dependencies, input);
  return dependencies.keyspace.transact(async (transaction) =>
    insert(transaction, await requireUser(transaction, input.userId), input.actor ?? SYSTEM),
  );
}

/** Checks the input and creates the secret before the transaction, which may run more than once. */
export function prepareToken(
  dependencies: Dependencies,
  input: Pick<CreateTokenInput, 'name' | 'scopes' | 'expiresAt'>,
): { readonly insert: (transaction: Transaction, user: User, actor: Actor) => Promise<CreatedToken> } {
  const { newId, clock } = dependencies;
  const name = parseTokenName(input.name);
  const scopes = parseScopes(input.scopes);
  const expiresAt = parseExpiry(input.expiresAt, clock());
  const secret = newSecret(dependencies, 'token');
  const id = newId();
  const insert = async (transaction: Transaction, user: User, actor: Actor): Promise<CreatedToken> => {
    const others = await transaction.keys(tokens.by.user, { user_id: user.id });
    if (others.length >= limits.tokensPerUser) {
      throw accountErrors.TOKEN_LIMIT(`${user.username} already has ${others.length} tokens, the maximum`);
    }
    const made: Token = {
      id,
      user_id: user.id,
      name,
      scopes,
      token_hash: hashSecret(secret),
      starts_with: recognisablePart(secret),
      created_at: toTimestamp(clock()),
      expires_at: expiresAt,
      last_used_at: null,
      version: 1,
    };
    await transaction.insert(tokens, { id }, made);
    recordAudit(transaction, dependencies, { type: 'token_created', actor, user_id: user.id, token_id: id, scopes });
    return { token: tokenView(made), secret };
  };
  return { insert };
}

const used = ({ last_used_at, created_at }: Token): string => last_used_at ?? created_at;

/** Removes the least recently used tokens with this name until `keep` are left. */
export async function revokeUnused(
  transaction: Transaction,
  { onUnreadable }: Dependencies,
  userId: string,
  name: string,
  keep: number,
): Promise<void> {
  const all = await transaction.leavingOut(onUnreadable).list(tokens.by.user, { user_id: userId });
  const same = all.filter((token) => token.name === name).sort((left, right) => (used(left) < used(right) ? 1 : -1));
  for (const { id } of same.slice(Math.max(0, keep))) await transaction.delete(tokens, { id });
}

/** Latest possible expiry: the last day with a four-digit year. */
const LATEST = Date.UTC(9999, 11, 31);

function parseExpiry(expiresAt: number | undefined, now: number): string | null {
  if (expiresAt === undefined) return null;
  if (expiresAt > now && expiresAt <= LATEST) return toTimestamp(expiresAt);
  throw accountErrors.TOKEN_REQUEST_INVALID('The expiry must be in the future');
}

export async function listTokens({ reader }: Dependencies, userId: string): Promise<readonly TokenView[]> {
  const all = await reader.list(tokens.by.user, { user_id: userId });
  return all.map(tokenView);
}

export interface RevokeTokenInput {
  readonly userId: string;
  readonly tokenId: string;
  readonly actor?: Actor;
}

/** Removes the token; the audit log keeps the event. */
export async function revokeToken(dependencies: Dependencies, input: RevokeTokenInput): Promise<void> {
  const { tokenId: id, userId } = input;
  await dependencies.keyspace.transact(async (transaction) => {
    const token = isUlid(id) ? await transaction.get(tokens, { id }) : undefined;
    if (token === undefined || token.user_id !== userId) throw accountErrors.TOKEN_NOT_FOUND('There is no such token');
    await transaction.delete(tokens, { id });
    const actor = input.actor ?? SYSTEM;
    recordAudit(transaction, dependencies, { type: 'token_revoked', actor, user_id: userId, token_id: id });
  });
}
