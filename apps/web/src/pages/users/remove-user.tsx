import { type ReactNode, useState } from 'react';

import { usersApi } from '../../api/clients.ts';
import type { User } from '../../api/types.ts';
import { useAction } from '../../api/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';

export function RemoveUser({ user, onDone }: { readonly user: User; readonly onDone: () => void }): ReactNode {
  const [isAsking, setAsking] = useState(false);
  const remove = useAction({
    failed: `${user.username} was not removed`,
    done: () => `${user.username} was removed`,
    touches: ['accounts'],
    run: async () => {
      await usersApi.DELETE('/{id}', { params: { id: user.id } });
      onDone();
    },
  });
  return (
    <>
      <Button look="danger" onClick={() => setAsking(true)}>
        Remove …
      </Button>
      <Confirm
        title={`Remove ${user.username}?`}
        action="Remove"
        isOpen={isAsking}
        isBusy={remove.isPending}
        onConfirm={() => remove.mutate()}
        onClose={() => setAsking(false)}
      >
        <p>This also deletes their sessions and tokens. To keep those, disable the user instead.</p>
        <p>It can be undone only by restoring the accounts database to an earlier revision, under System.</p>
      </Confirm>
    </>
  );
}
