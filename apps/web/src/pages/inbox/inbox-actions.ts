import { createClient } from '@holdfast/http/client';

import { overviewApi } from '../../api/clients.ts';
import { queryClient } from '../../api/query-client.ts';
import type { InboxItem } from '../../api/types.ts';
import { useAction } from '../../api/use-action.ts';
import { say } from '../../lib/toasts.ts';

type Action = InboxItem['actions'][number];
type Request = Pick<Action, 'method' | 'path' | 'body'>;

/** Sends requests that the server describes at run time, so their routes have no types here. */
const anyApi = createClient<readonly []>('') as unknown as Readonly<
  Record<Action['method'], (path: string, input: { readonly body?: unknown }) => Promise<unknown>>
>;

async function send({ method, path, body }: Request): Promise<void> {
  await anyApi[method](path, body === null ? {} : { body });
  await queryClient.invalidateQueries();
}

interface Taken {
  readonly item: InboxItem;
  readonly action: Action;
}

interface InboxActions {
  readonly take: (taken: Taken) => void;
  readonly snooze: (item: InboxItem, until: Date | null) => void;
  readonly isBusy: boolean;
}

/** Settles or snoozes items. Offers an undo after each change that can be undone. */
export function useInboxActions(): InboxActions {
  const undo = useAction<Request>({ failed: 'Could not undo', done: () => 'Undone', run: send });
  const take = useAction<Taken>({
    failed: 'The action failed',
    async run({ item, action }) {
      await send(action);
      const { undo: request } = action;
      const back = request === null ? undefined : { label: 'Undo', run: () => undo.mutate(request) };
      say(`${action.label}: ${item.title}`, back);
    },
  });
  const snooze = useAction<{ readonly key: string; readonly title: string; readonly until: string | null }>({
    failed: 'Could not snooze the item',
    touches: ['inbox'],
    async run({ key, title, until }) {
      await overviewApi.POST('/inbox/snooze', { body: { key, until } });
      if (until === null) return;
      say(`Snoozed: ${title}`, { label: 'Undo', run: () => snooze.mutate({ key, title, until: null }) });
    },
  });
  return {
    take: take.mutate,
    snooze: ({ key, title }, until) => snooze.mutate({ key, title, until: until?.toISOString() ?? null }),
    isBusy: take.isPending || undo.isPending,
  };
}
