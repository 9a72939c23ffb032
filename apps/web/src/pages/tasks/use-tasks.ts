import type { UseMutationResult } from '@tanstack/react-query';
import { type RefObject, useEffect, useRef, useState } from 'react';

import { utaskApi } from '../../api/clients.ts';
import type { Task } from '../../api/types.ts';
import { useAction } from '../../api/use-action.ts';
import { statusOf } from '../../lib/error-reason.ts';
import { say } from '../../lib/toasts.ts';
import { usePageKeys } from '../../shell/page-keys.ts';
import type { ListControls } from '../../ui/virtual-list.tsx';
import { parseTags } from './parse-entry.ts';
import { applyOwn } from './task-stream.ts';
import type { Selection } from './use-selection.ts';

interface TaskActions {
  readonly finish: (task: Task) => void;
  readonly remove: (task: Task) => void;
}

interface Setting {
  readonly task: Task;
  readonly done: boolean;
  readonly isUndo?: boolean;
}

const SHOWN_LENGTH = 60;

export function useTaskActions(): TaskActions {
  const setDone: UseMutationResult<unknown, Error, Setting> = useAction<Setting>({
    failed: 'Could not change the task',
    run: async ({ task, done, isUndo = false }) => {
      const { id } = task;
      // Sends only the state, so that it does not overwrite a concurrent change to the text.
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

/** Higher numbers come from imports and count as low priority. */
type PriorityChoice = '0' | '1' | '2' | '3';

export interface Draft {
  readonly base: Task;
  readonly etag: string;
  readonly text: string;
  readonly tags: string;
  /** A day or a time; empty for none. */
  readonly due: string;
  readonly priority: PriorityChoice;
  /** The task as another user or device changed it; null if it was deleted. */
  readonly theirs?: Task | null;
}

export interface Editor {
  readonly draft: Draft | undefined;
  readonly isSaving: boolean;
  readonly begin: (task: Task) => void;
  readonly change: (changed: Partial<Pick<Draft, 'text' | 'tags' | 'due' | 'priority'>>) => void;
  readonly save: () => void;
  readonly cancel: () => void;
}

/**
 * Saves only if the task has not changed since editing started. If the task has changed, shows both versions, and the
 * next save overwrites the other version. The page holds the draft, because a row that is scrolled out of view is
 * removed.
 */
export function useEditor(): Editor {
  const [draft, setDraft] = useState<Draft>();
  const begin = useAction<Task>({
    failed: 'Could not read the task',
    run: async ({ id }) => setDraft(draftOf(await read(id))),
  });
  const save = useAction<Draft>({
    failed: 'Could not save the task',
    run: async (edited) => {
      const saved = await write(edited);
      if ('theirs' in saved) return setDraft(saved);
      applyOwn({ id: saved.id, task: saved });
      setDraft(undefined);
    },
  });
  return {
    draft,
    isSaving: save.isPending,
    begin: (task) => begin.mutate(task),
    change: (changed) => setDraft((old) => old && { ...old, ...changed }),
    save: () => draft !== undefined && !save.isPending && save.mutate(draft),
    cancel: () => setDraft(undefined),
  };
}

interface Seen {
  readonly task: Task;
  readonly etag: string;
}

async function read(id: string): Promise<Seen> {
  const { data, etag } = await utaskApi.GET('/tasks/{id}', { params: { id } });
  return { task: data, etag: etag ?? '' };
}

function draftOf({ task, etag }: Seen): Draft {
  return {
    base: task,
    etag,
    text: task.text,
    tags: task.tags.join(', '),
    due: task.due ?? '',
    priority: priorityChoice(task),
  };
}

function priorityChoice({ priority = 0 }: Task): PriorityChoice {
  return priority === 0 ? '0' : priority === 1 ? '1' : priority === 2 ? '2' : '3';
}

/** Returns the due date and the priority if the user changed them. */
function planned({ base, due, priority }: Draft): { due?: string; priority?: number } {
  return {
    ...(due === (base.due ?? '') ? {} : { due: due === '' ? 'none' : due }),
    ...(priority === priorityChoice(base) ? {} : { priority: Number(priority) }),
  };
}

async function write(edited: Draft): Promise<Task | (Draft & { readonly theirs: Task | null })> {
  const { base, etag, text } = edited;
  const tags = [...parseTags(edited.tags)];
  try {
    // The task was deleted elsewhere, but the user wants to save it, so this creates it again.
    if (edited.theirs === null) return (await utaskApi.POST('/tasks', { body: { text, tags } })).data;
    const body = { text, tags, ...planned(edited) };
    return (await utaskApi.PATCH('/tasks/{id}', { params: { id: base.id }, body, ifMatch: etag })).data;
  } catch (error) {
    if (statusOf(error) === 404) return { ...edited, theirs: null };
    if (statusOf(error) !== 412) throw error;
    const current = await read(base.id);
    return { ...edited, etag: current.etag, theirs: current.task };
  }
}

interface TaskKeys extends TaskActions {
  readonly tasks: readonly Task[];
  readonly mayChange: boolean;
  readonly editor: Editor;
  readonly newTask: RefObject<HTMLInputElement | null>;
  readonly selection: Selection;
}

interface Chosen {
  readonly active: number;
  readonly controls: RefObject<ListControls | null>;
}

/**
 * Tracks the row that shortcuts act on. The selection follows its task when other rows come and go. If the task
 * disappears, the row that takes its place is selected.
 */
export function useTaskKeys(keys: TaskKeys): Chosen {
  const { tasks, mayChange, editor, newTask, finish, remove, selection } = keys;
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
  const extend = (step: number): void => {
    const [from, to] = [tasks[active], tasks[active + step]];
    if (!mayChange || to === undefined) return;
    if (from !== undefined && !selection.ids.has(from.id)) selection.toggle(from.id);
    selection.extendTo(to.id);
    go(step);
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
    { key: 'J', does: 'Select this and the next task', run: () => extend(1) },
    { key: 'K', does: 'Select this and the previous task', run: () => extend(-1) },
    { key: 's', does: 'Select or deselect task', run: act(({ id }) => selection.toggle(id)) },
    { key: 'Escape', does: 'Deselect all tasks', run: () => selection.clear() },
    { key: 'x', does: 'Complete or reopen task', run: act(finish) },
    { key: 'e', does: 'Edit task', run: act(editor.begin) },
    { key: 'Delete', does: 'Delete task', run: act(remove) },
    { key: 'n', does: 'New task', run: () => newTask.current?.focus() },
  ]);
  const isEditing = editor.draft !== undefined;
  // Moves the focus when the row is rendered and no editor is open.
  useEffect(() => {
    if (!isFocusWanted.current || isEditing || active < 0 || isElsewhere()) return;
    isFocusWanted.current = false;
    controls.current?.reveal(active);
  }, [active, tasks, isEditing]);
  return { active, controls };
}

/**
 * Returns whether the user has moved the focus away from the list. In that case, the focus must not return to the list.
 */
function isElsewhere(): boolean {
  const { activeElement } = document;
  return activeElement !== null && activeElement !== document.body && !activeElement.matches('[data-row], main');
}

function placeOf(tasks: readonly Task[], chosen: { readonly id: string; readonly at: number } | undefined): number {
  if (chosen === undefined) return -1;
  const at = tasks.findIndex(({ id }) => id === chosen.id);
  return at >= 0 ? at : Math.min(chosen.at, tasks.length - 1);
}
