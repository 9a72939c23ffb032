import { toTimestamp } from '@holdfast/base';
import { accountErrors } from '../errors.ts';
import { hashSecret } from '../model/secret.ts';
import { setupLinks } from '../store/meta.ts';
import { type Dependencies, newSecret, SYSTEM } from './dependencies.ts';
import { recordAudit } from './audit.ts';
import { readSetup } from './setup-state.ts';

export interface CreatedSetupLink {
  /** To be put into the fragment of a URL, which browsers do not send and servers do not log. */
  readonly secret: string;
  readonly expires_at: string;
}

/** Replaces an earlier link: there is never more than one. OWNER_EXISTS when nobody needs it any more. */
export async function createSetupLink(dependencies: Dependencies): Promise<CreatedSetupLink> {
  const { keyspace, clock, settings } = dependencies;
  const secret = newSecret(dependencies, 'setup');
  const now = clock();
  const expires_at = toTimestamp(now + settings.setupLinkMs);
  await keyspace.transact(async (transaction) => {
    const { state, owner } = await readSetup(transaction);
    if (state === 'done') throw accountErrors.OWNER_EXISTS('There is an owner already');
    const link = { token_hash: hashSecret(secret), created_at: toTimestamp(now), expires_at, version: 1 as const };
    await transaction.put(setupLinks, {}, link);
    recordAudit(transaction, dependencies, {
      type: 'setup_link_created',
      actor: SYSTEM,
      user_id: owner?.id ?? null,
    });
  });
  return { secret, expires_at };
}
