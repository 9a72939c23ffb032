import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import { ringmasterApi } from '../../../api/clients.ts';
import type { BoardTask } from '../../../api/types.ts';
import { useAction } from '../../../api/use-action.ts';
import { type ColumnName, columns, mayMove } from './columns.ts';

export type Move = (task: BoardTask, to: ColumnName) => void;

interface Moving {
  readonly task: BoardTask;
  readonly to: ColumnName;
}

/** Moves a card at once, announces it, and moves it back with an error if the server rejects it. */
export function useMove(workspace: string): { readonly move: Move; readonly told: string } {
  const client = useQueryClient();
  const [told, setTold] = useState('');
  const queryKey = ['ringmaster', workspace, 'board'];
  const change = useAction<Moving>({
    failed: 'Could not move the task',
    touches: ['ringmaster'],
    async run({ task: { id }, to }) {
      const { status = 'ready' } = columns[to];
      try {
        await ringmasterApi.PATCH('/workspaces/{workspace}/tasks/{task}', {
          params: { workspace, task: id },
          body: { status },
        });
      } catch (error) {
        await client.invalidateQueries({ queryKey });
        throw error;
      }
    },
  });
  const move: Move = (task, to) => {
    const { title, status } = columns[to];
    if (status === undefined || !mayMove(task, to)) return setTold(`${task.title} cannot be moved to ${title}`);
    const placed = (each: BoardTask): BoardTask =>
      each.id === task.id ? { ...each, status, is_ready: status === 'ready', may_become: [] } : each;
    // A refetch in progress may not include the move and would put the card back for a moment.
    void client.cancelQueries({ queryKey });
    client.setQueriesData<readonly BoardTask[]>({ queryKey }, (known) => known?.map(placed));
    change.mutate({ task, to });
    return setTold(`${task.title} moved to ${title}`);
  };
  return { move, told };
}
