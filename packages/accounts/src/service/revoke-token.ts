import { isUlid } from '@holdfast/keyspace';

import { accountErrors } from '../errors.ts';
import { tokens } from '../store/tokens.ts';
import { type Actor, type Dependencies, SYSTEM } from './dependencies.ts';
import { recordAudit } from './audit.ts';

export interface RevokeTokenInput {
  /** Whose token it must be. */
  readonly userId: string;
  readonly tokenId: string;
  readonly actor?: Actor;
}

/** Removes it; the audit log remembers that it was there. */
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
