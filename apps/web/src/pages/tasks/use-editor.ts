import { useState } from 'react';

import { utaskApi } from '../../api/clients.ts';
import type { Task } from '../../api/types.ts';
import { useAction } from '../../api/use-action.ts';
import { statusOf } from '../../lib/error-reason.ts';
import { parseTags } from './parse-entry.ts';
import { applyOwn } from './task-stream.ts';

/** A task being edited, with its state when editing started. */
export interface Draft {
  readonly base: Task;
  readonly etag: string;
  readonly text: string;
  readonly tags: string;
  /** The task as changed elsewhere; null if it was deleted. */
  readonly theirs?: Task | null;
}

export interface Editor {
  readonly draft: Draft | undefined;
  readonly isSaving: boolean;
  readonly begin: (task: Task) => void;
  readonly change: (changed: Partial<Pick<Draft, 'text' | 'tags'>>) => void;
  readonly save: () => void;
  readonly cancel: () => void;
}

/**
 * Saves only if the task has not changed since editing started. Otherwise both versions are shown, and the next save
 * overwrites the other. The page keeps the draft, because rows disappear when scrolled out of sight.
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
  return { base: task, etag, text: task.text, tags: task.tags.join(', ') };
}

/** The saved task, or the draft with the conflicting version. */
async function write(edited: Draft): Promise<Task | (Draft & { readonly theirs: Task | null })> {
  const { base, etag, text } = edited;
  const tags = [...parseTags(edited.tags)];
  try {
    // Deleted elsewhere, but the user wants to keep it.
    if (edited.theirs === null) return (await utaskApi.POST('/tasks', { body: { text, tags } })).data;
    const body = { text, tags };
    return (await utaskApi.PATCH('/tasks/{id}', { params: { id: base.id }, body, ifMatch: etag })).data;
  } catch (error) {
    if (statusOf(error) === 404) return { ...edited, theirs: null };
    if (statusOf(error) !== 412) throw error;
    const current = await read(base.id);
    return { ...edited, etag: current.etag, theirs: current.task };
  }
}
