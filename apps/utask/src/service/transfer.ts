import { Limiter } from '@holdfast/base';
import { decodeTask, encodeTask, type Task } from '../model/task.ts';
import type { Entry } from '../store/bucket.ts';
import { type Change, UndoLog } from './undo.ts';
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
  { overwrite, onTask, undoLog = new UndoLog() }: TransferOptions,
): Promise<Transferred> {
  const counts = { added: 0, unchanged: 0, overwritten: 0 };
  const skipped: string[] = [];
  const failures: unknown[] = [];
  const changes: Change[] = [];
  const limiter = new Limiter(CONCURRENT);
  const transfer = async ({ task, entry }: Found): Promise<void> => {
    if (failures.length > 0) return;
    const outcome = await transferOne({ utask, undoLog, overwrite, changes }, task, entry);
    if (outcome === 'skipped') skipped.push(task.id);
    else counts[outcome] += 1;
    onTask?.();
  };
  const found = await Promise.all(
    tasks.map((task) => limiter.run(async () => ({ task, entry: await utask.buckets.tasks.get(task.id) }))),
  );
  undoLog.plan(found.filter(({ entry }) => entry?.value === undefined || overwrite).map(changeOf));
  // Waits for all transfers, even if one has failed, so that the undo log has every change.
  await Promise.all(
    found.map((each) => limiter.run(() => transfer(each)).catch((error: unknown) => failures.push(error))),
  );
  undoLog.record(changes);
  if (failures.length > 0) throw failures[0];
  return { ...counts, skipped };
}

/** A task to copy, and the entry that the list already has under its id. */
interface Found {
  readonly task: Task;
  readonly entry: Entry | undefined;
}

function changeOf({ task, entry }: Found): Change {
  return { id: task.id, before: entry?.value ?? null, after: encodeTask(task) };
}

interface Transfer {
  readonly utask: Utask;
  readonly undoLog: UndoLog;
  readonly overwrite: boolean;
  readonly changes: Change[];
}

async function transferOne(
  { utask, undoLog, overwrite, changes }: Transfer,
  task: Task,
  found: Entry | undefined,
): Promise<'added' | 'unchanged' | 'overwritten' | 'skipped'> {
  let entry = found;
  if (entry === undefined) {
    if (await utask.insert(task)) {
      changes.push(changeOf({ task, entry }));
      return 'added';
    }
    // Another writer has stored the task first.
    entry = await utask.buckets.tasks.get(task.id);
  }
  if (entry?.value === encodeTask(task)) return 'unchanged';
  if (entry?.value !== undefined && !overwrite) {
    return isSameImport(decodeTask(task.id, entry.value), task) ? 'unchanged' : 'skipped';
  }
  let change = changeOf({ task, entry });
  await utask.restore(task.id, task, (before) => {
    change = { ...change, before: before ?? null };
    undoLog.plan([change]);
  });
  changes.push(change);
  return change.before === null ? 'added' : 'overwritten';
}

/** Returns whether both tasks were imported from the same source. If so, later changes in ut are not a conflict. */
function isSameImport(before: Task, task: Task): boolean {
  return task.source !== undefined && JSON.stringify(before.source) === JSON.stringify(task.source);
}
