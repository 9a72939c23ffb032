import type { UseMutationResult } from '@tanstack/react-query';

import { utaskApi } from '../../api/clients.ts';
import type { Task } from '../../api/types.ts';
import { useAction } from '../../api/use-action.ts';
import { say } from '../../lib/toasts.ts';
import { applyOwn } from './task-stream.ts';

export interface TaskActions {
  readonly finish: (task: Task) => void;
  readonly remove: (task: Task) => void;
}

interface Setting {
  readonly task: Task;
  readonly done: boolean;
  readonly isUndo?: boolean;
}

const SHOWN_LENGTH = 60;

/** Completes or deletes a task, with Undo. */
export function useTaskActions(): TaskActions {
  const setDone: UseMutationResult<unknown, Error, Setting> = useAction<Setting>({
    failed: 'Could not change the task',
    run: async ({ task, done, isUndo = false }) => {
      const { id } = task;
      // Sends only the state, so that a concurrent change of the text stays.
      const { data } = await utaskApi.PATCH('/tasks/{id}', { params: { id }, body: { done } });
      applyOwn({ id, task: data });
      const undo = { label: 'Undo', run: () => setDone.mutate({ task, done: !done, isUndo: true }) };
      if (!isUndo) say(`${done ? 'Done' : 'Reopened'}: ${short(task.text)}`, undo);
    },
  });
  const restore = useAction<string>({
    failed: 'Could not restore the task',
    done: () => 'Task restored',
    run: async (id) => {
      const { data } = await utaskApi.POST('/tasks/{id}/restore', { params: { id } });
      applyOwn({ id, task: data });
    },
  });
  const remove = useAction<Task>({
    failed: 'Could not delete the task',
    run: async ({ id, text }) => {
      await utaskApi.DELETE('/tasks/{id}', { params: { id } });
      applyOwn({ id, task: null });
      say(`Deleted: ${short(text)}`, { label: 'Undo', run: () => restore.mutate(id) });
    },
  });
  return {
    finish: (task) => setDone.mutate({ task, done: !task.done }),
    remove: (task) => remove.mutate(task),
  };
}

function short(text: string): string {
  return text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text;
}
