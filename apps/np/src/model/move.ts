import { byOrder, orderOf, type Task } from './session.ts';

/**
 * Moving a task permutes the positions in use: every task between its old and its new position shifts by one. No
 * position is invented, so nothing can run out or need renumbering.
 */
export interface Move {
  /** The tasks whose position changed, with the new one. */
  readonly changed: readonly Task[];
  readonly positionBefore: number;
  readonly positionAfter: number;
}

/** `position` counts from 1 and is clamped. */
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
