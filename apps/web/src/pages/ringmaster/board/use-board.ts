import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';

import { ringmasterApi } from '../../../api/clients.ts';
import type { BoardTask, TaskStatus } from '../../../api/types.ts';
import { useAction } from '../../../api/use-action.ts';
import { statusOf } from '../../../lib/error-reason.ts';
import { say } from '../../../lib/toasts.ts';
import type { ListControls } from '../../../ui/virtual-list.tsx';
import { type ColumnName, columnNames, columns, type Lanes, mayMove, nextColumn } from './columns.ts';

type Move = (task: BoardTask, to: ColumnName) => void;

interface Moving {
  readonly task: BoardTask;
  readonly to: ColumnName;
}

/** Moves a card immediately and announces it. If the server rejects the move, shows an error and moves it back. */
export function useMove(workspace: string): { readonly move: Move; readonly told: string } {
  const client = useQueryClient();
  const [told, setTold] = useState('');
  const queryKey = ['ringmaster', workspace, 'board'];
  const setStatus = (id: string, status: TaskStatus): Promise<unknown> =>
    ringmasterApi.PATCH('/workspaces/{workspace}/tasks/{task}', { params: { workspace, task: id }, body: { status } });
  const undo = useAction<BoardTask>({
    failed: 'Could not undo the move',
    touches: ['ringmaster'],
    async run({ id, status, title }) {
      try {
        await setStatus(id, status);
      } catch (error) {
        // The server rejects some direct status changes, but it allows every change from `ready`.
        if (statusOf(error) !== 409) throw error;
        await setStatus(id, 'ready');
        await setStatus(id, status);
      }
      setTold(`${title} moved back`);
    },
  });
  const change = useAction<Moving>({
    failed: 'Could not move the task',
    touches: ['ringmaster'],
    async run({ task, to }) {
      const { status = 'ready', title } = columns[to];
      try {
        await setStatus(task.id, status);
      } catch (error) {
        await client.invalidateQueries({ queryKey });
        throw error;
      }
      say(`Moved to ${title}: ${task.title}`, { label: 'Undo', run: () => undo.mutate(task) });
    },
  });
  const move: Move = (task, to) => {
    const { title, status } = columns[to];
    if (status === undefined || !mayMove(task, to)) return setTold(`${task.title} cannot be moved to ${title}`);
    const placed = (each: BoardTask): BoardTask =>
      each.id === task.id ? { ...each, status, is_ready: status === 'ready', may_become: [] } : each;
    // A refetch that started before the move would put the card back for a moment.
    void client.cancelQueries({ queryKey });
    client.setQueriesData<readonly BoardTask[]>({ queryKey }, (known) => known?.map(placed));
    change.mutate({ task, to });
    return setTold(`${task.title} moved to ${title}`);
  };
  return { move, told };
}

export interface BoardFocus {
  readonly active: string | undefined;
  /** Selects a card. The focus stays on the card when it moves to another column. */
  readonly choose: (id: string) => void;
  readonly leave: () => void;
  readonly hold: (name: ColumnName, controls: ListControls | null) => void;
  readonly onKeyDown: (event: KeyboardEvent, task: BoardTask) => void;
}

interface Followed {
  readonly id: string;
  readonly from: ColumnName | undefined;
}

interface BoardFocusInput {
  readonly workspace: string;
  readonly lanes: Lanes;
  readonly onMove: Move | undefined;
  readonly onAsk: (task: BoardTask) => void;
}

/** Arrow keys move between cards; with Shift they move the card. */
export function useBoardFocus({ workspace, lanes, onMove, onAsk }: BoardFocusInput): BoardFocus {
  const navigate = useNavigate();
  const [active, choose] = useState<string>();
  const lists = useRef(new Map<ColumnName, ListControls | null>());
  const followed = useRef<Followed>(undefined);
  // A card that changes its column is rendered again in the new column and would lose the focus. This happens after a
  // move by the user or a worker, or when the server rejects a move.
  useEffect(() => {
    const found = locate(lanes, followed.current?.id);
    if (found === undefined || found.name === followed.current?.from) return;
    followed.current = { id: found.id, from: found.name };
    lists.current.get(found.name)?.reveal(found.at);
  }, [lanes]);
  const go = (task: BoardTask, across: number, along: number): void => {
    const from = locate(lanes, task.id);
    if (from === undefined) return;
    const order = across < 0 ? columnNames.toReversed() : columnNames;
    const after = order.slice(order.indexOf(from.name) + 1);
    const name = across === 0 ? from.name : after.find((each) => lanes[each].length > 0);
    if (name === undefined) return;
    lists.current.get(name)?.reveal(Math.min(Math.max(from.at + along, 0), lanes[name].length - 1));
  };
  const take = (task: BoardTask, step: 1 | -1): void => {
    const to = nextColumn(task, step);
    if (onMove === undefined || to === undefined) return;
    onMove(task, to);
  };
  const act = (key: string, isShift: boolean, task: BoardTask): boolean => {
    if (key === 'ArrowRight' || key === 'ArrowLeft') {
      const step = key === 'ArrowRight' ? 1 : -1;
      if (isShift) take(task, step);
      else go(task, step, 0);
    } else if (key === 'ArrowDown' || key === 'ArrowUp') go(task, 0, key === 'ArrowDown' ? 1 : -1);
    else if (key === 'Enter')
      void navigate({ to: '/ringmaster/$workspace/tasks/$id', params: { workspace, id: task.id } });
    else if (key.toLowerCase() === 'm' && onMove !== undefined) onAsk(task);
    else return false;
    return true;
  };
  return {
    active,
    choose(id) {
      followed.current = { id, from: locate(lanes, id)?.name };
      choose(id);
    },
    leave() {
      followed.current = undefined;
    },
    hold: (name, controls) => lists.current.set(name, controls),
    onKeyDown(event, task) {
      // Links and buttons in a card handle their own keys.
      if (event.target === event.currentTarget && act(event.key, event.shiftKey, task)) event.preventDefault();
    },
  };
}

interface CardLocation {
  readonly id: string;
  readonly name: ColumnName;
  readonly at: number;
}

function locate(lanes: Lanes, id: string | undefined): CardLocation | undefined {
  if (id === undefined) return undefined;
  for (const name of columnNames) {
    const at = lanes[name].findIndex((task) => task.id === id);
    if (at >= 0) return { id, name, at };
  }
  return undefined;
}
