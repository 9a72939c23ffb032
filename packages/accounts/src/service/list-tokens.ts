import { tokens } from '../store/tokens.ts';
import type { Dependencies } from './dependencies.ts';
import { type TokenView, tokenView } from './views.ts';

/** Oldest first; expired ones stay in the list for a while. */
export async function listTokens({ keyspace }: Dependencies, userId: string): Promise<readonly TokenView[]> {
  const all = await keyspace.list(tokens.by.user, { user_id: userId });
  return all.map(tokenView);
}
