import type { ReactNode } from 'react';

import { systemApi } from '../../api/clients.ts';
import type { Commit, DatabaseName } from '../../api/types.ts';
import { useAction } from '../../api/use-action.ts';
import { count, exactTime } from '../../lib/format.ts';
import { Command } from '../../ui/copy-button.tsx';
import { Confirm } from '../../ui/confirm.tsx';

interface RestoreDialogProps {
  readonly name: DatabaseName;
  readonly target: Commit | undefined;
  readonly current: number;
  readonly onClose: () => void;
}

/** Explains the effect and how to undo it. */
export function RestoreDialog({ name, target, current, onClose }: RestoreDialogProps): ReactNode {
  const revision = target?.revision ?? 0;
  const restore = useAction<void, { readonly changed: number; readonly undo_with: number }>({
    failed: `Could not restore ${name}`,
    touches: ['database', 'databases'],
    done: ({ changed, undo_with: undo }) =>
      `Restored ${name} to revision ${revision} (${count(changed, 'change')}). To undo, restore revision ${undo}.`,
    run: async () => {
      const { data } = await systemApi.POST('/databases/{database}/restore', {
        params: { database: name },
        body: { revision },
      });
      onClose();
      return data;
    },
  });
  return (
    <Confirm
      title={`Restore ${name} to revision ${revision}?`}
      action="Restore database"
      isOpen={target !== undefined}
      isBusy={restore.isPending}
      onConfirm={() => restore.mutate()}
      onClose={onClose}
    >
      <p>
        Restores <strong>{name}</strong> as of {target === undefined ? '' : exactTime(Date.parse(target.at))} and
        reverts {count(Math.max(0, current - revision), 'later commit')}.
      </p>
      <p>
        Nothing is lost: restoring adds a commit, and programs keep running. To undo it, restore revision{' '}
        {count(current)}, or run:
      </p>
      <Command text={`holdfast restore ${name} --at ${current}`} />
      {name === 'accounts' && (
        <p className="rounded-lg bg-warn-soft p-3 text-warn">
          This database holds users and sessions: you may be signed out, and newer tokens stop working.
        </p>
      )}
    </Confirm>
  );
}
