import { decodeTask, encodeTask, type Task } from '../model/task.ts';
import type { Change, UndoLog } from './undo-log.ts';
import type { Utask } from './utask.ts';

export interface Transferred {
  readonly added: number;
  readonly unchanged: number;
  readonly overwritten: number;
  /** There already, and different. */
  readonly skipped: readonly string[];
}

export interface TransferOptions {
  readonly overwrite: boolean;
  readonly onTask?: () => void;
  readonly undoLog?: UndoLog;
}

const CONCURRENT = 32;

/**
 * Brings tasks into a list under the ids that they have. What is there already and the same is left alone, so that a
 * transfer that was cut off can simply be repeated.
 */
export async function transferTasks(
  utask: Utask,
  tasks: readonly Task[],
  options: TransferOptions,
): Promise<Transferred> {
  const counts = { added: 0, unchanged: 0, overwritten: 0 };
  const skipped: string[] = [];
  const changes: Change[] = [];
  let next = 0;
  const transferSome = async (): Promise<void> => {
    while (next < tasks.length) {
      const task = tasks[next++] as Task;
      const outcome = await transferOne(utask, task, options.overwrite, changes);
      if (outcome === 'skipped') skipped.push(task.id);
      else counts[outcome] += 1;
      options.onTask?.();
    }
  };
  try {
    await Promise.all(Array.from({ length: CONCURRENT }, transferSome));
  } finally {
    options.undoLog?.record(changes);
  }
  return { ...counts, skipped };
}

async function transferOne(
  utask: Utask,
  task: Task,
  overwrite: boolean,
  changes: Change[],
): Promise<'added' | 'unchanged' | 'overwritten' | 'skipped'> {
  let entry = await utask.buckets.tasks.get(task.id);
  if (entry === undefined) {
    if (await utask.insert(task)) {
      changes.push({ id: task.id, before: null, after: encodeTask(task) });
      return 'added';
    }
    // Somebody else was faster.
    entry = await utask.buckets.tasks.get(task.id);
  }
  if (entry?.value === encodeTask(task)) return 'unchanged';
  if (entry?.value !== undefined && !overwrite) {
    return isSameImport(decodeTask(task.id, entry.value), task) ? 'unchanged' : 'skipped';
  }
  await utask.restore(task.id, task);
  changes.push({ id: task.id, before: entry?.value ?? null, after: encodeTask(task) });
  return entry?.value === undefined ? 'added' : 'overwritten';
}

/** It was imported from the very same thing before; what was done to it here since is no conflict. */
function isSameImport(before: Task, task: Task): boolean {
  return task.source !== undefined && JSON.stringify(before.source) === JSON.stringify(task.source);
}
