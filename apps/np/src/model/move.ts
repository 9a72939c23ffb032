import { byOrder, orderOf, type Task } from './session.ts';

/**
 * A task moves by exchanging places: the places in use stay the same, and every task between its old and its new one
 * steps aside by one. No place is ever made up, so there is nothing that could run out or need renumbering.
 */
export interface Move {
  /** All tasks that stand elsewhere now, with their new place. */
  readonly changed: readonly Task[];
  readonly positionBefore: number;
  readonly positionAfter: number;
}

/** `position` counts from 1 and is brought into range. */
export function moveTask(tasks: readonly Task[], id: string, position: number): Move {
  const ordered = [...tasks].sort(byOrder);
  const places = ordered.map(orderOf);
  const from = ordered.findIndex((task) => task.id === id);
  const to = Math.min(Math.max(position, 1), ordered.length) - 1;
  const moved = ordered.toSpliced(from, 1).toSpliced(to, 0, ordered[from] as Task);
  const changed = moved.flatMap((task, index) => {
    const place = places[index] as number;
    return orderOf(task) === place ? [] : [atPlace(task, place)];
  });
  return { changed, positionBefore: from + 1, positionAfter: to + 1 };
}

function atPlace({ order_seq: _, ...task }: Task, place: number): Task {
  return place === task.created_seq ? task : { ...task, order_seq: place };
}
