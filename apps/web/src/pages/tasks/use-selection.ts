import { useState } from 'react';

import type { Task } from '../../api/types.ts';

/** The selected tasks of a list. Tasks that leave the list are no longer selected. */
export interface Selection {
  readonly ids: ReadonlySet<string>;
  readonly tasks: readonly Task[];
  /** Whether the checkbox of a row selects the task instead of marking it as done. */
  readonly isActive: boolean;
  readonly begin: () => void;
  readonly toggle: (id: string) => void;
  /** Selects all tasks from the most recently toggled task to this task. */
  readonly extendTo: (id: string) => void;
  readonly selectAll: () => void;
  readonly clear: () => void;
}

interface Chosen {
  readonly ids: ReadonlySet<string>;
  /** Where a selection of several tasks starts. */
  readonly anchor?: string;
  readonly isBegun: boolean;
}

const nothing: Chosen = { ids: new Set(), isBegun: false };

export function useSelection(tasks: readonly Task[]): Selection {
  const [chosen, setChosen] = useState(nothing);
  const selected = tasks.filter(({ id }) => chosen.ids.has(id));
  return {
    ids: selected.length === 0 ? nothing.ids : new Set(selected.map(({ id }) => id)),
    tasks: selected,
    isActive: chosen.isBegun || selected.length > 0,
    begin: () => setChosen((old) => ({ ...old, isBegun: true })),
    toggle: (id) =>
      setChosen((old) => {
        const ids = new Set(old.ids);
        if (!ids.delete(id)) ids.add(id);
        return { ...old, ids, anchor: id };
      }),
    extendTo: (id) =>
      setChosen((old) => ({
        ...old,
        ids: new Set([...old.ids, ...between(tasks, old.anchor ?? id, id)]),
        anchor: id,
      })),
    selectAll: () => setChosen((old) => ({ ...old, ids: new Set(tasks.map(({ id }) => id)) })),
    clear: () => setChosen(nothing),
  };
}

/** Returns the ids from one task to another, in the order of the list. */
function between(tasks: readonly Task[], from: string, to: string): readonly string[] {
  const ids = tasks.map(({ id }) => id);
  const [start, end] = [ids.indexOf(from), ids.indexOf(to)].toSorted((left, right) => left - right);
  if (start === undefined || end === undefined || start < 0) return [to];
  return ids.slice(start, end + 1);
}
