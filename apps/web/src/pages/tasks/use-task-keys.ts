import { type RefObject, useEffect, useRef, useState } from 'react';

import type { Task } from '../../api/types.ts';
import { usePageKeys } from '../../shell/page-keys.ts';
import type { ListControls } from '../../ui/virtual-list.tsx';
import type { TaskActions } from './use-task-actions.ts';
import type { Editor } from './use-editor.ts';

interface TaskKeys extends TaskActions {
  readonly tasks: readonly Task[];
  readonly mayChange: boolean;
  readonly editor: Editor;
  readonly newTask: RefObject<HTMLInputElement | null>;
}

interface Chosen {
  readonly active: number;
  readonly controls: RefObject<ListControls | null>;
}

/**
 * The row that shortcuts act on. Identified by its task, so that it stays when others come and go; when the task
 * disappears, the row in its place is next.
 */
export function useTaskKeys({ tasks, mayChange, editor, newTask, finish, remove }: TaskKeys): Chosen {
  const [chosen, setChosen] = useState<{ readonly id: string; readonly at: number }>();
  const controls = useRef<ListControls>(null);
  const active = placeOf(tasks, chosen);
  const isFocusWanted = useRef(false);
  const go = (step: number): void => {
    const at = Math.min(Math.max(active + step, 0), tasks.length - 1);
    const task = tasks[at];
    if (task === undefined) return;
    setChosen({ id: task.id, at });
    isFocusWanted.current = true;
  };
  const act = (run: (task: Task) => void) => () => {
    const task = tasks[active];
    if (task === undefined || !mayChange) return;
    setChosen({ id: task.id, at: active });
    run(task);
    isFocusWanted.current = true;
  };
  usePageKeys([
    { key: 'j', does: 'Next task', run: () => go(1) },
    { key: 'k', does: 'Previous task', run: () => go(-1) },
    { key: 'x', does: 'Complete or reopen task', run: act(finish) },
    { key: 'e', does: 'Edit task', run: act(editor.begin) },
    { key: 'Delete', does: 'Delete task', run: act(remove) },
    { key: 'n', does: 'New task', run: () => newTask.current?.focus() },
  ]);
  const isEditing = editor.draft !== undefined;
  // Once the row is rendered, or another one took its place, or its editor was closed.
  useEffect(() => {
    if (!isFocusWanted.current || isEditing || active < 0 || isElsewhere()) return;
    isFocusWanted.current = false;
    controls.current?.reveal(active);
  }, [active, tasks, isEditing]);
  return { active, controls };
}

/** The focus must not jump back to the list after the user has moved on. */
function isElsewhere(): boolean {
  const { activeElement } = document;
  return activeElement !== null && activeElement !== document.body && !activeElement.matches('[data-row], main');
}

function placeOf(tasks: readonly Task[], chosen: { readonly id: string; readonly at: number } | undefined): number {
  if (chosen === undefined) return -1;
  const at = tasks.findIndex(({ id }) => id === chosen.id);
  return at >= 0 ? at : Math.min(chosen.at, tasks.length - 1);
}
