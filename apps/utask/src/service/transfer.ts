import { Limiter } from '@holdfast/base';
import { decodeTask, encodeTask, type Task } from '../model/task.ts';
import type { Change, UndoLog } from './undo.ts';
import type { Utask } from './utask.ts';

export interface Transferred {
  readonly added: number;
  readonly unchanged: number;
  readonly overwritten: number;
  /** Ids of tasks that already exist with other content. */
  readonly skipped: readonly string[];
}

export interface TransferOptions {
  readonly overwrite: boolean;
  readonly onTask?: () => void;
  readonly undoLog?: UndoLog;
}

const CONCURRENT = 32;

/**
 * Copies tasks into a list with their ids. Skips tasks that already exist unchanged, so that an interrupted transfer
 * can be repeated.
 */
export async function transferTasks(
  utask: Utask,
  tasks: readonly Task[],
  options: TransferOptions,
): Promise<Transferred> {
  const counts = { added: 0, unchanged: 0, overwritten: 0 };
  const skipped: string[] = [];
  const changes: Change[] = [];
  const limiter = new Limiter(CONCURRENT);
  const transfer = async (task: Task): Promise<void> => {
    const outcome = await transferOne(utask, task, options.overwrite, changes);
    if (outcome === 'skipped') skipped.push(task.id);
    else counts[outcome] += 1;
    options.onTask?.();
  };
  try {
    await Promise.all(tasks.map((task) => limiter.run(() => transfer(task))));
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
    // Another writer has stored the task first.
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

/** Returns whether both were imported from the same source. If so, later changes in ut are not a conflict. */
function isSameImport(before: Task, task: Task): boolean {
  return task.source !== undefined && JSON.stringify(before.source) === JSON.stringify(task.source);
}
