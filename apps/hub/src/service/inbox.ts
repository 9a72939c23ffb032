import type { AttentionItem, Caller } from '@holdfast/operation';

import type { Everything } from '../operations/overview.ts';
import { askAll } from './overviews.ts';

interface InboxItem extends AttentionItem {
  readonly key: string;
  readonly snoozed_until: string | null;
}

interface Inbox {
  readonly data: readonly InboxItem[];
  readonly snoozed: number;
  readonly unavailable: readonly string[];
}

function isSnoozed({ snoozed_until: until }: InboxItem): boolean {
  return until !== null;
}

/**
 * Lists the items that wait for a person, from all applications that the caller may read. Each item has the actions
 * that the caller may take.
 */
export async function showInbox(
  everything: Everything,
  { snoozed }: { readonly snoozed: boolean },
  caller: Caller,
): Promise<Inbox> {
  const { userId } = caller;
  const { items, unavailable } = await askAll(everything, caller, (overview) => overview.inbox(caller));
  const untilOf = userId === undefined ? undefined : await everything.accounts?.listSnoozes(userId);
  const all = items.map((item): InboxItem => {
    const key = `${item.app}/${item.kind}/${item.id}`;
    const mayAct = caller.permissions?.includes(`app:${item.app}:write`) ?? true;
    return { ...item, actions: mayAct ? item.actions : [], key, snoozed_until: untilOf?.(key) ?? null };
  });
  const data = all
    .filter((item) => isSnoozed(item) === snoozed)
    .sort((left, right) => (left.since ?? '').localeCompare(right.since ?? ''));
  return { data, snoozed: all.filter(isSnoozed).length, unavailable };
}

export async function snoozeItem(
  { accounts }: Everything,
  { key, until }: { readonly key: string; readonly until: string | null },
  { userId }: Caller,
): Promise<{ readonly key: string; readonly snoozed_until: string | null }> {
  if (accounts === undefined || userId === undefined) throw new Error('Only signed-in users can snooze items');
  await accounts.snooze({ userId, key, until: until === null ? undefined : Date.parse(until) });
  return { key, snoozed_until: until };
}
